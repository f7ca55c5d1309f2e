"""Downloads of models from the Hugging Face Hub, or from the server that `HF_ENDPOINT` names.

The network is used only when a user asks for a model that is not complete yet.
"""

import re
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from core.cancel import CancelToken
from core.catalogue.downloaded import (
    GIT_SHA1,
    MARK_NAME,
    SHA256,
    HubFile,
    HubModel,
    download_folder,
    has_digest,
    has_full_size,
    is_downloaded,
    is_hub_id,
    read_mark,
    write_mark,
)
from core.catalogue.hub_client import CONTINUED, endpoint, plain_errors, read_from, read_json
from core.catalogue.hub_errors import no_space, nothing_to_load, unreadable_reply
from core.catalogue.interruptible import interruptible
from core.catalogue.locate import check_folder
from core.catalogue.part_file import PART_SUFFIX, PartFile
from core.errors import ModelError
from core.events import Progress, Stage

OnProgress = Callable[[Progress], None]

_WANTED = re.compile(
    r"model[\w.-]*\.safetensors|(?!pytorch_model|tf_model|flax_model)[A-Za-z0-9][\w.-]*\.(?:json|jinja|tiktoken)"
    r"|tokenizer\.model|spiece\.model|sentencepiece[\w.]*\.model|vocab\.txt|merges\.txt"
)
_HEX_DIGEST = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")
_MOST_FAILURES = 3
_PAUSE_S = 1.0
_REPORT_S = 0.1


def is_wanted(name: str) -> bool:
    """Whether a file of a repository is kept: weights as safetensors, configuration, tokenizer, template.

    Pickled weights, code and everything in subfolders stay where they are.
    """
    return name != MARK_NAME and _WANTED.fullmatch(name) is not None


def fetch_model(
    hub_id: str, models_dir: Path, on_progress: OnProgress | None = None, cancel: CancelToken | None = None
) -> Path:
    """The folder of a model, complete and checked; only what is missing is downloaded.

    A download that was stopped or cut goes on where it ended. Raises `ModelError` with what to do,
    `DoesNotFitError` if the disk is too small, `CancelledError` within a second when `cancel` says so.
    """
    cancel = cancel or CancelToken()
    if not is_hub_id(hub_id):
        raise ModelError("Not the name of a model", f"{hub_id} has not the form organisation/name.")
    folder = download_folder(hub_id, models_dir)
    if is_downloaded(folder):
        return folder
    try:
        with plain_errors(hub_id):
            model = _describe(hub_id, cancel)
            folder.mkdir(parents=True, exist_ok=True)
            with _alone(folder):
                _complete(model, folder, on_progress or _ignore, cancel)
    except OSError as error:
        raise ModelError(
            "The model cannot be stored",
            f"{error.filename or folder}: {error.strerror or error}. Free some space or choose another "
            "folder with --cache-dir or LECTERN_CACHE_DIR; what has come is kept.",
        ) from error
    return folder


def describe_model(hub_id: str, cancel: CancelToken | None = None) -> HubModel:
    """What would be downloaded, from the server. Raises `ModelError`, `CancelledError`."""
    with plain_errors(hub_id):
        return _describe(hub_id, cancel or CancelToken())


def _describe(hub_id: str, cancel: CancelToken) -> HubModel:
    try:
        (content,) = interruptible(read_json(f"{endpoint()}/api/models/{hub_id}?blobs=true"), cancel)
        files = [_hub_file(entry) for entry in content["siblings"] if is_wanted(entry["rfilename"])]
        model = HubModel(hub_id, str(content["sha"]), tuple(sorted(files, key=_size)))
    except (KeyError, TypeError, ValueError) as error:
        raise unreadable_reply(hub_id, endpoint()) from error
    names = {file.name for file in model.files}
    if "config.json" not in names or not any(name.endswith(".safetensors") for name in names):
        raise nothing_to_load(hub_id)
    return model


def _size(file: HubFile) -> int:
    return file.size_bytes


