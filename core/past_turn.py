"""A question and its answer from an earlier time, from which a conversation can go on."""

from dataclasses import dataclass


@dataclass(frozen=True)
class PastTurn:
    """`token_ids` are those of the answer, without what ends it; empty if they were not kept."""

    question: str
    answer: str
    token_ids: tuple[int, ...] = ()
