"""Writes a document cache beside the work: a thread of its own takes chunks in order."""

import errno
import logging
import queue
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from core.document_caches.checksums import block_checksum
from core.document_caches.folder import DIGESTS_NAME, CacheFolder, state_name
from core.document_caches.manifest import Manifest, ResumePoint

SAFE_EVERY_S = 5.0
_MOST_SYNCING = 0.1
_CLOSE_TIMEOUT_S = 30.0
_FULL = (errno.ENOSPC, errno.EDQUOT) if hasattr(errno, "EDQUOT") else (errno.ENOSPC,)

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Chunk:
    """What reading has added. `rows` holds for each layer of the manifest the bytes of its new blocks, in
    pieces of whole blocks; they must stay as they are. `state` belongs to a resume point at `num_tokens`;
    without a point the next chunk's is waited for.
    """

    num_tokens: int
    rows: Sequence[Sequence[memoryview]]
    is_resume_point: bool
    state: Callable[[], bytes] | None = None


class Recorder:
    """Appends chunks to a cache folder whose manifest says where it stands.

    Nothing waits for the disk: what is to be written lies in memory anyway. The first error ends the writing
    for good (`error`) and leaves the cache at its last resume point.
    """

    def __init__(self, folder: CacheFolder, manifest: Manifest, on_complete: Callable[[], object]) -> None:
        """The manifest of a new cache has its point at 0 tokens and is not on the disk yet.

        `on_complete` is called in the thread once all is safe on the disk.
        """
        self._folder = folder
        self._manifest = manifest
        self._on_complete = on_complete
        self._num_blocks = manifest.num_blocks
        self._safe_at, self._sync_seconds = float("-inf"), 0.0
        self._jobs: queue.SimpleQueue[Callable[[], None] | None] = queue.SimpleQueue()
        self._gives_up = threading.Event()
        self.error: OSError | None = None
        self.num_bytes_written = 0
        self._thread = threading.Thread(target=self._run, name="lectern-document-cache", daemon=True)
        self._thread.start()

    @property
    def is_disk_full(self) -> bool:
        return self.error is not None and self.error.errno in _FULL

    def add(self, chunk: Chunk) -> None:
        self._put(lambda: self._write(chunk))

    def add_digests(self, make: Callable[[], bytes]) -> None:
        """For a cache that is complete when its turn comes."""
        self._put(lambda: self._write_digests(make()))

    def note_cut(self) -> None:
        """Keys or values were beyond the range of their type; the manifest will say so."""
        self._put(self._write_cut)

    def drain(self) -> None:
        """Wait until everything that was added is written."""
        done = threading.Event()
        self._jobs.put(done.set)
        while self._thread.is_alive() and not done.wait(0.05):
            pass

    def close(self, timeout_s: float = _CLOSE_TIMEOUT_S) -> None:
        """Write what is left; after `timeout_s` the cache ends at the last resume point that is written."""
        self._jobs.put(None)
        self._thread.join(timeout_s)
        self._gives_up.set()
        self._thread.join()

    def _put(self, work: Callable[[], None]) -> None:
        self._jobs.put(lambda: self._try(work))

    def _run(self) -> None:
        while (job := self._jobs.get()) is not None:
            job()
            del job  # it holds memory of the tiers

    def _try(self, work: Callable[[], None]) -> None:
        if self._gives_up.is_set():
            return
        try:
            work()
        except OSError as error:
            _log.warning("the document cache is not written any further", exc_info=True)
            self.error = error
            self._gives_up.set()

    def _write(self, chunk: Chunk) -> None:
        sums: list[list[int]] = []
        for layer, pieces in zip(self._manifest.layers, chunk.rows, strict=True):
            if self._gives_up.is_set():
                return
            layer_sums: list[int] = []
            for piece in pieces:
                for row in range(0, piece.nbytes, layer.block_bytes):
                    data = piece[row : row + layer.block_bytes]
                    layer_sums.append(
                        block_checksum(data, layer.layer_idx, self._num_blocks + len(layer_sums))
                    )
            self._folder.append_block_rows(layer.layer_idx, list(pieces))
            self.num_bytes_written += sum(piece.nbytes for piece in pieces)
            sums.append(layer_sums)
        records = [list(record) for record in zip(*sums, strict=True)]
        self._folder.append_sums(records)
        self._num_blocks += len(records)
        if chunk.is_resume_point:
            self._mark(chunk)

    def _mark(self, chunk: Chunk) -> None:
        state = None
        if chunk.state is not None:
            data = chunk.state()
            state = self._folder.write_side(state_name(chunk.num_tokens), data)
            self.num_bytes_written += len(data)
        point = ResumePoint(chunk.num_tokens, state)
        is_last = chunk.num_tokens == self._manifest.total_tokens
        pause = max(SAFE_EVERY_S, self._sync_seconds / _MOST_SYNCING)
        if not is_last and time.monotonic() - self._safe_at < pause:
            self._folder.append_progress(point)
            return
        self._make_safe(replace(self._manifest, point=point))
        if is_last:
            self._on_complete()

    def _make_safe(self, manifest: Manifest) -> None:
        started = time.monotonic()
        self._folder.make_safe(manifest)
        self._manifest = manifest
        self._safe_at = time.monotonic()
        self._sync_seconds = self._safe_at - started

    def _write_digests(self, data: bytes) -> None:
        if self._manifest.is_complete:
            side = self._folder.write_side(DIGESTS_NAME, data)
            self.num_bytes_written += len(data)
            self._make_safe(replace(self._manifest, digests=side))

    def _write_cut(self) -> None:
        self._manifest = replace(self._manifest, was_cut=True)
