"""Forty-one questions about one document, together and one at a time: cold bytes and seconds."""

import time
from collections.abc import Generator, Sequence
from dataclasses import dataclass
from typing import Any

from core.bench.filled import real_source
from core.bench.result import BenchResult, Chart, Target
from core.bench.sample import contract_tokens
from core.cancel import CancelToken
from core.engine import open_model
from core.events import TierUsage
from core.generation.batch_generator import BatchGenerator, BatchRow, RowGrew
from core.generation.generator import Generation, generate
from core.kv.batch import BatchCache
from core.kv.cache import TieredCache
from core.session import SYSTEM_PROMPT, EngineParts
from core.settings import EngineSettings, SamplingSettings

TOPICS = (
    *("parties", "property", "term", "renewal", "rent", "late fees", "security deposit", "utilities"),
    *("use of the premises", "occupants", "guests", "pets", "smoking", "parking", "keys", "furnishings"),
    *("repairs", "alterations", "maintenance", "inspection", "right of entry", "insurance", "liability"),
    *("indemnity", "subletting", "assignment", "default", "termination", "eviction", "holding over"),
    *("notices", "governing law", "disputes", "legal fees", "severability", "amendments", "signatures"),
    *("taxes", "damage by fire", "early ending", "return of the deposit"),
)
_NUM_TOKENS = 16_384
_REAL_TOKENS = 4096
_NEW_TOKENS = 32
_NUM_ALONE = 8
_WANTED_BYTES, _WANTED_DECODE, _WANTED_WHOLE = 20.0, 5.0, 3.0


@dataclass(frozen=True)
class _Run:
    """What some answers cost, from the first question on.

    `num_decoded` tokens took `decode_seconds` while nothing but decoding went on.
    """

    seconds: float
    num_passes: int
    cold_bytes: int
    num_decoded: int
    decode_seconds: float
    answers: tuple[tuple[int, ...], ...]


def measure(
    settings: EngineSettings,
    context: int | None,
    cancel: CancelToken,
    num_alone: int = _NUM_ALONE,
    new_tokens: int = _NEW_TOKENS,
) -> BenchResult:
    """Every answer has `new_tokens` tokens; the document has been read before.

    All questions are asked together, `num_alone` of them one at a time as well; rows are per answer.
    """
    with open_model(settings, cancel=cancel) as engine:
        parts = engine.parts
        token_ids = contract_tokens(parts.loaded, context or _NUM_TOKENS)
        source = real_source(parts.loaded, token_ids, cancel, _REAL_TOKENS)
        prefix = TieredCache(parts.loaded.model.config, parts.store)
        source.fill_tiers(prefix, parts.store)
        questions = [_question_ids(parts, topic) for topic in TOPICS]
        together = _together(parts, prefix, questions, new_tokens, cancel)
        alone = _alone(parts, prefix, questions[:num_alone], new_tokens, cancel)
        prefix.close()
    rows = (_row("together", together, len(token_ids)), _row("one at a time", alone, len(token_ids)))
    same = sum(a == b for a, b in zip(alone.answers, together.answers, strict=False))
    rows[0]["same_answers"], rows[1]["same_answers"] = same / num_alone, None
    chart = Chart(
        f"Questions about {len(token_ids):,} tokens",
        "tokens a second",
        {str(row["asked"]): float(row["decode_tokens_per_s"]) for row in rows},
    )
    return BenchResult(rows, _targets(rows), chart)


def _question_ids(parts: EngineParts, topic: str) -> list[int]:
    tokenizer = parts.loaded.tokenizer
    frame = tokenizer.frame(SYSTEM_PROMPT)
    return [
        *tokenizer.encode_frame(frame.before_question),
        *tokenizer.encode_data(f"What does the contract say about {topic}?"),
        *tokenizer.encode_frame(frame.before_answer),
    ]


