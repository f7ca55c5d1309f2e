"""Models that came from the Hugging Face Hub, as plain files in folders of their own. No network is used.

A mark, written last, lists every file of a complete download with its size and digest.
"""

import hashlib
import json
import re
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Protocol

from core.cancel import CancelToken
from core.errors import ModelError

MARK_NAME = "lectern-download.json"
SHA256, GIT_SHA1 = "sha256", "git-sha1"

OnBytes = Callable[[int], None]
"""Called with the number of bytes that were read or came since the last call."""

_VERSION = 1
_CHUNK_BYTES = 1 << 20
_HUB_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,95}/[A-Za-z0-9][A-Za-z0-9._-]{0,95}")


class Hash(Protocol):
    def update(self, data: bytes | memoryview, /) -> None: ...
    def hexdigest(self) -> str: ...


@dataclass(frozen=True)
class HubFile:
    """A file as the hub describes it.

    `algorithm` is `sha256` for files in large file storage, `git-sha1` (the hash of a git blob) for others,
    and empty with an empty `digest` where the hub tells none.
    """

    name: str
    size_bytes: int
    algorithm: str
    digest: str

    def new_hash(self) -> Hash:
        if self.algorithm != GIT_SHA1:
            return hashlib.sha256()
        return hashlib.sha1(b"blob %d\0" % self.size_bytes, usedforsecurity=False)

    def is_digest(self, digest: str) -> bool:
        return not self.algorithm or digest == self.digest


@dataclass(frozen=True)
class HubModel:
    """One state (`commit`) of a model on the hub and the files of it that Lectern keeps."""

    hub_id: str
    commit: str
    files: tuple[HubFile, ...]

    @property
    def size_bytes(self) -> int:
        return sum(file.size_bytes for file in self.files)


def is_hub_id(spec: str) -> bool:
    """Whether `spec` has the form `organisation/name`."""
    return bool(_HUB_ID.fullmatch(spec)) and "--" not in spec and ".." not in spec


def download_folder(hub_id: str, models_dir: Path) -> Path:
    """Where the files of a model belong, whether they are there or not."""
    return models_dir / "hub" / hub_id.replace("/", "--")


def read_mark(folder: Path) -> HubModel | None:
    """What the mark in `folder` lists; None if there is no mark that can be read."""
    try:
        mark: dict[str, Any] = json.loads((folder / MARK_NAME).read_text(encoding="utf-8"))
        if mark["version"] != _VERSION:
            return None
        files = tuple(HubFile(**file) for file in mark["files"])
        return HubModel(mark["hub_id"], mark["commit"], files)
    except (OSError, ValueError, KeyError, TypeError):
        return None


def write_mark(folder: Path, model: HubModel) -> None:
    temporary = folder / (MARK_NAME + ".part")
    temporary.write_text(json.dumps({"version": _VERSION, **asdict(model)}, indent=1), encoding="utf-8")
    temporary.replace(folder / MARK_NAME)


def has_full_size(path: Path, file: HubFile) -> bool:
    try:
        return path.stat().st_size == file.size_bytes
    except OSError:
        return False


def is_downloaded(folder: Path) -> bool:
    """Whether the mark is there and every file that it lists has its full size."""
    mark = read_mark(folder)
    return mark is not None and all(has_full_size(folder / file.name, file) for file in mark.files)


def hash_file(path: Path, into: Hash, cancel: CancelToken, on_bytes: OnBytes | None = None) -> None:
    """Feed the content of `path` to `into`. Raises `CancelledError`."""
    with path.open("rb") as stream:
        while chunk := stream.read(_CHUNK_BYTES):
            cancel.raise_if_cancelled()
            into.update(chunk)
            if on_bytes is not None:
                on_bytes(len(chunk))


def has_digest(path: Path, file: HubFile, cancel: CancelToken, on_bytes: OnBytes | None = None) -> bool:
    found = file.new_hash()
    hash_file(path, found, cancel, on_bytes)
    return file.is_digest(found.hexdigest())


def verify_download(folder: Path, cancel: CancelToken, on_bytes: OnBytes | None = None) -> HubModel:
    """Check sizes and digests again; what is damaged is removed, so that only that is downloaded anew.

    Raises `ModelError` if anything is missing or damaged, `CancelledError` if the user stops it.
    """
    mark = read_mark(folder)
    if mark is None:
        raise ModelError("The download is not complete", f"{folder} has no list of its files.")
    try:
        bad = [file.name for file in mark.files if not _is_sound(folder / file.name, file, cancel, on_bytes)]
        for name in bad:
            (folder / name).unlink(missing_ok=True)
    except OSError as error:
        raise ModelError(
            "The model cannot be checked", f"{error.filename or folder}: {error.strerror or error}."
        ) from error
    if bad:
        raise ModelError(
            "The model is damaged",
            f"Missing or with a wrong checksum, and removed: {', '.join(bad)}. Download only that again "
            f"with: lectern models get {mark.hub_id}",
        )
    return mark


def _is_sound(path: Path, file: HubFile, cancel: CancelToken, on_bytes: OnBytes | None) -> bool:
    return has_full_size(path, file) and has_digest(path, file, cancel, on_bytes)
