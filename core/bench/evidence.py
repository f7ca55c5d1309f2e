"""Does the evidence map point to the page that an answer came from?

The recall model looks at what it says and at nothing else, so that the right page is known. Of a real model
the figure is given beside it: it may know where a fact is without looking at it word by word.
"""

import random
import time
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import torch
from transformers import PreTrainedModel

from core.bench.planted_facts import ENGLISH
from core.bench.recall import Haystack, make_haystack, read_haystack, recall_model
from core.bench.result import BenchResult, Target
from core.cancel import CancelToken
from core.documents.layout import Document, Page
from core.documents.sentences import sentence_spans
from core.documents.worker import DocumentWorker
from core.engine import Engine, open_model
from core.events import Finished
from core.evidence import attention_mass, page_shares, watch
from core.generation.runner import ModelRunner
from core.kv.cache import TieredCache
from core.samples import all_samples
from core.session import DocumentSession
from core.settings import EngineSettings, SamplingSettings

_PAGE_TOKENS = 512
_NUM_TOKENS = 32_768
_NUM_NEEDLES = 100
_TOP = 3
_MAX_SHARE = 0.05
_NUM_PAGES = 56
_PAGE_CHARACTERS = 420
_ANSWER_TOKENS = 32
_NUM_QUESTIONS = 20


def measure(settings: EngineSettings, context: int | None, cancel: CancelToken) -> BenchResult:
    """How often the page is among the three with most mass; what evidence takes of a real answer's time."""
    model, haystack = recall_model(), make_haystack(context or _NUM_TOKENS, _NUM_NEEDLES)
    constructed = recall_row(model, haystack, cancel)
    real = real_row(settings, cancel)
    return BenchResult(
        (constructed, real),
        (
            Target("needle's page in the top 3", constructed["in_top_3"], 0.95, at_least=True),
            Target("evidence_share", real["evidence_share"], _MAX_SHARE, at_least=False),
        ),
    )


def recall_row(
    model: PreTrainedModel, haystack: Haystack, cancel: CancelToken, page_tokens: int = _PAGE_TOKENS
) -> dict[str, Any]:
    """The recall model: each needle is asked for by its key, the neutral question is a word of the filler."""
    num_tokens = len(haystack.token_ids)
    pages = [
        range(start, min(start + page_tokens, num_tokens)) for start in range(0, num_tokens, page_tokens)
    ]
    prefix = read_haystack(model, haystack, cancel=cancel)
    neutral = _mass_of(model, prefix, haystack.token_ids[0])
    num_found = 0
    for needle in haystack.needles:
        cancel.raise_if_cancelled()
        shares = page_shares(_mass_of(model, prefix, needle.key_token), neutral, pages)
        num_found += (needle.position + 1) // page_tokens in _best(shares)
    prefix.close()
    return _row("constructed", len(pages), num_found, len(haystack.needles))


def real_row(settings: EngineSettings, cancel: CancelToken) -> dict[str, Any]:
    """The model of `settings`: facts on short pages of a sample's text, each asked in other words.

    `evidence_share` is the part of all answers' time, from question to end, that evidence takes;
    `neutral_share` what the neutral question takes beside one of them, once for each document.
    """
    document, hosts = planted_document()
    pages = hosts[:_NUM_QUESTIONS]
    sampling = replace(settings.sampling, max_new_tokens=_ANSWER_TOKENS, temperature=0.0)
    with open_model(settings, cancel=cancel) as engine:
        session = engine.open_document([document])
        for _ in session.read(cancel):
            pass
        session.evidence.get_ready(cancel)
        neutral_s = session.evidence.seconds
        num_found, answer_s = _ask_all(engine, session, pages, sampling, cancel)
        evidence_s = session.evidence.seconds - neutral_s
        session.close()
        name = engine.parts.loaded.name
    shares = {"evidence_share": evidence_s / answer_s, "neutral_share": neutral_s * len(pages) / answer_s}
    return _row(name, document.num_pages, num_found, len(pages)) | shares


def planted_document() -> tuple[Document, list[int]]:
    """Pages of a few sentences, and on which of them each fact stands."""
    with DocumentWorker() as worker:
        sample = worker.read(all_samples()[0].path)
    text = " ".join(page.text for page in sample.pages)
    sentences = [text[start:end].strip() for start, end in sentence_spans(text)]
    source = random.Random(3)
    hosts = source.sample(range(_NUM_PAGES), len(ENGLISH))
    facts = dict(zip(hosts, (fact for fact, _ in ENGLISH), strict=True))
    pages, position = [], 0
    for index in range(_NUM_PAGES):
        body = ""
        while len(body) < _PAGE_CHARACTERS:
            body += sentences[position % len(sentences)] + " "
            position += 1
        body += facts.get(index, "")
        pages.append(Page(index, str(index + 1), 600, 800, body.strip(), (), ()))
    return replace(sample, pages=tuple(pages), outline=(), warnings=()), hosts


def _ask_all(
    engine: Engine,
    session: DocumentSession,
    pages: Sequence[int],
    sampling: SamplingSettings,
    cancel: CancelToken,
) -> tuple[int, float]:
    """How many pages were in the top, and the seconds that all answers took."""
    num_found, answer_s = 0, 0.0
    for page_index, (_, question) in zip(pages, ENGLISH, strict=False):
        cancel.raise_if_cancelled()
        conversation = engine.converse(session)
        started = time.perf_counter()
        *_, finished = conversation.ask(question, sampling, cancel)
        answer_s += time.perf_counter() - started
        assert isinstance(finished, Finished)
        num_found += page_index in [page.page_index for page in finished.evidence[:_TOP]]
        conversation.close()
    return num_found, answer_s


def _mass_of(model: PreTrainedModel, prefix: TieredCache, token_id: int) -> torch.Tensor:
    num_tokens = prefix.num_tokens
    branch = prefix.branch()
    watch(branch)
    ModelRunner(model).step(torch.tensor([token_id]), branch)
    mass = attention_mass(branch, num_tokens)
    branch.close()
    assert mass is not None, "a step was watched"
    return mass


def _best(shares: Sequence[float]) -> list[int]:
    return sorted(range(len(shares)), key=lambda index: -shares[index])[:_TOP]


def _row(name: str, num_pages: int, num_found: int, num_asked: int) -> dict[str, Any]:
    return {"model": name, "pages": num_pages, "in_top_3": num_found / num_asked, "of": num_asked}
