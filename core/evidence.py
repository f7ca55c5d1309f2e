"""What an answer looked at: after it is written, its queries meet the keys once more, page by page.

The attention of the answer's tokens is compared with that of a question that asks for nothing in particular:
pages that get much in either case (the first one, headings) tell nothing.
"""

import time
from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

import torch

from core.attention.query_tap import QueryTap
from core.cancel import CancelToken
from core.documents.attended import AttendedPassage, attended_passage
from core.documents.layout import Page
from core.documents.model_text import model_page_text, page_range
from core.documents.token_map import PageSpan
from core.errors import LecternError
from core.events import EvidencePage
from core.generation.runner import ModelRunner
from core.kv.cache import TieredCache
from core.kv.layer import TieredLayer
from core.prefix_cache import PrefixCache

if TYPE_CHECKING:
    from core.session import DocumentSession

_NEUTRAL_QUESTION = "What is this?"
_NEUTRAL_ROWS = 8
_NEUTRAL_NAME = "evidence-1"
"""Its number goes up with what the neutral question or the layers are."""

_NUM_LAYERS = 4
_NUM_SINKS = 4
_MIN_MASS = 0.005
_PASSAGE_TOKENS = 32
_AFTER_PAGE = 2
"""Line breaks behind each page in the model's text."""


class EvidenceMap:
    """Evidence for the answers of one session.

    The neutral question is asked once: by `get_ready`, else at the first answer; what it looked at is kept
    with the documents on the `disk`. `seconds` is what all of it has taken so far.
    """

    def __init__(self, session: "DocumentSession", disk: PrefixCache) -> None:
        self._session, self._disk = session, disk
        self._neutral: torch.Tensor | None = None
        self._has_asked = False
        self.seconds = 0.0

    @property
    def is_wanted(self) -> bool:
        return self._session.parts.settings.evidence

    def get_ready(self, cancel: CancelToken) -> None:
        """Do now what need not wait for an answer; the documents must have been read."""
        if self.is_wanted and not cancel.is_cancelled:
            started = time.perf_counter()
            try:
                self._usual()
            except (LecternError, RuntimeError, MemoryError):
                return
            finally:
                self.seconds += time.perf_counter() - started

    def pages(self, cache: TieredCache, cancel: CancelToken) -> tuple[EvidencePage, ...]:
        """Pages with their share of the attention that `cache`, watched while it answered, paid in excess.

        Most first; the shares of all pages sum to 1 and tiny ones are left out. Empty after a cancel, or if
        the device fails.
        """
        started = time.perf_counter()
        try:
            return self._pages(cache, cancel)
        except (LecternError, RuntimeError, MemoryError):
            return ()
        finally:
            self.seconds += time.perf_counter() - started

    def _pages(self, cache: TieredCache, cancel: CancelToken) -> tuple[EvidencePage, ...]:
        session = self._session
        answer = attention_mass(cache, session.num_prefix_tokens, cancel)
        if answer is None:
            return ()
        neutral = self._usual()
        cancel.raise_if_cancelled()
        ranges = self._token_ranges
        excess = token_excess(answer, neutral, ranges)
        found = []
        masses = page_shares(answer, neutral, ranges)
        for span, tokens, mass in zip(session.token_map.page_spans, ranges, masses, strict=True):
            if mass >= _MIN_MASS:
                found.append(self._evidence(span, tokens, mass, excess))
        return tuple(sorted(found, key=lambda page: -page.mass))

    @cached_property
    def _token_ranges(self) -> list[range]:
        """The tokens of each page in the whole sequence."""
        token_map = self._session.token_map
        before = self._session.num_prefix_tokens - token_map.num_tokens
        ranges = [token_map.tokens_of(index) for index in range(len(token_map.page_spans))]
        return [range(before + tokens.start, before + tokens.stop) for tokens in ranges]

    @cached_property
    def _pages_by_place(self) -> dict[tuple[int, int], Page]:
        documents = self._session.documents
        return {(i, page.page_index): page for i, one in enumerate(documents) for page in one.pages}

    def _evidence(self, span: PageSpan, tokens: range, mass: float, excess: torch.Tensor) -> EvidencePage:
        page = self._pages_by_place[span.document_index, span.page_index]
        passage = self._passage(page, tokens, excess)
        return EvidencePage(
            self._session.documents[span.document_index].name,
            span.page_index,
            round(mass, 4),
            page.label,
            passage.text if passage is not None else "",
            passage.start if passage is not None else 0,
            passage.end if passage is not None else 0,
            passage.rects if passage is not None else (),
        )

    def _passage(self, page: Page, tokens: range, excess: torch.Tensor) -> AttendedPassage | None:
        """What stands where the page got most; the marker before its text is left out."""
        tokenizer, text = self._session.parts.loaded.tokenizer, model_page_text(page)
        token_ids = self._session.prefix_ids[tokens.start : tokens.stop]
        whole = tokenizer.decode(token_ids)
        marker = max(0, len(whole) - len(text) - _AFTER_PAGE)
        num_marker = len(tokenizer.encode_data(whole[:marker]))
        best = strongest_window(excess[tokens.start + num_marker : tokens.stop], _PASSAGE_TOKENS)
        first = num_marker + best.start
        start = len(tokenizer.decode(token_ids[:first])) - marker
        end = start + len(tokenizer.decode(token_ids[first : num_marker + best.stop]))
        return attended_passage(page, *page_range(page, max(0, start), max(0, end)))

    def _usual(self) -> torch.Tensor | None:
        """The attention of the neutral question, None where the model's cannot be watched."""
        if not self._has_asked:
            self._neutral = self._from_disk()
            if self._neutral is None:
                self._neutral = self._ask_nothing()
            self._has_asked = True
        return self._neutral

    def _ask_nothing(self) -> torch.Tensor | None:
        """Its runner is its own: what is asked here is no part of what was read."""
        session, tokenizer = self._session, self._session.parts.loaded.tokenizer
        question = [
            *tokenizer.encode_frame(session.frame.before_question),
            *tokenizer.encode_data(_NEUTRAL_QUESTION),
            *tokenizer.encode_frame(session.frame.before_answer),
        ]
        branch = session.branch()
        try:
            watch(branch, rows_per_call=_NEUTRAL_ROWS)
            ModelRunner(session.parts.runner.model).step(torch.tensor(question), branch)
            mass = attention_mass(branch, session.num_prefix_tokens)
        finally:
            branch.close()
        if mass is not None:
            self._disk.write_beside(_NEUTRAL_NAME, mass.numpy().tobytes())
        return mass

    def _from_disk(self) -> torch.Tensor | None:
        data = self._disk.read_beside(_NEUTRAL_NAME)
        num_tokens = self._session.num_prefix_tokens
        if data is None or len(data) != num_tokens * torch.float32.itemsize:
            return None
        return torch.frombuffer(bytearray(data), dtype=torch.float32)


