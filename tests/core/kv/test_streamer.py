"""Streaming under the worst executor that keeps its promises: copies come late, out of order, over NaN."""

import random

import pytest
import torch

from core.attention.tiered import register
from core.bench.tiny_models import tiny_model
from core.kv.executor import CudaExecutor, ImmediateExecutor
from core.kv.store import KvSettings, KvStore
from core.kv.streamer import Load, Streamer
from tests.core.kv.adversary import AdversarialExecutor
from tests.reference import logits_of_a_life

register()

LOAD_BYTES = 64


class PoisoningStreamer(Streamer):
    """Free slots hold NaN patterns: reading one too early or too late shows."""

    def _let_go(self, slot: object) -> None:
        super()._let_go(slot)  # type: ignore[arg-type]
        slot.memory.fill_(0xFF)  # type: ignore[attr-defined]


def host_blocks(count: int) -> list[torch.Tensor]:
    generator = torch.Generator().manual_seed(count)
    return [
        torch.randint(0, 200, (2, LOAD_BYTES // 2), dtype=torch.uint8, generator=generator)
        for _ in range(count)
    ]


def load_of(index: int, block: torch.Tensor) -> Load:
    return Load(index, LOAD_BYTES, lambda: [block[:1], block[1:]])


@pytest.mark.parametrize("num_slots", [1, 2, 3, 5])
@pytest.mark.parametrize("num_loads", [0, 1, 2, 3, 7, 16])
@pytest.mark.parametrize("seed", range(5))
def test_every_load_arrives_whole_whatever_the_order_of_copies(
    num_slots: int, num_loads: int, seed: int
) -> None:
    streamer = PoisoningStreamer(AdversarialExecutor(seed), torch.device("cpu"), LOAD_BYTES, num_slots)
    blocks = host_blocks(num_loads)
    loads = [load_of(index, block) for index, block in enumerate(blocks)]
    for _ in range(3):  # three forward passes over the same plan
        streamer.plan(loads)
        for load, block in zip(loads, blocks, strict=True):
            assert torch.equal(streamer.take(load), block.reshape(-1))
            streamer.check_integrity()
            streamer.give_back()


@pytest.mark.parametrize("num_slots", [1, 2, 3])
@pytest.mark.parametrize("seed", range(20))
def test_plans_that_turn_out_wrong_cost_time_not_truth(num_slots: int, seed: int) -> None:
    """Loads are skipped, repeated, taken in another order and replanned in the middle."""
    rng = random.Random(seed)
    streamer = PoisoningStreamer(AdversarialExecutor(seed), torch.device("cpu"), LOAD_BYTES, num_slots)
    blocks = host_blocks(9)
    loads = [load_of(index, block) for index, block in enumerate(blocks)]
    for _ in range(60):
        if rng.random() < 0.3:
            streamer.plan(rng.sample(loads, k=rng.randint(0, 9)))
        index = rng.randrange(9)
        assert torch.equal(streamer.take(loads[index]), blocks[index].reshape(-1))
        streamer.give_back()
        streamer.check_integrity()


def test_loads_are_under_way_before_they_are_asked_for() -> None:
    started: list[int] = []
    streamer = Streamer(ImmediateExecutor(), torch.device("cpu"), LOAD_BYTES, num_slots=3)
    blocks = host_blocks(6)

    def noting(index: int) -> Load:
        def pieces() -> list[torch.Tensor]:
            started.append(index)
            return [blocks[index]]

        return Load(index, LOAD_BYTES, pieces)

    loads = [noting(index) for index in range(6)]
    streamer.plan(loads)
    assert started == [0, 1, 2]
    streamer.take(loads[0])
    streamer.give_back()
    assert started == [0, 1, 2, 3]
    for load in loads[1:]:
        streamer.take(load)
        streamer.give_back()
    assert started == [0, 1, 2, 3, 4, 5], "each load is copied once"


@pytest.mark.gpu
@pytest.mark.parametrize("num_slots", [1, 2, 3])
def test_streams_and_events_on_a_gpu(num_slots: int) -> None:
    device = torch.device("cuda")
    size = 8 << 20
    blocks = [torch.full((size,), index + 1, dtype=torch.uint8).pin_memory() for index in range(7)]
    loads = [Load(index, size, lambda b=block: [b]) for index, block in enumerate(blocks)]
    streamer = Streamer(CudaExecutor(device), device, size, num_slots)
    for _ in range(20):
        streamer.plan(loads)
        sums = []
        for load in loads:
            sums.append(streamer.take(load).sum(dtype=torch.int64))
            streamer.give_back()
        assert [int(x) for x in sums] == [size * (index + 1) for index in range(7)]


@pytest.mark.parametrize("codec", ["none", "int4"])
@pytest.mark.parametrize("name", ["qwen3", "gemma4_text", "gpt_oss"])
def test_a_model_reads_the_same_through_late_copies(name: str, codec: str) -> None:
    """Prefill, decode and a branch: streamed by the adversary or read in place, no bit differs."""
    model = tiny_model(name, attention="tiered")

    def read(executor: AdversarialExecutor | None) -> torch.Tensor:
        store = KvStore(KvSettings(block_tokens=16, codec=codec, hot_budget_bytes=30_000), 4, executor)
        logits = logits_of_a_life(model, store)
        assert store.streams is (executor is not None)
        return logits

    expected = read(None)
    for seed in range(3):
        assert torch.equal(read(AdversarialExecutor(seed)), expected)
