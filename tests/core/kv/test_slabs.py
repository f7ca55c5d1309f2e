"""The cold tier over every kind of host memory: bytes stay, slabs grow, all of it goes back."""

import random
from collections.abc import Callable
from pathlib import Path

import pytest

from core.cancel import CancelToken
from core.engine import open_model
from core.errors import DoesNotFitError
from core.events import Finished
from core.kv import host_memory
from core.kv.cold_tier import ColdTier
from core.kv.host_memory import HostMemory, HostRegion
from core.kv.numa import NearestNode
from core.settings import CPU_MEMORY_STRATEGIES, EngineSettings, SamplingSettings
from tests.core.test_engine import DOCUMENT

MIB = 1 << 20
NOTE = "The cache is not bound to one NUMA node: for a reason."


@pytest.mark.parametrize("strategy", CPU_MEMORY_STRATEGIES)
def test_a_random_life_keeps_every_byte_in_its_place(strategy: str, request: pytest.FixtureRequest) -> None:
    if strategy == "hugetlb":
        request.getfixturevalue("huge_pages")
    tier = ColdTier(40_000, HostMemory(strategy))
    rng = random.Random(strategy)
    held: dict[int, int] = {}
    for step in range(150):
        if held and rng.random() < 0.5:
            rows = rng.sample(sorted(held), k=rng.randint(1, len(held)))
            for row in rows:
                assert bool((tier.rows_tensor(row, 1) == held.pop(row)).all())
            tier.free(rows)
        else:
            for row in tier.allocate(rng.randint(1, 60)):
                held[row] = step % 251
                tier.rows_tensor(row, 1).fill_(held[row])
        tier.check_integrity()
    tier.free(sorted(held))
    assert tier.num_rows == 0


def test_a_long_document_needs_few_slabs_and_wastes_little(monkeypatch: pytest.MonkeyPatch) -> None:
    sizes: list[int] = []

    class Counting(HostMemory):
        def allocate(self, num_bytes: int) -> HostRegion:
            sizes.append(num_bytes)
            return super().allocate(num_bytes)

    monkeypatch.setattr(host_memory, "require_host_memory", lambda *_: None)  # nothing here is touched
    tier = ColdTier(256 << 10, Counting("mmap_anonymous"))
    rows: list[int] = []
    for _ in range(2816):
        rows += tier.allocate(1)
    assert len(sizes) < 60
    assert sum(sizes) < 1.13 * 2816 * (256 << 10)
    assert all(size % (2 * MIB) == 0 for size in sizes)
    assert rows == list(range(2816)), "a growing sequence lies in order"
    borders = [row for row in rows[1:] if not tier.are_neighbours(row - 1, row)]
    assert len(borders) == len(sizes) - 1
    tier.free(rows)


def test_a_cold_tier_that_cannot_grow_takes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    tier = ColdTier(1 << 18, HostMemory("mmap_anonymous"))
    kept = tier.allocate(5)

    def refuse_at_sixteen(*_: object) -> None:
        if tier.num_rows >= 16:
            raise DoesNotFitError("Not enough memory", "as the test wants it")

    monkeypatch.setattr(host_memory, "require_host_memory", refuse_at_sixteen)
    with pytest.raises(DoesNotFitError):
        tier.allocate(100)
    tier.check_integrity()
    assert (tier.num_used, tier.num_rows) == (5, 8)
    tier.free(kept)


def test_notes_reach_the_answer_and_a_closed_document_gives_everything_back(
    tiny_folder: Path, huge_pages: Callable[[], int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(host_memory, "nearest_node", lambda _: NearestNode(None, "for a reason"))
    num_free = huge_pages()
    settings = EngineSettings(
        model=str(tiny_folder),
        max_seq_len=2048,
        cpu_memory_strategy="hugetlb",
        cpu_memory_policy="numactl_bind",
        sampling=SamplingSettings(max_new_tokens=4),
    )
    with open_model(settings) as engine:
        session = engine.open_document([DOCUMENT])
        conversation = engine.converse(session)
        *_, finished = conversation.ask("What is the rent?", settings.sampling, CancelToken())
        assert isinstance(finished, Finished)
        assert huge_pages() < num_free
        assert engine.parts.store.notes == (NOTE,)
        assert NOTE in finished.warnings
        conversation.close()
        session.close()
        assert huge_pages() == num_free
