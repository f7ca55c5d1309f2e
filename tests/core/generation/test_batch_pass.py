"""Which tokens of which branches go through the model next."""

from hypothesis import given
from hypothesis import strategies as st

from core.generation.batch_pass import PassLimits, plan_pass

LENGTHS = st.lists(st.integers(1, 60), min_size=1, max_size=50)


def test_answers_go_on_while_questions_are_read() -> None:
    assert plan_pass([1, 30, 1, 40], PassLimits(50, 9), packs=True) == [(0, 1), (1, 30), (2, 1), (3, 18)]


def test_a_narrow_pass_takes_those_first_that_waited_longest() -> None:
    assert plan_pass([1, 1, 30, 1], PassLimits(50, 2), packs=True) == [(0, 1), (1, 1)]


def test_a_model_that_cannot_pack_reads_questions_in_even_pieces() -> None:
    assert plan_pass([1, 7, 5, 1], PassLimits(100, 9), packs=False) == [(1, 5), (2, 5)]
    assert plan_pass([1, 1, 1], PassLimits(100, 2), packs=False) == [(0, 1), (1, 1)]
    assert plan_pass([9, 9, 9], PassLimits(8, 9), packs=False) == [(0, 2), (1, 2), (2, 2)]


@given(LENGTHS, st.integers(1, 80), st.integers(1, 60), st.booleans())
def test_passes_keep_their_limits_and_always_get_on(
    waiting: list[int], num_tokens: int, num_rows: int, packs: bool
) -> None:
    planned = plan_pass(waiting, PassLimits(num_tokens, num_rows), packs=packs)
    assert planned
    assert len(planned) <= num_rows
    assert sum(length for _, length in planned) <= num_tokens
    assert all(1 <= length <= waiting[index] for index, length in planned)
    assert len({index for index, _ in planned}) == len(planned)
    assert packs or len({length for _, length in planned}) == 1
