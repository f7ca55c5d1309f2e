"""Documents read once are read for good: every kind of layer, every way of stopping, to the bit."""

import os
import signal
import subprocess
import sys
from functools import cache
from pathlib import Path
from types import SimpleNamespace

import pytest
import torch

from core.attention.tiered import register
from core.bench.tiny_models import VOCAB_SIZE, tiny_model
from core.cancel import CancelToken
from core.document_caches.shelf import CacheShelf
from core.generation.prefill import prefill
from core.generation.runner import ModelRunner
from core.kv import sparse
from core.kv.cache import TieredCache
from core.kv.sparse import SparseSettings
from core.kv.store import KvSettings, KvStore
from core.kv.window import WindowSettings
from core.prefix_cache import PrefixCache
from core.prefix_notes import BUSY_NOTE, DIGESTS_NOTE, FULL_NOTE, QUOTA_NOTE, SPACE_NOTE
from tests.core.kv.adversary import AdversarialExecutor

register()

TOKEN_IDS = torch.randint(3, VOCAB_SIZE, (200,), generator=torch.Generator().manual_seed(7)).tolist()
CHUNK = 40
BLOCK = 16
KINDS = ["llama", "qwen3_5_text", "gemma3_text", "gemma4_text", "lfm2", "deepseek_v3"]


class Reader:
    """One life of a program: a model, its tiers, and one document on a shelf."""

    def __init__(
        self,
        kind: str,
        shelf: CacheShelf,
        *,
        kv: KvSettings | None = None,
        executor: AdversarialExecutor | None = None,
    ) -> None:
        model = tiny_model(kind, attention="tiered")
        self.runner = ModelRunner(model)
        kv = kv or KvSettings(block_tokens=BLOCK, hot_budget_bytes=1 << 14)
        num_tiered = len(TieredCache(model.config).tiered_layers)
        self.store = KvStore(kv, num_tiered, executor)
        loaded = SimpleNamespace(name=kind, device=torch.device("cpu"), sharding=None)
        identity = {"kind": kind, "codec": kv.codec}
        self.disk = PrefixCache(loaded, shelf, identity, ["lease.pdf"], len(TOKEN_IDS))  # type: ignore[arg-type]
        self.cache = TieredCache(model.config, self.store)
        self.is_reopened = self.disk.open(self.cache)
        self.num_reopened = self.cache.num_tokens

    def read(self, num_tokens: int | None = None) -> "Reader":
        """Read on to the end, or stop in the way of a cancel once there are `num_tokens`."""
        reading = prefill(self.runner, self.cache, TOKEN_IDS, chunk_tokens=CHUNK, cancel=CancelToken())
        for progress in reading:
            self.disk.record(self.cache)
            if num_tokens is not None and progress.done >= num_tokens:
                break
        self.disk.pause(self.cache)
        return self

    def next_logits(self, branch: TieredCache | None = None) -> torch.Tensor:
        """What comes after what was read, over a question of some tokens and three tokens of an answer."""
        branch = branch or self.cache.branch()
        logits = [self.runner.step(torch.tensor(TOKEN_IDS[:9]), branch)]
        logits += [self.runner.step(torch.tensor([token]), branch) for token in (5, 9, 17)]
        branch.close()
        return torch.stack(logits)

    def close(self) -> None:
        self.disk.close()
        self.cache.close()
        assert self.store.cold_bytes == self.store.disk_bytes == self.store.hot_bytes == 0
        self.store.check_integrity()


@pytest.fixture
def shelf(tmp_path: Path) -> CacheShelf:
    return CacheShelf(tmp_path / "caches", quota_bytes=1 << 30)


@cache
def uninterrupted(kind: str) -> torch.Tensor:
    reader = Reader(kind, None)  # type: ignore[arg-type]
    logits = reader.read().next_logits()
    reader.close()
    return logits


