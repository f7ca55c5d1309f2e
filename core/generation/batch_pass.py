"""Which branches of a batch take which of their tokens through the model next."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class PassLimits:
    """A pass takes at most so many tokens, of at most so many branches."""

    num_tokens: int
    num_rows: int


def plan_pass(waiting: Sequence[int], limits: PassLimits, *, packs: bool) -> list[tuple[int, int]]:
    """Pairs of a branch's index and how many of its tokens come next, in the order of the branches.

    `waiting` says how many tokens each branch has that the cache does not; those that waited longest come
    first. Branches that decode have one, and take part in every pass as far as there is room; what is left
    is for questions. A model that cannot pack takes as many tokens of each: questions first, in pieces as
    long as the shortest of them, then what decodes.
    """
    if not packs:
        return _even_pass(waiting, limits)
    chosen: list[tuple[int, int]] = []
    left = limits.num_tokens
    for index in sorted(range(len(waiting)), key=lambda index: waiting[index] > 1):
        if left == 0 or len(chosen) == limits.num_rows:
            break
        num_tokens = min(waiting[index], left)
        chosen.append((index, num_tokens))
        left -= num_tokens
    return sorted(chosen)


def _even_pass(waiting: Sequence[int], limits: PassLimits) -> list[tuple[int, int]]:
    questions = [index for index, num_tokens in enumerate(waiting) if num_tokens > 1]
    rows = (questions or range(len(waiting)))[: min(limits.num_rows, limits.num_tokens)]
    length = min(waiting[index] for index in rows)
    length = min(length, limits.num_tokens // len(rows))
    return [(index, length) for index in rows]
