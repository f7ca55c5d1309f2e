"""The KV of documents on disk: mapped when it is there, written beside the reading when it is not."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace

from core.document_caches.folder import CacheFolder
from core.document_caches.manifest import Manifest, ResumePoint, key_of
from core.document_caches.recorder import Chunk, Recorder
from core.document_caches.shelf import CacheShelf
from core.errors import DamagedCacheError, LecternError
from core.kv.cache import TieredCache
from core.kv.snapshot import CannotSnapshotError, digests_as_bytes, state_bytes, take_state
from core.kv.sparse import SparseSettings
from core.models.loader import LoadedModel
from core.prefix_identity import JsonObject
from core.prefix_notes import (
    BUSY_NOTE,
    DAMAGED_NOTE,
    DIGESTS_NOTE,
    FAILED_NOTE,
    FULL_NOTE,
    OTHER_VERSION_NOTE,
    no_room_note,
)
from core.prefix_restore import layouts_of, restored, restored_digests

_STATE_SHARE = 25
"""States may take one byte for so many bytes of blocks, but for those at the end and where reading stops."""


class PrefixCache:
    """What is on disk of one sequence of documents; also what is not there, if `shelf` is None.

    `open` comes first. `record` is called after each chunk, `pause` when reading stops before its end.
    Trouble with the disk never stops the reading: it becomes a note.
    """

    def __init__(
        self,
        loaded: LoadedModel,
        shelf: CacheShelf | None,
        identity: JsonObject | None,
        documents: Sequence[str],
        num_tokens: int,
    ) -> None:
        """`identity` None stands for what cannot be told apart and is not kept."""
        self._loaded = loaded
        self._shelf = shelf if identity is not None else None
        self._identity = identity or {}
        self._documents, self._total_tokens = tuple(documents), num_tokens
        self._key = key_of(self._identity)
        self._lock = self._shelf.lock(self._key) if self._shelf is not None else None
        self._manifest: Manifest | None = None
        self._recorder: Recorder | None = None
        self._may_write = False
        self._num_blocks, self._last_point, self._bytes_since_state = 0, 0, 0
        self._notes: dict[str, None] = {}

    @property
    def disk_bytes(self) -> int:
        """What the cache takes on the disk now."""
        return self._folder.size_bytes if self._shelf is not None else 0

    @property
    def num_bytes_written(self) -> int:
        return self._recorder.num_bytes_written if self._recorder is not None else 0

    def take_notes(self) -> tuple[str, ...]:
        """What the user should know and has not been told yet."""
        self._look_after_recorder()
        notes = tuple(self._notes)
        self._notes = {}
        return notes

    def open(self, cache: TieredCache) -> bool:
        """Put `cache`, which is empty, where reading had come to; False if nothing usable is there.

        Whatever was open before is closed first.
        """
        self.close()
        self._manifest = None
        self._num_blocks, self._last_point, self._bytes_since_state = 0, 0, 0
        if self._shelf is None or self._lock is None:
            return False
        try:
            if self._lock.try_shared():
                if self._open_as_reader(cache):
                    return True
                if self._lock.try_exclusive():
                    return self._open_as_writer(cache)
        except DamagedCacheError:
            self.forget(cache)
            return False
        except OSError as error:
            self._notes[FAILED_NOTE.format(reason=error.strerror)] = None
            return False
        self._notes[BUSY_NOTE] = None
        return False

    def record(self, cache: TieredCache) -> None:
        """Keep what the last chunk has added."""
        if not self._may_write or not self._is_writing(cache):
            return
        is_end = cache.num_tokens == self._total_tokens
        try:
            self._add(cache, must_be_point=is_end)
        except CannotSnapshotError as error:
            self._notes[FAILED_NOTE.format(reason=str(error))] = None
            self._may_write = False

    def pause(self, cache: TieredCache) -> None:
        """Reading stops here: let this be a place where it can go on."""
        if self._recorder is None or not self._may_write or cache.num_tokens == self._last_point:
            return
        try:
            self._add(cache, must_be_point=True)
        except (CannotSnapshotError, RuntimeError):  # a device that has failed gives no states away
            self._may_write = False

    def decode_sparsely(self, cache: TieredCache, settings: SparseSettings) -> None:
        """As `TieredCache.decode_sparsely`, with the digests from the disk if they are there."""
        if self._manifest is not None and self._manifest.digests is not None:
            try:
                data = self._folder.read_side(self._manifest.digests)
                cache.decode_sparsely(settings, digests=restored_digests(data, cache))
                return
            except DamagedCacheError:
                self._notes[DIGESTS_NOTE] = None
                self._manifest = replace(self._manifest, digests=None)
        cache.decode_sparsely(settings)
        is_complete = self._manifest is not None and self._manifest.is_complete
        if self._recorder is None and self._manifest is not None and is_complete and cache.is_sparse:
            self._write_on(self._manifest)
        if self._recorder is not None and self._may_write and cache.is_sparse:
            self._recorder.add_digests(digests_as_bytes(cache))

    def forget(self, cache: TieredCache) -> None:
        """What is on the disk is wrong: empty `cache`, which may be a map of it, and remove it."""
        cache.empty()
        self._notes[DAMAGED_NOTE] = None
        self._stop_recording()
        self._manifest, self._may_write = None, False
        self._num_blocks, self._last_point, self._bytes_since_state = 0, 0, 0
        if self._shelf is None or self._lock is None or not self._lock.try_exclusive():
            return
        try:
            self._shelf.remove_locked(self._key)
        except LecternError:
            return
        self._may_write = True

    def write_beside(self, name: str, data: bytes) -> None:
        """Keep something small of this sequence that can be made again; without a place for it, do not."""
        if self._shelf is not None and self._folder.path.is_dir():
            with suppress(OSError):
                self._folder.write_beside(name, data)

    def read_beside(self, name: str) -> bytes | None:
        return self._folder.read_beside(name) if self._shelf is not None else None

    def drain(self) -> None:
        """Wait until all that was read is on the disk."""
        if self._recorder is not None:
            self._recorder.drain()

    def close(self) -> None:
        """Write what is left and let go of the disk."""
        self._stop_recording()
        self._may_write = False
        if self._lock is not None:
            self._lock.release()

    @property
    def _folder(self) -> CacheFolder:
        assert self._shelf is not None
        return self._shelf.folder(self._key)

    def _open_as_reader(self, cache: TieredCache) -> bool:
        """Beside others that read: what they map is complete."""
        manifest = self._folder.manifest()
        if manifest is None or not manifest.is_complete:
            return False
        self._restore(cache, manifest)
        return True

    def _open_as_writer(self, cache: TieredCache) -> bool:
        """What another program may have left unfinished, up to the last place that is whole."""
        assert self._shelf is not None
        self._may_write = True
        manifest = self._folder.manifest()
        if manifest is None:
            if self._shelf.has_other_version_of(self._documents):
                self._notes[OTHER_VERSION_NOTE] = None
            self._shelf.remove_locked(self._key)
            return False
        checked_from = None
        for point in self._folder.later_points(manifest):
            later = replace(manifest, point=point)
            if self._has_arrived(later, manifest.num_blocks):
                checked_from, manifest = manifest.num_blocks, later
                break
        self._folder.require_sizes(manifest)
        self._folder.begin_at(manifest)
        self._restore(cache, manifest, checked_from)
        return True

    def _has_arrived(self, manifest: Manifest, first: int) -> bool:
        """Whether all from row `first` on reached the disk before the machine went down, if it did."""
        state = manifest.point.state
        try:
            self._folder.require_sizes(manifest)
            self._folder.require_blocks(manifest, first=first)
            if state is not None:
                self._folder.read_side(state)
        except DamagedCacheError:
            return False
        return True

    def _restore(self, cache: TieredCache, manifest: Manifest, checked_from: int | None = None) -> None:
        assert self._shelf is not None
        if manifest.identity != self._identity or manifest.total_tokens != self._total_tokens:
            raise DamagedCacheError.of("it is that of another document or another model")
        restored(cache, self._loaded, self._folder, manifest, checked_from=checked_from)
        self._shelf.touch(self._key)
        self._manifest = manifest
        self._num_blocks, self._last_point = manifest.num_blocks, manifest.point.num_tokens

    def _is_writing(self, cache: TieredCache) -> bool:
        """Start writing at the first chunk if there is room; False once that has failed."""
        self._look_after_recorder()
        if self._recorder is None and self._may_write:
            manifest = self._manifest or self._new_manifest(cache)
            if self._has_room(manifest):
                self._write_on(manifest)
        return self._recorder is not None and self._may_write

    def _has_room(self, manifest: Manifest) -> bool:
        assert self._shelf is not None
        whole = manifest.total_tokens // manifest.block_tokens - manifest.num_blocks
        needed = whole * sum(layer.block_bytes for layer in manifest.layers)
        if self._shelf.make_room(needed, keep=self._key):
            return True
        self._notes[no_room_note(self._shelf, needed, self._key)] = None
        self._may_write = False
        return False

    def _write_on(self, manifest: Manifest) -> None:
        assert self._lock is not None
        if not self._lock.try_exclusive():
            self._lock.try_shared()
            return
        try:
            self._folder.path.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            self._notes[FAILED_NOTE.format(reason=error.strerror)] = None
            self._may_write = False
            return
        self._may_write = True
        self._recorder = Recorder(self._folder, manifest, on_complete=self._lock.try_shared)

    def _new_manifest(self, cache: TieredCache) -> Manifest:
        return Manifest(
            identity=self._identity,
            model=self._loaded.name,
            documents=self._documents,
            total_tokens=self._total_tokens,
            block_tokens=cache.store.settings.block_tokens,
            layers=layouts_of(cache),
            point=ResumePoint(0),
        )

    def _add(self, cache: TieredCache, *, must_be_point: bool) -> None:
        assert self._recorder is not None
        rows = []
        for layer in cache.tiered_layers:
            if layer.tiers is not None:
                pieces = layer.tiers.host_rows(layer.blocks[self._num_blocks :])
                rows.append([piece.numpy().data.cast("B") for piece in pieces])
        size, num_bytes = state_bytes(cache), sum(piece.nbytes for pieces in rows for piece in pieces)
        self._bytes_since_state += num_bytes
        is_point = must_be_point or size * _STATE_SHARE <= self._bytes_since_state
        state = take_state(cache) if is_point and size else None
        if must_be_point and any(layer.was_cut for layer in cache.store.layers):
            self._recorder.note_cut()
        self._recorder.add(Chunk(cache.num_tokens, rows, is_point, state))
        self._num_blocks = cache.num_tokens // cache.store.settings.block_tokens
        if is_point:
            self._last_point, self._bytes_since_state = cache.num_tokens, 0

    def _look_after_recorder(self) -> None:
        if self._recorder is None or self._recorder.error is None:
            return
        reason = self._recorder.error.strerror or str(self._recorder.error)
        note = FULL_NOTE if self._recorder.is_disk_full else FAILED_NOTE.format(reason=reason)
        self._notes[note] = None
        self._stop_recording()
        self._may_write = False

    def _stop_recording(self) -> None:
        if self._recorder is not None:
            self._recorder.close()
            self._recorder = None