@pytest.mark.parametrize("kind", ["llama", "lfm2"])
def test_reopening_gives_the_same_to_the_bit_and_computes_nothing(kind: str, shelf: CacheShelf) -> None:
    expected = uninterrupted(kind)
    first = Reader(kind, shelf)
    assert not first.is_reopened
    first.read()
    kv_bytes = first.store.cold_bytes
    first.disk.drain()
    written = first.disk.num_bytes_written
    first.close()
    again = Reader(kind, shelf)
    assert again.num_reopened == len(TOKEN_IDS)
    assert (again.store.cold_bytes, again.store.disk_bytes) == (0, kv_bytes), "mapped, not read"
    assert torch.equal(again.read().next_logits(), expected)
    assert again.runner.num_computed_tokens == 12, "question and answer"
    folder = again.disk._folder
    blocks = sum(path.stat().st_size for path in folder.path.glob("*.blocks"))
    state = next(folder.path.glob("state-*")).stat().st_size
    assert blocks == kv_bytes, "each byte of KV is written once"
    assert written - kv_bytes <= 2 * state, "beside the state at the end one on the way"
    again.close()


@pytest.mark.parametrize(("kind", "stop"), [*((kind, 120) for kind in KINDS), ("llama", 40)])
def test_a_cancel_goes_on_where_it_stopped_to_the_bit(kind: str, stop: int, shelf: CacheShelf) -> None:
    first = Reader(kind, shelf)
    first.read(stop)
    first.close()
    again = Reader(kind, shelf)
    assert again.num_reopened == stop
    assert torch.equal(again.read().next_logits(), uninterrupted(kind))
    assert again.runner.num_computed_tokens == len(TOKEN_IDS) - stop + 12
    again.close()
    third = Reader(kind, shelf)
    assert third.num_reopened == len(TOKEN_IDS)
    assert torch.equal(third.next_logits(), uninterrupted(kind))
    third.close()


@pytest.mark.parametrize("codec", ["int8", "k8v4", "int4"])
def test_encoded_blocks_come_back_as_they_were(codec: str, shelf: CacheShelf) -> None:
    kv = KvSettings(block_tokens=BLOCK, codec=codec, dtype=torch.bfloat16, hot_budget_bytes=1 << 13)
    first = Reader("qwen3", shelf, kv=kv)
    expected = first.read().next_logits()
    first.close()
    again = Reader("qwen3", shelf, kv=kv)
    assert torch.equal(again.next_logits(), expected)
    again.close()


def test_mapped_blocks_stream_to_a_device_as_others_do(shelf: CacheShelf) -> None:
    first = Reader("llama", shelf)
    expected = first.read().next_logits()
    first.close()
    again = Reader("llama", shelf, executor=AdversarialExecutor(3))
    assert torch.equal(again.next_logits(), expected)
    again.close()


def test_a_window_sees_the_same_after_reopening(shelf: CacheShelf) -> None:
    def view(reader: Reader) -> Reader:
        reader.cache.attend_within(WindowSettings(48))
        return reader

    first = view(Reader("llama", shelf))
    expected = first.read().next_logits()
    first.close()
    again = view(Reader("llama", shelf))
    assert torch.equal(again.next_logits(), expected)
    assert not torch.equal(expected, uninterrupted("llama"))
    again.close()


def test_digests_are_kept_and_keys_are_not_read_for_them(
    shelf: CacheShelf, monkeypatch: pytest.MonkeyPatch
) -> None:
    choice = SparseSettings(budget=32, sinks=16, recent=16, unit=16, dense_layers=1)
    first = Reader("llama", shelf)
    first.read()
    first.disk.decode_sparsely(first.cache, choice)
    expected = first.next_logits()
    first.close()

    def unwanted(*_: object) -> None:
        raise AssertionError("all keys would be read")

    monkeypatch.setattr(sparse, "digest_of", unwanted)
    again = Reader("llama", shelf)
    again.disk.decode_sparsely(again.cache, choice)
    assert torch.equal(again.next_logits(), expected)
    again.close()