def _together(
    parts: EngineParts,
    prefix: TieredCache,
    questions: Sequence[list[int]],
    new_tokens: int,
    cancel: CancelToken,
) -> _Run:
    rows = [BatchRow(i, ids, SamplingSettings(), new_tokens) for i, ids in enumerate(questions)]
    waiting = iter(rows)
    batch = BatchCache(prefix.branch(), parts.loaded.model.config)
    generator = BatchGenerator(
        parts.runner,
        batch,
        lambda: next(waiting, None),
        decode=_no_text,
        stop_ids=frozenset(),
        chunk_tokens=parts.settings.prefill_chunk,
        width=len(rows),
    )
    traffic = parts.store.traffic
    bytes_before, started = traffic.host_to_device_bytes, time.perf_counter()
    events = [(event, time.perf_counter()) for event in generator.run(cancel)]
    seconds = time.perf_counter() - started
    cold_bytes = traffic.host_to_device_bytes - bytes_before
    batch.close()
    cancel.raise_if_cancelled()
    came = [moment for event, moment in events if isinstance(event, RowGrew)]
    all_begun = max(row.generation.first_token_at or started for row in rows)
    return _Run(
        seconds,
        sum(isinstance(event, TierUsage) for event, _ in events),
        cold_bytes,
        num_decoded=sum(moment > all_begun for moment in came) - 1,
        decode_seconds=came[-1] - all_begun,
        answers=tuple(tuple(row.generation.token_ids) for row in rows),
    )


def _alone(
    parts: EngineParts,
    prefix: TieredCache,
    questions: Sequence[list[int]],
    new_tokens: int,
    cancel: CancelToken,
) -> _Run:
    traffic, prefix_ids = parts.store.traffic, [0] * prefix.num_tokens
    bytes_before, started = traffic.host_to_device_bytes, time.perf_counter()
    generations = []
    for question in questions:
        branch = prefix.branch()
        generation = _finish(
            generate(
                parts.runner,
                branch,
                prefix_ids + question,
                decode=_no_text,
                stop_ids=frozenset(),
                sampling=SamplingSettings(),
                max_new_tokens=new_tokens,
                chunk_tokens=parts.settings.prefill_chunk,
                cancel=cancel,
            )
        )
        branch.close()
        cancel.raise_if_cancelled()
        generations.append(generation)
    return _Run(
        time.perf_counter() - started,
        sum(len(generation.token_ids) for generation in generations),
        traffic.host_to_device_bytes - bytes_before,
        num_decoded=sum(len(generation.token_ids) - 1 for generation in generations),
        decode_seconds=sum((g.last_token_at or 0.0) - (g.first_token_at or 0.0) for g in generations),
        answers=tuple(tuple(generation.token_ids) for generation in generations),
    )


def _row(asked: str, run: _Run, num_tokens: int) -> dict[str, Any]:
    num_answers = len(run.answers)
    return {
        "asked": asked,
        "tokens": num_tokens,
        "answers": num_answers,
        "passes": run.num_passes,
        "seconds_an_answer": run.seconds / num_answers,
        "decode_tokens_per_s": run.num_decoded / run.decode_seconds,
        "cold_mib_an_answer": run.cold_bytes / num_answers / (1 << 20),
    }


def _targets(rows: Sequence[dict[str, Any]]) -> tuple[Target, ...]:
    together, alone = rows
    fewer = alone["cold_mib_an_answer"] / (together["cold_mib_an_answer"] or float("inf"))
    return (
        Target(
            f"{len(TOPICS)} questions together, times fewer cold bytes",
            fewer,
            _WANTED_BYTES,
            at_least=True,
        ),
        Target(
            f"{len(TOPICS)} questions together, times faster decoding",
            together["decode_tokens_per_s"] / alone["decode_tokens_per_s"],
            _WANTED_DECODE,
            at_least=True,
        ),
        Target(
            f"{len(TOPICS)} questions together, times faster from question to answer",
            alone["seconds_an_answer"] / together["seconds_an_answer"],
            _WANTED_WHOLE,
            at_least=True,
        ),
    )


def _no_text(_token_ids: Sequence[int]) -> str:
    return ""


def _finish(stream: Generator[object, None, Generation]) -> Generation:
    while True:
        try:
            next(stream)
        except StopIteration as end:
            generation: Generation = end.value
            return generation
