"""What an answer looked at: after it is written, its queries meet the keys once more, page by page.

The attention of the answer's tokens is compared with that of a question that asks for nothing in particular:
pages that get much in either case (the first one, headings) tell nothing.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import torch

from core.attention.query_tap import QueryTap
from core.errors import LecternError
from core.events import EvidencePage
from core.kv.cache import TieredCache
from core.kv.layer import TieredLayer

if TYPE_CHECKING:
    from core.session import DocumentSession

_NEUTRAL_QUESTION = "What is this?"
_NEUTRAL_ROWS = 8
_NUM_LAYERS = 4
_NUM_SINKS = 4
_MIN_MASS = 0.005


class EvidenceMap:
    """Evidence for the answers of one session. The neutral question is asked once, at the first of them."""

    def __init__(self, session: "DocumentSession") -> None:
        self._session = session
        self._neutral: torch.Tensor | None = None

    def pages(self, cache: TieredCache) -> tuple[EvidencePage, ...]:
        """Pages with their share of the attention that `cache`, watched while it answered, paid in excess.

        Most first; the shares of all pages sum to 1 and tiny ones are left out. Empty if the device fails.
        """
        session = self._session
        before = session.num_prefix_tokens - session.token_map.num_tokens
        try:
            answer = attention_mass(cache, session.num_prefix_tokens)
            if answer is None:
                return ()
            if self._neutral is None:
                self._neutral = self._ask_nothing()
        except (LecternError, RuntimeError, MemoryError):
            return ()
        spans = session.token_map.page_spans
        ranges = [session.token_map.tokens_of(index) for index in range(len(spans))]
        masses = page_shares(
            answer, self._neutral, [range(before + r.start, before + r.stop) for r in ranges]
        )
        found = [
            EvidencePage(session.documents[span.document_index].name, span.page_index, round(mass, 4))
            for span, mass in zip(spans, masses, strict=True)
            if mass >= _MIN_MASS
        ]
        return tuple(sorted(found, key=lambda page: -page.mass))

    def _ask_nothing(self) -> torch.Tensor | None:
        session, tokenizer = self._session, self._session.parts.loaded.tokenizer
        question = [
            *tokenizer.encode_frame(session.frame.before_question),
            *tokenizer.encode_data(_NEUTRAL_QUESTION),
            *tokenizer.encode_frame(session.frame.before_answer),
        ]
        branch = session.branch()
        try:
            watch(branch, rows_per_call=_NEUTRAL_ROWS)
            session.parts.runner.step(torch.tensor(question), branch)
            return attention_mass(branch, session.num_prefix_tokens)
        finally:
            branch.close()


def watch(cache: TieredCache, rows_per_call: int = 1) -> None:
    """From now on keep queries of `cache` in the layers that evidence is taken from."""
    for layer in evidence_layers(cache.tiered_layers):
        layer.tap = QueryTap(rows_per_call)


def evidence_layers(layers: Sequence[TieredLayer]) -> list[TieredLayer]:
    """Some of the upper half: what lies below looks at words, not yet at what they mean."""
    upper = layers[len(layers) // 2 :]
    count = min(_NUM_LAYERS, len(upper))
    return [upper[round(index * (len(upper) - 1) / max(1, count - 1))] for index in range(count)]


def attention_mass(cache: TieredCache, num_tokens: int) -> torch.Tensor | None:
    """The share of attention that the first `num_tokens` got in the watched layers; None without any."""
    masses = []
    with torch.inference_mode():
        for layer in cache.tiered_layers:
            mass = layer.tap.token_mass(layer.visible_keys(), num_tokens) if layer.tap is not None else None
            if mass is not None:
                masses.append(mass)
    return torch.stack(masses).mean(0) if masses else None


def page_shares(
    answer: torch.Tensor, neutral: torch.Tensor | None, token_ranges: Sequence[range]
) -> list[float]:
    """What each page got of `answer` beyond what it got of `neutral`, both over the same tokens; sums to 1.

    The first tokens of a sequence hold attention that has nowhere else to go and are left out.
    """
    excess = _distribution(answer, token_ranges)
    if neutral is not None:
        excess = (excess - _distribution(neutral, token_ranges)).clamp_min(0.0)
    total = float(excess.sum())
    return [float(mass) / total if total > 0 else 0.0 for mass in excess]


def _distribution(mass: torch.Tensor, token_ranges: Sequence[range]) -> torch.Tensor:
    mass = mass.clone()
    mass[:_NUM_SINKS] = 0.0
    sums = torch.stack([mass[tokens.start : tokens.stop].sum() for tokens in token_ranges])
    return sums / sums.sum().clamp_min(1e-12)
