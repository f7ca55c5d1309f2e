"""Document caches as files: what a crash leaves, who may write, and what goes when there is too much."""

import os
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from core.document_caches.checksums import block_checksum, pack_sums, unpack_sums
from core.document_caches.folder import CacheFolder
from core.document_caches.locks import FileLock
from core.document_caches.manifest import (
    MANIFEST_NAME,
    LayerLayout,
    Manifest,
    ResumePoint,
    read_manifest,
    write_manifest,
)
from core.document_caches.recorder import Chunk, Recorder
from core.document_caches.shelf import CacheShelf
from core.errors import DamagedCacheError, LecternError, UsageError

BLOCK_BYTES = 96
BLOCK_TOKENS = 4
LAYERS = tuple(LayerLayout(index, 1, 2, 2, BLOCK_BYTES, "float32", "cpu") for index in (1, 3))


def manifest_of(name: str, total_tokens: int = 40) -> Manifest:
    return Manifest(
        identity={"document": name},
        model="tiny",
        documents=(name,),
        total_tokens=total_tokens,
        block_tokens=BLOCK_TOKENS,
        layers=LAYERS,
        point=ResumePoint(0),
    )


def chunk(first: int, num_tokens: int, *, state: bytes | None = None) -> Chunk:
    """The blocks from token `first` on, each filled with a byte of its own."""
    rows = []
    for layer in LAYERS:
        blocks = range(first // BLOCK_TOKENS, num_tokens // BLOCK_TOKENS)
        data = b"".join(bytes([block * 10 + layer.layer_idx]) * BLOCK_BYTES for block in blocks)
        rows.append([memoryview(data)])
    return Chunk(num_tokens, rows, is_resume_point=True, state=(lambda: state) if state else None)


def write(shelf: CacheShelf, name: str, *ends: int, total_tokens: int = 40) -> CacheFolder:
    """A cache of `name` in chunks that end at `ends`, as a program that is killed then leaves it."""
    manifest = manifest_of(name, total_tokens)
    folder = shelf.folder(manifest.key)
    folder.path.mkdir(parents=True)
    recorder = Recorder(folder, manifest, on_complete=lambda: None)
    for first, end in zip((0, *ends), ends, strict=False):
        recorder.add(chunk(first, end, state=b"state at %d" % end))
    recorder.drain()
    assert recorder.error is None
    recorder.close()
    return folder


@pytest.fixture
def shelf(tmp_path: Path) -> CacheShelf:
    return CacheShelf(tmp_path / "caches", quota_bytes=1 << 30)


def newest(folder: CacheFolder) -> Manifest:
    manifest = folder.manifest()
    assert manifest is not None
    later = next(iter(folder.later_points(manifest)), None)
    return manifest if later is None else replace(manifest, point=later)


def test_every_chunk_is_a_place_to_go_on_before_the_next_sync(shelf: CacheShelf) -> None:
    folder = write(shelf, "lease", 8, 16, 24)
    manifest = folder.manifest()
    assert manifest is not None
    assert manifest.point.num_tokens == 8, "the first one is safe at once, the others wait for the next sync"
    assert [point.num_tokens for point in folder.later_points(manifest)] == [24, 16]
    last = newest(folder)
    assert last.point.state is not None
    assert folder.read_side(last.point.state) == b"state at 24"
    folder.require_blocks(last)


def test_the_end_is_safe_at_once(shelf: CacheShelf) -> None:
    folder = write(shelf, "lease", 16, 40)
    manifest = folder.manifest()
    assert manifest is not None
    assert manifest.is_complete
    assert list(folder.later_points(manifest)) == []
    assert sorted(path.name for path in folder.path.glob("state-*")) == ["state-40"], "older states are gone"
    shelf.verify(manifest.key)


@pytest.mark.parametrize("torn_bytes", [1, 17, 23])
def test_a_torn_record_is_no_place_to_go_on(shelf: CacheShelf, torn_bytes: int) -> None:
    folder = write(shelf, "lease", 8, 16, 24)
    progress = folder.path / "progress"
    os.truncate(progress, progress.stat().st_size - torn_bytes)
    assert newest(folder).point.num_tokens == 16


def test_what_came_after_the_last_point_is_cut_off(shelf: CacheShelf) -> None:
    folder = write(shelf, "lease", 8, 16)
    folder.append_block_rows(1, [memoryview(b"torn")])
    last = newest(folder)
    folder.begin_at(last)
    assert folder.manifest() == last
    assert folder.blocks_path(1).stat().st_size == 4 * BLOCK_BYTES
    recorder = Recorder(folder, last, on_complete=lambda: None)
    recorder.add(chunk(16, 40))
    recorder.close()
    assert shelf.verify(last.key).is_complete


def test_blocks_that_never_reached_the_disk_are_found(shelf: CacheShelf) -> None:
    """After a loss of power the record of a chunk may be there and its blocks not."""
    folder = write(shelf, "lease", 8, 16)
    path = folder.blocks_path(3)
    path.write_bytes(path.read_bytes()[: 3 * BLOCK_BYTES] + bytes(BLOCK_BYTES))
    last, manifest = newest(folder), folder.manifest()
    assert manifest is not None
    folder.require_blocks(manifest)
    with pytest.raises(DamagedCacheError, match="block 3 of layer 3"):
        folder.require_blocks(last, first=manifest.num_blocks)


def test_blocks_that_changed_places_are_found(shelf: CacheShelf) -> None:
    folder = write(shelf, "lease", 40)
    path = folder.blocks_path(1)
    data = path.read_bytes()
    path.write_bytes(data[BLOCK_BYTES : 2 * BLOCK_BYTES] + data[:BLOCK_BYTES] + data[2 * BLOCK_BYTES :])
    with pytest.raises(DamagedCacheError, match="block 0 of layer 1"):
        shelf.verify(manifest_of("lease").key)


def test_a_manifest_with_one_other_digit_is_damaged(tmp_path: Path) -> None:
    manifest = replace(manifest_of("lease"), point=ResumePoint(16))
    write_manifest(tmp_path, manifest)
    assert read_manifest(tmp_path) == manifest
    path = tmp_path / MANIFEST_NAME
    path.write_bytes(path.read_bytes().replace(b'"num_tokens": 16', b'"num_tokens": 12'))
    with pytest.raises(DamagedCacheError):
        read_manifest(tmp_path)


def test_another_format_is_not_read(tmp_path: Path) -> None:
    write_manifest(tmp_path, replace(manifest_of("lease"), point=ResumePoint(16)))
    path = tmp_path / MANIFEST_NAME
    path.write_bytes(path.read_bytes().replace(b'"format": 1', b'"format": 2'))
    with pytest.raises(DamagedCacheError):
        read_manifest(tmp_path)


def test_a_full_disk_ends_the_writing_and_keeps_what_is_whole(
    shelf: CacheShelf, monkeypatch: pytest.MonkeyPatch
) -> None:
    manifest = manifest_of("lease")
    folder = shelf.folder(manifest.key)
    folder.path.mkdir(parents=True)
    recorder = Recorder(folder, manifest, on_complete=lambda: None)
    recorder.add(chunk(0, 8))
    recorder.drain()

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(CacheFolder, "append_sums", full)
    recorder.add(chunk(8, 16))
    recorder.add(chunk(16, 24))
    recorder.drain()
    assert recorder.is_disk_full
    recorder.close()
    assert newest(folder).point.num_tokens == 8


def test_sums_are_packed_and_unpacked() -> None:
    sums = [0, 1, 2**32 - 1, block_checksum(b"abc", 1, 2)]
    assert unpack_sums(pack_sums(sums)) == sums


def test_a_writer_is_alone_and_readers_are_not(tmp_path: Path) -> None:
    first, second = FileLock(tmp_path / "lock"), FileLock(tmp_path / "lock")
    assert first.try_exclusive()
    assert not second.try_shared()
    assert not second.try_exclusive()
    assert first.try_shared(), "a writer that is done reads on"
    assert second.try_shared()
    assert not first.try_exclusive()
    first.release()
    second.release()
    assert first.try_exclusive()
    first.release()


def test_the_lock_of_a_killed_process_is_free(tmp_path: Path, repository: Path) -> None:
    script = (
        "import sys, time; from pathlib import Path; from core.document_caches.locks import FileLock\n"
        "lock = FileLock(Path(sys.argv[1])); print(lock.try_exclusive(), flush=True); time.sleep(60)"
    )
    path = tmp_path / "lock"
    with subprocess.Popen(
        [sys.executable, "-c", script, str(path)], stdout=subprocess.PIPE, text=True, cwd=repository
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline().strip() == "True"
        lock = FileLock(path)
        assert not lock.try_exclusive()
        holder.kill()
        holder.wait()
        assert lock.try_exclusive()
        lock.release()


def test_lists_tell_what_there_is(shelf: CacheShelf) -> None:
    write(shelf, "lease.pdf", 40)
    half = write(shelf, "offer.pdf", 16, 24)
    os.utime(half.path / MANIFEST_NAME, (1, 1))
    first, second = shelf.entries()
    assert (first.documents, first.num_tokens, first.is_complete) == (("lease.pdf",), 40, True)
    assert (second.documents, second.is_complete, second.last_used) == (("offer.pdf",), False, 1)
    assert first.size_bytes > 20 * BLOCK_BYTES
    assert shelf.find("lease.pdf") == shelf.find(first.key[:6]) == [first]
    with pytest.raises(UsageError):
        shelf.find("contract.pdf")


def test_a_cache_in_use_stays(shelf: CacheShelf) -> None:
    write(shelf, "lease", 40)
    key = manifest_of("lease").key
    lock = shelf.lock(key)
    assert lock.try_shared()
    with pytest.raises(LecternError, match="in use"):
        shelf.remove(key)
    lock.release()
    assert shelf.remove(key) > 0
    assert shelf.entries() == []
    assert [path.name for path in shelf.path.iterdir()] == ["locks"]


def test_the_longest_unused_goes_first(shelf: CacheShelf) -> None:
    names = ["a", "b", "c", "d"]
    for age, name in enumerate(names):
        folder = write(shelf, name, 40)
        os.utime(folder.path / MANIFEST_NAME, (time.time() - 100 + age,) * 2)
    size = shelf.entries()[0].size_bytes
    in_use = shelf.lock(manifest_of("a").key)
    assert in_use.try_shared()
    small = CacheShelf(shelf.path, quota_bytes=4 * size + size // 2)
    assert small.make_room(size, keep=manifest_of("b").key)
    assert sorted(entry.name for entry in small.entries()) == ["a", "b", "d"], "a is in use, b is kept"
    assert not small.make_room(5 * size, keep="new"), "more than the quota"
    assert len(small.entries()) == 3, "nothing goes for what does not fit anyway"
    in_use.release()


def test_the_quota_is_a_quarter_of_the_free_disk(shelf: CacheShelf) -> None:
    write(shelf, "lease", 40)
    free = CacheShelf(shelf.path)._free_bytes()
    assert CacheShelf(shelf.path).quota_bytes == pytest.approx(free / 4, rel=0.05)
