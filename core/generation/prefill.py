"""Reading a prompt into the cache in chunks."""

import time
from collections.abc import Generator, Sequence

import torch

from core.cancel import CancelToken
from core.events import Progress, Stage
from core.generation.runner import ModelRunner
from core.kv.cache import TieredCache


def prefill(
    runner: ModelRunner,
    cache: TieredCache,
    token_ids: Sequence[int],
    *,
    chunk_tokens: int,
    cancel: CancelToken,
) -> Generator[Progress, None, torch.Tensor | None]:
    """Bring `cache` to the end of `token_ids`, of which it may already hold the beginning.

    Chunks end on multiples of `chunk_tokens`, so that a prefill which was stopped and resumed computes
    the same chunks as one in a single go. Once memory has run out they are smaller (`ModelRunner.step`), and
    the results equal those of a single go up to rounding, no longer to the bit. Yields a `Progress` after
    each chunk and raises `CancelledError` between two; the chunks done stay in the cache, also when memory
    ends for good (`DoesNotFitError`). Returns the logits `(vocab_size,)` of the last token, None if there was
    nothing left to compute.
    """
    total = len(token_ids)
    start_tokens, started = cache.num_tokens, time.perf_counter()
    logits: torch.Tensor | None = None
    while cache.num_tokens < total:
        cancel.raise_if_cancelled()
        start = cache.num_tokens
        step_tokens = runner.step_tokens(chunk_tokens)
        end = min((start // step_tokens + 1) * step_tokens, total)
        chunk_started = time.perf_counter()
        logits = runner.step(torch.tensor(token_ids[start:end]), cache)
        now = time.perf_counter()
        recent_rate = (end - start) / max(now - chunk_started, 1e-9)
        yield Progress(
            Stage.READING_TOKENS,
            done=end,
            total=total,
            unit="tokens",
            rate=(end - start_tokens) / max(now - started, 1e-9),
            eta_s=(total - end) / recent_rate,
        )
    return logits
