"""The next token: greedy, and under every way of choosing at random."""

from collections import Counter

import pytest
import torch

from core.errors import UsageError
from core.generation.sampling import Sampler, keep_top_k, keep_top_p, penalise_repetition
from core.settings import SamplingSettings

LOGITS = torch.tensor([1.0, 3.0, 2.0, -1.0, 2.5])


def test_temperature_zero_is_greedy() -> None:
    assert Sampler(SamplingSettings()).sample(LOGITS, []) == 1


def test_a_seed_repeats_the_choices_and_another_changes_them() -> None:
    def draw(seed: int) -> list[int]:
        sampler = Sampler(SamplingSettings(temperature=1.5, seed=seed))
        return [sampler.sample(LOGITS, []) for _ in range(40)]

    assert draw(1) == draw(1)
    assert draw(1) != draw(2)


def test_samples_follow_the_softmax() -> None:
    sampler = Sampler(SamplingSettings(temperature=1.0, seed=3))
    counts = Counter(sampler.sample(LOGITS, []) for _ in range(4000))
    frequencies = torch.tensor([counts[i] / 4000 for i in range(5)])
    torch.testing.assert_close(frequencies, LOGITS.softmax(-1), atol=0.03, rtol=0)


def test_top_k_keeps_the_largest() -> None:
    assert torch.isfinite(keep_top_k(LOGITS, 2)).tolist() == [False, True, False, False, True]
    assert torch.equal(keep_top_k(LOGITS, 0), LOGITS)


def test_top_p_keeps_the_fewest_that_reach_it() -> None:
    probabilities = LOGITS.softmax(-1)
    assert probabilities[1] < 0.6 < probabilities[1] + probabilities[4]
    assert torch.isfinite(keep_top_p(LOGITS, 0.6)).tolist() == [False, True, False, False, True]
    assert torch.isfinite(keep_top_p(LOGITS, 1e-6)).sum() == 1, "the likeliest always stays"


def test_repetition_is_penalised_on_both_sides_of_zero() -> None:
    penalised = penalise_repetition(LOGITS, [1, 3, 3], 2.0)
    assert penalised.tolist() == [1.0, 1.5, 2.0, -2.0, 2.5]
    assert Sampler(SamplingSettings(repetition_penalty=2.0)).sample(LOGITS, [1]) == 4


@pytest.mark.parametrize(
    "values",
    [
        {"temperature": -1.0},
        {"top_p": 0.0},
        {"top_p": 1.1},
        {"top_k": -1},
        {"repetition_penalty": 0.0},
        {"max_new_tokens": 0},
    ],
)
def test_values_out_of_range_are_refused(values: dict[str, float]) -> None:
    with pytest.raises(UsageError):
        SamplingSettings(**values)