@pytest.mark.skipif(sys.platform != "linux", reason="reads what Linux tells of a process's memory")
@pytest.mark.parametrize("kind", ["llama", "deepseek_v3"])
def test_sparse_mode_keeps_nothing_of_the_file_in_memory(kind: str, shelf: CacheShelf) -> None:
    Reader(kind, shelf).read().close()
    again = Reader(kind, shelf)
    folder = shelf.folder(shelf.entries()[0].key)
    paths = [folder.blocks_path(index) for index in range(len(again.cache.layers))]
    again.next_logits()
    assert all(resident_bytes(path) > 0 for path in paths), "in exact mode what is read stays"
    choice = SparseSettings(budget=32, sinks=16, recent=16, unit=16, dense_layers=1)
    again.disk.decode_sparsely(again.cache, choice)
    again.next_logits()
    assert resident_bytes(paths[0]) > 0, "this layer reads everything each time"
    assert [resident_bytes(path) for path in paths[1:]] == [0] * (len(paths) - 1)
    again.close()


def resident_bytes(path: Path) -> int:
    """How much of a mapped file is in this process's memory, in bytes."""
    total, is_its = 0, False
    for line in Path("/proc/self/smaps").read_text().splitlines():
        words = line.split()
        if "-" in words[0] and not words[0].endswith(":"):
            is_its = line.endswith(str(path))
        elif is_its and words[0] == "Rss:":
            total += int(words[1]) * 1024
    return total


def test_a_document_read_exactly_gets_its_digests_once(
    shelf: CacheShelf, monkeypatch: pytest.MonkeyPatch
) -> None:
    choice = SparseSettings(budget=32, sinks=16, recent=16, unit=16, dense_layers=1)
    Reader("llama", shelf).read().close()
    second = Reader("llama", shelf)
    second.disk.decode_sparsely(second.cache, choice)
    second.close()
    monkeypatch.setattr(sparse, "digest_of", lambda _: pytest.fail("made a second time"))
    third = Reader("llama", shelf)
    third.disk.decode_sparsely(third.cache, choice)
    third.close()


def test_damaged_digests_are_made_anew_and_the_document_is_not_read_again(shelf: CacheShelf) -> None:
    choice = SparseSettings(budget=32, sinks=16, recent=16, unit=16, dense_layers=1)
    first = Reader("llama", shelf).read()
    first.disk.decode_sparsely(first.cache, choice)
    expected = first.next_logits()
    first.close()
    path = shelf.folder(shelf.entries()[0].key).path / "digests"
    path.write_bytes(path.read_bytes()[:-1] + b"?")
    again = Reader("llama", shelf)
    again.disk.decode_sparsely(again.cache, choice)
    assert torch.equal(again.next_logits(), expected)
    assert again.disk.take_notes() == (DIGESTS_NOTE,)
    again.close()
    shelf.verify(shelf.entries()[0].key)


def test_a_killed_program_goes_on_at_its_last_chunk(tmp_path: Path, repository: Path) -> None:
    script = (
        "import sys, time; from pathlib import Path\n"
        "from core.document_caches.shelf import CacheShelf\n"
        "from tests.core.test_prefix_cache import *\n"
        "reader = Reader('llama', CacheShelf(Path(sys.argv[1]), 1 << 30))\n"
        "ids, cancel = TOKEN_IDS, CancelToken()\n"
        "for p in prefill(reader.runner, reader.cache, ids, chunk_tokens=CHUNK, cancel=cancel):\n"
        "    reader.disk.record(reader.cache)\n"
        "    if p.done == 160: break\n"
        "reader.disk.drain()\n"
        "print('ready', flush=True); time.sleep(60)\n"
    )
    environment = os.environ | {"PYTHONPATH": str(repository)}
    with subprocess.Popen(
        [sys.executable, "-c", script, str(tmp_path)],
        stdout=subprocess.PIPE,
        text=True,
        cwd=repository,
        env=environment,
    ) as reading:
        assert reading.stdout is not None
        assert reading.stdout.readline().strip() == "ready"
        reading.send_signal(signal.SIGKILL)
    again = Reader("llama", CacheShelf(tmp_path, 1 << 30))
    assert again.num_reopened == 160
    assert torch.equal(again.read().next_logits(), uninterrupted("llama"))
    again.close()


