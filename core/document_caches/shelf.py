"""All document caches of a user: what there is, what it takes, and what goes when it is too much."""

import os
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from core.cancel import CancelToken
from core.document_caches.folder import CacheFolder
from core.document_caches.locks import FileLock
from core.document_caches.manifest import MANIFEST_NAME, Manifest
from core.errors import DamagedCacheError, LecternError, OtherVersionCacheError, UsageError

_LOCKS = "locks"
_LEAVING = ".removed-"
_QUOTA_SHARE = 4
KEPT_FREE_BYTES = 1 << 30


@dataclass(frozen=True)
class CacheEntry:
    """One cache as lists show it. `last_used` is in seconds since 1970; a damaged one has no names.

    What another version of the program kept is not used and goes first when room is needed.
    """

    key: str
    documents: tuple[str, ...]
    model: str
    num_tokens: int
    total_tokens: int
    size_bytes: int
    last_used: float
    is_damaged: bool = False
    is_other_version: bool = False

    @property
    def is_complete(self) -> bool:
        is_usable = not (self.is_damaged or self.is_other_version)
        return is_usable and self.num_tokens == self.total_tokens

    @property
    def name(self) -> str:
        """The documents, or the key where they are not known."""
        return ", ".join(self.documents) or self.key


class CacheShelf:
    """The folder with one folder for each cache, named by its key.

    `quota_bytes` None is a quarter of what the disk would have free without the caches.
    """

    def __init__(self, path: Path, quota_bytes: int | None = None) -> None:
        self.path = path
        self._quota_bytes = quota_bytes

    @property
    def quota_bytes(self) -> int:
        if self._quota_bytes is not None:
            return self._quota_bytes
        return (self._free_bytes() + self.used_bytes) // _QUOTA_SHARE

    @property
    def used_bytes(self) -> int:
        return sum(CacheFolder(path).size_bytes for path in self._folders())

    def folder(self, key: str) -> CacheFolder:
        return CacheFolder(self.path / key)

    def lock(self, key: str) -> FileLock:
        """The lock of a cache; it lies beside it, so that it outlives it."""
        return FileLock(self.path / _LOCKS / key)

    def entries(self) -> list[CacheEntry]:
        """All caches, the most recently used first."""
        return sorted(map(_entry, self._folders()), key=lambda entry: entry.last_used, reverse=True)

    def find(self, name: str) -> list[CacheEntry]:
        """The caches whose key begins with `name` or that hold a document of that name.

        Raises `UsageError` if there are none.
        """
        found = [entry for entry in self.entries() if entry.key.startswith(name) or name in entry.documents]
        if not found:
            raise UsageError(
                "No such document cache", f"{name!r} is none; `lectern caches list` shows which there are."
            )
        return found

    def has_other_version_of(self, documents: Sequence[str]) -> bool:
        """Whether another version of the program kept documents of these names, in this order."""
        return any(entry.is_other_version and entry.documents == tuple(documents) for entry in self.entries())

    def remove(self, key: str) -> int:
        """Remove a cache; the bytes that it took. Raises `LecternError` if it is in use."""
        lock = self.lock(key)
        if not lock.try_exclusive():
            raise LecternError(
                "The document cache is in use",
                "A program is reading or writing it now. Close the document there and try again.",
            )
        try:
            return self.remove_locked(key)
        finally:
            lock.release()

    def remove_locked(self, key: str) -> int:
        """The same for the holder of the lock. The name goes first, so that no half of it is ever found."""
        folder = self.folder(key)
        size_bytes = folder.size_bytes
        self._sweep()
        try:
            folder.path.rename(self.path / f"{_LEAVING}{key}")
        except FileNotFoundError:
            return 0
        except OSError as error:
            raise LecternError(
                "The document cache cannot be removed", f"The system refused it ({error.strerror})."
            ) from error
        self._sweep()
        return size_bytes

    def verify(self, key: str, cancel: CancelToken | None = None) -> Manifest:
        """Check everything that a cache holds.

        Raises `DamagedCacheError` for the first thing that is wrong, `LecternError` while it is written.
        """
        lock, folder = self.lock(key), self.folder(key)
        if not lock.try_shared():
            raise LecternError("The document cache is in use", "It is being written now. Try again later.")
        try:
            manifest = folder.manifest()
            if manifest is None or manifest.key != key:
                raise DamagedCacheError.of("it has no manifest of its own")
            folder.require_sizes(manifest)
            for side in (manifest.point.state, manifest.digests):
                if side is not None:
                    folder.read_side(side)
            folder.require_blocks(manifest, cancel=cancel)
        finally:
            lock.release()
        return manifest

    def make_room(self, needed_bytes: int, keep: str) -> bool:
        """Let caches go until `needed_bytes` more fit; never `keep`, never one in use.

        Those of other versions go first, then the longest unused ones. False, and nothing is removed, if they
        cannot fit.
        """
        entries = self.entries()
        used = sum(entry.size_bytes for entry in entries)
        own = sum(entry.size_bytes for entry in entries if entry.key == keep)
        quota, free = self.quota_bytes, self._free_bytes()
        if own + needed_bytes > quota or needed_bytes + KEPT_FREE_BYTES > free + used - own:
            return False
        for entry in sorted(entries, key=lambda entry: (not entry.is_other_version, entry.last_used)):
            if used + needed_bytes <= quota and needed_bytes + KEPT_FREE_BYTES <= free:
                return True
            if entry.key == keep:
                continue
            try:
                removed = self.remove(entry.key)
            except LecternError:
                continue
            used, free = used - removed, free + removed
        return used + needed_bytes <= quota and needed_bytes + KEPT_FREE_BYTES <= free

    def is_within_quota(self, needed_bytes: int, keep: str) -> bool:
        """Whether `keep` may grow by so much if all others go; the disk may still have no room for it."""
        return self.folder(keep).size_bytes + needed_bytes <= self.quota_bytes

    def touch(self, key: str) -> None:
        """This cache is used now."""
        try:
            os.utime(self.path / key / MANIFEST_NAME)
        except OSError:
            return

    def _sweep(self) -> None:
        """Delete what was renamed to be removed, here or by a program that ended in the middle of it."""
        for leaving in self.path.glob(f"{_LEAVING}*"):
            shutil.rmtree(leaving, ignore_errors=True)

    def _folders(self) -> Iterator[Path]:
        try:
            entries = sorted(os.scandir(self.path), key=lambda entry: entry.name)
        except OSError:
            return
        for entry in entries:
            if entry.is_dir() and entry.name != _LOCKS and not entry.name.startswith(_LEAVING):
                yield Path(entry.path)

    def _free_bytes(self) -> int:
        for place in (self.path, *self.path.absolute().parents):
            try:
                return shutil.disk_usage(place).free
            except FileNotFoundError:
                continue
            except OSError:
                break
        return 0


def _entry(path: Path) -> CacheEntry:
    folder, last_used = CacheFolder(path), _time_of(path)
    manifest = None
    try:
        manifest = folder.manifest()
    except OtherVersionCacheError as error:
        return CacheEntry(
            path.name, error.documents, "", 0, 0, folder.size_bytes, last_used, is_other_version=True
        )
    except DamagedCacheError:
        pass
    if manifest is None:
        return CacheEntry(path.name, (), "", 0, 0, folder.size_bytes, last_used, is_damaged=True)
    return CacheEntry(
        key=path.name,
        documents=manifest.documents,
        model=manifest.model,
        num_tokens=manifest.point.num_tokens,
        total_tokens=manifest.total_tokens,
        size_bytes=folder.size_bytes,
        last_used=last_used,
    )


def _time_of(path: Path) -> float:
    for candidate in (path / MANIFEST_NAME, path):
        try:
            return candidate.stat().st_mtime
        except OSError:
            continue
    return 0.0
