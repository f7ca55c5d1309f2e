"""A file of a model while it comes: kept when the transfer ends early, checked before it is used."""

import os
from collections.abc import Iterator
from pathlib import Path

from core.cancel import CancelToken
from core.catalogue.downloaded import HubFile, OnBytes, hash_file
from core.errors import ModelError

PART_SUFFIX = ".part"


def has_parts(folder: Path) -> bool:
    """Whether a download into `folder` began and did not come to its end."""
    return any(folder.glob("*" + PART_SUFFIX))


class PartFile:
    """A file on its way; its name holds the digest, so that it never goes on with another content."""

    def __init__(self, file: HubFile, folder: Path) -> None:
        self.file = file
        self.path = folder / f"{file.name}.{file.digest[:12]}{PART_SUFFIX}"
        self._target = folder / file.name
        self._hash = file.new_hash()
        self.num_bytes = self.path.stat().st_size if self.path.exists() else 0
        if self.num_bytes > file.size_bytes or not file.digest:
            self.restart()

    @property
    def is_whole(self) -> bool:
        return self.num_bytes == self.file.size_bytes

    def prime(self, cancel: CancelToken) -> None:
        """Hash what is there from an earlier attempt."""
        self._hash = self.file.new_hash()
        self.path.touch()
        hash_file(self.path, self._hash, cancel)

    def restart(self) -> None:
        self.path.write_bytes(b"")
        self._hash, self.num_bytes = self.file.new_hash(), 0

    def append(self, chunks: Iterator[bytes], on_bytes: OnBytes) -> None:
        """Write at once what comes: whatever ends the transfer, the file holds all that was counted."""
        with self.path.open("ab", buffering=0) as stream:
            for chunk in chunks:
                rest = memoryview(chunk)[: self.file.size_bytes - self.num_bytes]
                while rest:
                    num_written = stream.write(rest)
                    self._hash.update(rest[:num_written])
                    self.num_bytes += num_written
                    on_bytes(num_written)
                    rest = rest[num_written:]
            os.fsync(stream.fileno())

    def finish(self) -> None:
        """Move a sound file into place. A wrong one is removed. Raises `ModelError`."""
        if not self.file.is_digest(self._hash.hexdigest()):
            self.path.unlink()
            raise ModelError(
                "The download is damaged",
                f"{self.file.name} came with a wrong checksum and was removed. Run the command again: only "
                "this file is downloaded anew.",
            )
        self.path.replace(self._target)