@pytest.mark.parametrize("kind", ["llama", "gemma3_text"])
def test_without_a_last_word_reading_goes_on_at_the_last_snapshot(kind: str, shelf: CacheShelf) -> None:
    """Layers with states of their own have few snapshots; blocks after the last one are read again."""
    first = Reader(kind, shelf)
    for progress in prefill(first.runner, first.cache, TOKEN_IDS, chunk_tokens=CHUNK, cancel=CancelToken()):
        first.disk.record(first.cache)
        if progress.done == 160:
            break
    first.disk.drain()
    first.close()
    again = Reader(kind, shelf)
    assert again.num_reopened in range(0, 161, CHUNK)
    if kind == "llama":
        assert again.num_reopened == 160 - 160 % 80, "no tail every 80 tokens, and tails are dear here"
    assert torch.equal(again.read().next_logits(), uninterrupted(kind))
    again.close()


def test_a_full_disk_stops_no_reading(shelf: CacheShelf, monkeypatch: pytest.MonkeyPatch) -> None:
    from core.document_caches.folder import CacheFolder

    append = CacheFolder.append_block_rows
    calls = 0

    def until_full(self: CacheFolder, layer_idx: int, rows: list[memoryview]) -> None:
        nonlocal calls
        calls += 1
        if calls > 10:
            append(self, layer_idx, [rows[0][:5]])
            raise OSError(28, "No space left on device")
        append(self, layer_idx, rows)

    monkeypatch.setattr(CacheFolder, "append_block_rows", until_full)
    first = Reader("llama", shelf)
    assert torch.equal(first.read().next_logits(), uninterrupted("llama"))
    first.disk.drain()
    assert first.disk.take_notes() == (FULL_NOTE,)
    assert first.disk.take_notes() == (), "it is said once"
    first.close()
    monkeypatch.undo()
    again = Reader("llama", shelf)
    assert 0 < again.num_reopened < len(TOKEN_IDS)
    assert torch.equal(again.read().next_logits(), uninterrupted("llama"))
    again.close()


def test_a_second_reader_reads_without_writing(shelf: CacheShelf) -> None:
    writer = Reader("llama", shelf)
    writer.read(80)
    second = Reader("llama", shelf)
    assert not second.is_reopened
    assert second.disk.take_notes() == (BUSY_NOTE,)
    assert torch.equal(second.read().next_logits(), uninterrupted("llama"))
    writer.read()
    writer.disk.drain()
    third = Reader("llama", shelf)
    assert third.num_reopened == len(TOKEN_IDS), "complete: its writer is a reader now"
    assert torch.equal(third.next_logits(), writer.next_logits())
    for reader in (second, writer, third):
        reader.close()
    assert shelf.entries()[0].is_complete


def test_what_the_quota_does_not_allow_is_not_written(tmp_path: Path) -> None:
    small = CacheShelf(tmp_path / "caches", quota_bytes=1000)
    reader = Reader("llama", small)
    assert torch.equal(reader.read().next_logits(), uninterrupted("llama"))
    (note,) = reader.disk.take_notes()
    assert note.startswith(QUOTA_NOTE[:40])
    assert small.entries() == []
    reader.close()


def test_a_full_disk_is_not_called_a_quota(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    large = CacheShelf(tmp_path / "caches", quota_bytes=1 << 40)
    monkeypatch.setattr(large, "_free_bytes", lambda: 1 << 29)
    reader = Reader("llama", large)
    reader.read()
    assert reader.disk.take_notes() == (SPACE_NOTE.format(kept="1.0 GiB"),)
    assert large.entries() == []
    reader.close()


def test_numbers_that_were_cut_are_told_after_reopening(shelf: CacheShelf) -> None:
    first = Reader("llama", shelf)
    first.read(120)
    first.store.layers[0].remember_cut()
    first.read()
    first.close()
    again = Reader("llama", shelf)
    assert again.store.notes == first.store.notes
    again.close()
