"""The pools: rows are free or used, memory comes and goes, slots in flight are safe."""

import random
from itertools import pairwise

import pytest
import torch

from core.errors import DoesNotFitError
from core.kv.block import BlockShape
from core.kv.codec import Codec
from core.kv.cold_tier import ColdTier
from core.kv.hot_tier import HotTier
from core.kv.migrator import Migrator
from core.kv.policy import evictions, recent_window
from core.kv.traffic import TrafficMeter

SHAPE = BlockShape(num_kv_heads=2, k_dim=8, v_dim=4, dtype=torch.float32, num_tokens=4)


def test_a_random_life_keeps_the_cold_tier_whole() -> None:
    tier = ColdTier(block_bytes=1 << 16)
    rng = random.Random(0)
    held: dict[int, int] = {}
    for step in range(300):
        if held and rng.random() < 0.5:
            rows = rng.sample(sorted(held), k=rng.randint(1, len(held)))
            for row in rows:
                assert int(tier.rows_tensor(row, 1)[0, 0]) == held.pop(row), "bytes stay where they were put"
            tier.free(rows)
        else:
            for row in tier.allocate(rng.randint(1, 40)):
                assert row not in held, "a used row is not given out again"
                held[row] = step % 251
                tier.rows_tensor(row, 1).fill_(held[row])
        tier.check_integrity()
        assert tier.num_used == len(held)
    tier.free(sorted(held))
    assert tier.num_rows == 0, "empty slabs go back to the system"


def test_new_rows_lie_side_by_side() -> None:
    tier = ColdTier(block_bytes=1 << 16)
    rows = tier.allocate(8)
    assert all(tier.are_neighbours(a, b) for a, b in pairwise(rows))


def test_a_slot_in_flight_cannot_be_freed() -> None:
    tier = HotTier(64, 3, torch.device("cpu"))
    slots = tier.allocate(2)
    with pytest.raises(AssertionError, match="in flight"):
        tier.free(slots)
    tier.complete_load(slots)
    tier.free(slots)
    tier.check_integrity()
    assert tier.num_free == 3


def test_a_full_hot_tier_gives_nothing() -> None:
    tier = HotTier(64, 2, torch.device("cpu"))
    tier.allocate(2)
    with pytest.raises(DoesNotFitError):
        tier.allocate(1)
    assert tier.num_free == 0


def test_the_plain_codec_gives_back_what_it_took() -> None:
    codec = Codec("none", SHAPE, torch.float32)
    key, value = torch.randn(3, 2, 4, 8), torch.randn(3, 2, 4, 4)
    encoded = codec.encode(key, value)
    assert encoded.shape == (3, codec.block_bytes)
    assert encoded.dtype == torch.uint8
    decoded_key, decoded_value = codec.decode(encoded)
    assert torch.equal(decoded_key, key)
    assert torch.equal(decoded_value, value)


def test_the_newest_blocks_are_wanted() -> None:
    assert list(recent_window([1, 2, 3, 4, 5], 2)) == [4, 5]
    assert list(recent_window([1, 2], 5)) == [1, 2]
    assert list(recent_window([1, 2], 0)) == []


def test_unwanted_blocks_are_given_up_first() -> None:
    assert evictions([7, 1, 2, 3], wanted=[1, 3], num_needed=3) == [7, 2, 1]
    assert evictions([1, 2], wanted=[], num_needed=-1) == []


def test_every_byte_goes_to_the_host_once_and_residents_follow_the_newest() -> None:
    codec, traffic = Codec("none", SHAPE, torch.float32), TrafficMeter()
    cold, hot = ColdTier(codec.block_bytes), HotTier(codec.block_bytes, 3, torch.device("cpu"))
    migrator = Migrator(cold, hot, traffic)
    data = torch.randint(0, 255, (7, codec.block_bytes), dtype=torch.uint8)
    first, second = migrator.store(data[:2]), migrator.store(data[2:])
    blocks = first + second
    assert traffic.device_to_host_bytes == 7 * codec.block_bytes
    assert [block.is_resident for block in blocks] == [False] * 4 + [True] * 3
    for block, expected in zip(blocks, data, strict=True):
        assert torch.equal(cold.rows_tensor(block.cold_row, 1)[0], expected)
        if block.hot_slot is not None:
            assert torch.equal(hot.rows_tensor(block.hot_slot, 1)[0], expected)
    migrator.promote(first)
    assert [block.is_resident for block in first] == [True, True]
    assert traffic.host_to_device_bytes == 2 * codec.block_bytes
    migrator.check_integrity()
    migrator.release(blocks)
    migrator.check_integrity()
    assert (cold.num_used, hot.num_used) == (0, 0)


def test_a_shared_block_lives_until_its_last_owner_lets_go() -> None:
    codec = Codec("none", SHAPE, torch.float32)
    cold, hot = ColdTier(codec.block_bytes), HotTier(codec.block_bytes, 1, torch.device("cpu"))
    migrator = Migrator(cold, hot, TrafficMeter())
    (block,) = migrator.store(torch.zeros(1, codec.block_bytes, dtype=torch.uint8))
    block.num_owners += 1
    migrator.release([block])
    assert cold.num_used == 1
    migrator.release([block])
    assert (cold.num_used, hot.num_used) == (0, 0)