def _hub_file(entry: dict[str, Any]) -> HubFile:
    """From the hub's description; a size must be there, because room and progress depend on it."""
    lfs = entry.get("lfs")
    digest, algorithm = (lfs["sha256"], SHA256) if lfs else (entry.get("blobId") or "", GIT_SHA1)
    if digest and not _HEX_DIGEST.fullmatch(digest):
        raise ValueError(digest)
    size = (lfs or entry)["size"]
    return HubFile(entry["rfilename"], int(size), algorithm if digest else "", digest)


def _complete(model: HubModel, folder: Path, on_progress: OnProgress, cancel: CancelToken) -> None:
    meter = Meter(model.size_bytes, on_progress)
    known = read_mark(folder)
    listed = set(known.files) if known else set()
    meter.skip(0)
    missing = []
    for file in model.files:
        path = folder / file.name
        if has_full_size(path, file) and (file in listed or has_digest(path, file, cancel)):
            meter.skip(file.size_bytes)
        else:
            missing.append(PartFile(file, folder))
    needed = sum(part.file.size_bytes - part.num_bytes for part in missing)
    free = shutil.disk_usage(folder).free
    if needed > free:
        raise no_space(model.hub_id, needed, free, folder)
    for part in missing:
        _fetch_file(model, part, meter, cancel)
    check_folder(folder)
    write_mark(folder, model)
    for leftover in folder.glob("*" + PART_SUFFIX):
        leftover.unlink(missing_ok=True)


def _fetch_file(model: HubModel, part: PartFile, meter: "Meter", cancel: CancelToken) -> None:
    """Transfer what is missing of one file; a cut connection is taken up again where it broke."""
    from httpx2 import TransportError
    from huggingface_hub import hf_hub_url

    url = hf_hub_url(model.hub_id, part.file.name, revision=model.commit, endpoint=endpoint())
    part.prime(cancel)
    meter.skip(part.num_bytes)
    num_failures = 0
    while not part.is_whole:
        before = part.num_bytes
        try:
            _transfer(url, part, meter, cancel)
        except TransportError:
            num_failures = num_failures + 1 if part.num_bytes == before else 1
            if num_failures >= _MOST_FAILURES:
                raise
            _pause(cancel)
    part.finish()


def _transfer(url: str, part: PartFile, meter: "Meter", cancel: CancelToken) -> None:
    from httpx2 import RemoteProtocolError

    offset = part.num_bytes
    with closing(interruptible(read_from(url, offset), cancel)) as chunks:
        if next(chunks) != CONTINUED and offset:
            meter.skip(-offset)
            part.restart()
        part.append(chunks, meter.add)
    if not part.is_whole:
        raise RemoteProtocolError("the server sent less than it announced")


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Hold a lock on `folder`, so that two downloads never write the same file."""
    from filelock import FileLock, Timeout

    try:
        with FileLock(folder / ".lock", timeout=0):
            yield
    except Timeout as error:
        raise ModelError(
            "The model is being downloaded already",
            f"Another Lectern writes to {folder}. Wait until it is done.",
        ) from error


def _pause(cancel: CancelToken) -> None:
    end = time.monotonic() + _PAUSE_S
    while time.monotonic() < end:
        cancel.raise_if_cancelled()
        time.sleep(_REPORT_S)


class Meter:
    """Counts bytes of the whole model and tells them a few times a second."""

    def __init__(
        self, total_bytes: int, on_progress: OnProgress, stage: Stage = Stage.DOWNLOADING_MODEL
    ) -> None:
        self._stage = stage
        self._total, self._done, self._come = total_bytes, 0, 0
        self._on_progress = on_progress
        self._began = time.monotonic()
        self._told = 0.0

    def skip(self, num_bytes: int) -> None:
        """Bytes that did not have to be transferred."""
        self._done += num_bytes
        self._tell()

    def add(self, num_bytes: int) -> None:
        self._done += num_bytes
        self._come += num_bytes
        if time.monotonic() - self._told >= _REPORT_S or self._done >= self._total:
            self._tell()

    def _tell(self) -> None:
        self._told = time.monotonic()
        elapsed_s = self._told - self._began
        rate = self._come / elapsed_s if self._come and elapsed_s > 0 else None
        eta_s = (self._total - self._done) / rate if rate else None
        self._on_progress(Progress(self._stage, self._done, self._total, "bytes", rate, eta_s))


def _ignore(_progress: Progress) -> None:
    return
