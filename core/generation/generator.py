"""Answering: from prompt tokens to a stream of events."""

import time
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, field

import torch

from core.cancel import CancelToken
from core.errors import CancelledError
from core.events import FinishReason, Progress, TierUsage, Token
from core.generation.detokenize import StreamDecoder
from core.generation.prefill import prefill
from core.generation.runner import ModelRunner
from core.generation.sampling import Sampler
from core.kv.cache import TieredCache
from core.settings import SamplingSettings


@dataclass
class Generation:
    """What one generation did so far. Times are seconds of `time.perf_counter`."""

    token_ids: list[int] = field(default_factory=list)
    text: str = ""
    reason: FinishReason = FinishReason.CANCELLED
    first_token_at: float | None = None
    last_token_at: float | None = None
    hot_bytes_peak: int = 0
    decode_host_to_device_bytes: int = 0
    decode_device_to_host_bytes: int = 0

    @property
    def tokens_per_s(self) -> float | None:
        """The decode rate after the first token."""
        if self.first_token_at is None or self.last_token_at is None or len(self.token_ids) < 2:
            return None
        return (len(self.token_ids) - 1) / max(self.last_token_at - self.first_token_at, 1e-9)

    def take(self, token_id: int, text: str) -> Token:
        """The answer goes on with a token and the text that it completed."""
        now = time.perf_counter()
        self.first_token_at = self.first_token_at or now
        self.last_token_at = now
        self.token_ids.append(token_id)
        self.text += text
        return Token(token_id, text)


def generate(
    runner: ModelRunner,
    cache: TieredCache,
    prompt_ids: Sequence[int],
    *,
    decode: Callable[[Sequence[int]], str],
    stop_ids: frozenset[int],
    sampling: SamplingSettings,
    max_new_tokens: int,
    chunk_tokens: int,
    cancel: CancelToken,
) -> Generator[Progress | Token | TierUsage, None, Generation]:
    """Continue `cache` with `prompt_ids` (the tokens of the whole sequence, cached ones included).

    Yields progress while the prompt is read, then each token with the text it completed and the tiers
    after it. A cancel ends the stream within one token, with what came so far and the reason `cancelled`.
    The last generated token is not in the cache yet: whoever continues the sequence feeds it first.
    """
    generation = Generation()
    stream = StreamDecoder(decode)
    sampler = Sampler(sampling)
    try:
        logits = yield from prefill(runner, cache, prompt_ids, chunk_tokens=chunk_tokens, cancel=cancel)
        assert logits is not None, "a prompt always ends with tokens that are not cached"
        while True:
            cancel.raise_if_cancelled()
            token_id = sampler.sample(logits, generation.token_ids)
            if token_id in stop_ids:
                generation.reason = FinishReason.STOP
                break
            yield generation.take(token_id, stream.push(token_id))
            yield _observe(generation, cache)
            if len(generation.token_ids) >= max_new_tokens:
                generation.reason = FinishReason.LENGTH
                break
            cancel.raise_if_cancelled()
            cache.store.traffic.start_step()
            logits = runner.step(torch.tensor([token_id]), cache)
            cache.store.scheduler.after_token()
            generation.decode_host_to_device_bytes += cache.store.traffic.step_host_to_device_bytes
            generation.decode_device_to_host_bytes += cache.store.traffic.step_device_to_host_bytes
    except CancelledError:
        generation.reason = FinishReason.CANCELLED
    rest = stream.flush()
    if rest:
        generation.text += rest
        yield Token(generation.token_ids[-1], rest)
    return generation


def _observe(generation: Generation, cache: TieredCache) -> TierUsage:
    usage, store = cache.usage, cache.store
    hot_bytes = store.hot_bytes + usage.tail_bytes
    generation.hot_bytes_peak = max(generation.hot_bytes_peak, hot_bytes)
    return TierUsage(
        total_tokens=usage.total_tokens,
        hot_tokens=usage.hot_tokens,
        hot_bytes=hot_bytes,
        cold_bytes=store.cold_bytes,
        host_to_device_bytes=store.traffic.step_host_to_device_bytes,
        device_to_host_bytes=store.traffic.step_device_to_host_bytes,
        hot_share=store.scheduler.hot_share,
        disk_bytes=store.disk_bytes,
    )