def watch(cache: TieredCache, rows_per_call: int = 1) -> None:
    """From now on keep queries of `cache` in the layers that evidence is taken from."""
    for layer in evidence_layers(cache.tiered_layers):
        layer.tap = QueryTap(rows_per_call)


def evidence_layers(layers: Sequence[TieredLayer]) -> list[TieredLayer]:
    """Some of the upper half: what lies below looks at words, not yet at what they mean."""
    upper = layers[len(layers) // 2 :]
    count = min(_NUM_LAYERS, len(upper))
    return [upper[round(index * (len(upper) - 1) / max(1, count - 1))] for index in range(count)]


def attention_mass(
    cache: TieredCache, num_tokens: int, cancel: CancelToken | None = None
) -> torch.Tensor | None:
    """The share of attention that the first `num_tokens` got in the watched layers; None without any.

    A cancel raises `CancelledError` between two layers.
    """
    masses = []
    with torch.inference_mode():
        for layer in cache.tiered_layers:
            if cancel is not None:
                cancel.raise_if_cancelled()
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
    difference = token_excess(answer, neutral, token_ranges)
    excess = torch.stack([difference[tokens.start : tokens.stop].sum() for tokens in token_ranges])
    excess = excess.clamp_min(0.0)
    total = float(excess.sum())
    return [float(mass) / total if total > 0 else 0.0 for mass in excess]


def token_excess(
    answer: torch.Tensor, neutral: torch.Tensor | None, token_ranges: Sequence[range]
) -> torch.Tensor:
    """For each token its share of what all pages got of `answer`, less its share of `neutral`."""
    shares = _distribution(answer, token_ranges)
    return shares if neutral is None else shares - _distribution(neutral, token_ranges)


def strongest_window(mass: torch.Tensor, num_tokens: int) -> range:
    """The `num_tokens` (or all) consecutive values of `mass` `(num,)` whose sum is largest."""
    size = min(num_tokens, mass.numel())
    if size == 0:
        return range(0)
    sums = torch.cat([mass.new_zeros(1), mass.cumsum(0)])
    start = int((sums[size:] - sums[:-size]).argmax())
    return range(start, start + size)


def _distribution(mass: torch.Tensor, token_ranges: Sequence[range]) -> torch.Tensor:
    """`mass` as shares of what lies in the ranges, the sinks left out."""
    mass = mass.to(torch.float64, copy=True)
    mass[:_NUM_SINKS] = 0.0
    total = torch.stack([mass[tokens.start : tokens.stop].sum() for tokens in token_ranges]).sum()
    return mass / total.clamp_min(1e-12)
