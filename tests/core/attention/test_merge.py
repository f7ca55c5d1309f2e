"""Merged partials equal attention over all keys at once."""

from itertools import pairwise

import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from core.attention.merge import empty_partial, merge, merge_in_turn, merge_stack
from core.attention.partial import partial_attention
from tests.reference import naive_attention

SCALING = 0.25


def random_qkv(
    num_queries: int, num_keys: int, seed: int = 0
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    generator = torch.Generator().manual_seed(seed)
    query = torch.randn(1, 6, num_queries, 16, generator=generator) * 3
    key = torch.randn(1, 2, num_keys, 16, generator=generator) * 3
    value = torch.randn(1, 2, num_keys, 16, generator=generator)
    return query, key, value


@settings(max_examples=40, deadline=None)
@given(
    cuts=st.lists(st.integers(0, 60), max_size=5),
    num_queries=st.integers(1, 7),
    seed=st.integers(0, 1000),
)
def test_any_partition_of_the_keys_gives_the_same_attention(
    cuts: list[int], num_queries: int, seed: int
) -> None:
    query, key, value = random_qkv(num_queries, 60, seed)
    bounds = [0, *sorted(cuts), 60]
    result = empty_partial(query, 16)
    for start, end in pairwise(bounds):
        part = partial_attention(query, key[:, :, start:end], value[:, :, start:end], scaling=SCALING)
        result = merge(result, part)
    expected = naive_attention(query, key, value, scaling=SCALING)
    torch.testing.assert_close(result[0], expected.float(), atol=1e-5, rtol=1e-5)


def test_two_empty_sets_merge_into_an_empty_one() -> None:
    query = torch.randn(1, 2, 3, 8)
    out, lse = merge(empty_partial(query, 8), empty_partial(query, 8))
    assert torch.equal(out, torch.zeros(1, 2, 3, 8))
    assert bool(torch.isneginf(lse).all())


def test_an_empty_set_changes_nothing() -> None:
    query, key, value = random_qkv(4, 20)
    part = partial_attention(query, key, value, scaling=SCALING)
    for merged in (merge(part, empty_partial(query, 16)), merge(empty_partial(query, 16), part)):
        assert torch.equal(merged[0], part[0])
        torch.testing.assert_close(merged[1], part[1])


def test_scores_far_apart_do_not_overflow() -> None:
    query, key, value = random_qkv(2, 8)
    high = partial_attention(query, key * 1e3, value, scaling=SCALING)
    low = partial_attention(query, -key * 1e3, value, scaling=SCALING)
    out, lse = merge(high, low)
    assert bool(torch.isfinite(out).all())
    assert bool(torch.isfinite(lse).all())


def test_a_stack_merges_like_its_members_one_by_one() -> None:
    query, key, value = random_qkv(3, 40)
    parts = [
        partial_attention(query, key[:, :, i : i + 8], value[:, :, i : i + 8], scaling=SCALING)
        for i in range(0, 40, 8)
    ]
    stacked = merge_stack((torch.stack([p[0] for p in parts]), torch.stack([p[1] for p in parts])))
    one_by_one = parts[0]
    for part in parts[1:]:
        one_by_one = merge(one_by_one, part)
    torch.testing.assert_close(stacked[0], one_by_one[0], atol=1e-6, rtol=1e-5)
    torch.testing.assert_close(stacked[1], one_by_one[1], atol=1e-6, rtol=1e-5)


def test_merging_in_turn_is_merging_a_stack() -> None:
    generator = torch.Generator().manual_seed(1)
    parts = [
        (torch.randn(1, 2, 70, 8, generator=generator), torch.randn(1, 2, 70, generator=generator) * 9)
        for _ in range(5)
    ]
    before = [out.clone() for out, _ in parts]
    out, lse = merge_in_turn(parts)
    expected, expected_lse = merge_stack(
        (torch.stack([p[0] for p in parts]), torch.stack([p[1] for p in parts]))
    )
    torch.testing.assert_close(out, expected)
    torch.testing.assert_close(lse, expected_lse)
    assert all(torch.equal(part[0], old) for part, old in zip(parts, before, strict=True))
