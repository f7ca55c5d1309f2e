"""Reading and answering the sample with the tiers, beside transformers' own cache on the same model."""

import time
from statistics import median

import torch
from transformers import DynamicCache

from core.attention.tiered import IMPLEMENTATION_NAME
from core.bench.result import BenchResult, Target
from core.cancel import CancelToken
from core.documents.token_map import map_tokens, render_for_model
from core.documents.worker import DocumentWorker
from core.engine import open_model
from core.generation.prefill import prefill
from core.kv.cache import TieredCache
from core.models.loader import LoadedModel
from core.samples import all_samples
from core.session import EngineParts
from core.settings import EngineSettings

_NUM_DECODED = 32


def measure(settings: EngineSettings, context: int | None, cancel: CancelToken) -> BenchResult:
    """Prefill and decode rates in tokens a second, each cache reading the same tokens in the same chunks.

    `context` sets the number of tokens; the sample's text is repeated to reach it.
    """
    with open_model(settings, cancel=cancel) as engine:
        token_ids = contract_tokens(engine.parts.loaded, context)
        tiered = _measure_tiered(engine.parts, token_ids, cancel)
        stock = _measure_stock(engine.parts, token_ids, cancel)
    rows = tuple(
        {
            "cache": name,
            "tokens": len(token_ids),
            "prefill_tokens_per_s": rates[0],
            "decode_tokens_per_s": rates[1],
        }
        for name, rates in (("tiered", tiered), ("transformers DynamicCache", stock))
    )
    return BenchResult(
        rows,
        (
            Target("prefill, times transformers", tiered[0] / stock[0], 0.9, at_least=True),
            Target("decode, times transformers", tiered[1] / stock[1], 0.9, at_least=True),
        ),
    )


def contract_tokens(loaded: LoadedModel, context: int | None = None) -> list[int]:
    """The default sample as the model reads it; with `context` all of them, cut or repeated to fit."""
    samples = all_samples()[: 1 if context is None else None]
    with DocumentWorker() as worker:
        documents = [worker.read(sample.path) for sample in samples]
    token_ids, _ = map_tokens(render_for_model(documents), loaded.tokenizer.encode_data)
    if context is None:
        return token_ids
    return (token_ids * (context // len(token_ids) + 1))[:context]


def _measure_tiered(parts: EngineParts, token_ids: list[int], cancel: CancelToken) -> tuple[float, float]:
    cache = TieredCache(parts.loaded.model.config, parts.store)
    started = time.perf_counter()
    for _ in prefill(
        parts.runner, cache, token_ids, chunk_tokens=parts.settings.prefill_chunk, cancel=cancel
    ):
        pass
    prefill_s = time.perf_counter() - started
    times = []
    for token_id in token_ids[:_NUM_DECODED]:
        cancel.raise_if_cancelled()
        started = time.perf_counter()
        parts.runner.step(torch.tensor([token_id]), cache)
        times.append(time.perf_counter() - started)
    cache.close()
    return len(token_ids) / prefill_s, 1 / median(times)


def _measure_stock(parts: EngineParts, token_ids: list[int], cancel: CancelToken) -> tuple[float, float]:
    model, chunk = parts.loaded.model, parts.settings.prefill_chunk
    cache = DynamicCache(config=model.config)
    ids = torch.tensor([token_ids], device=model.device)
    model.set_attn_implementation("sdpa")
    try:
        with torch.inference_mode():
            started = time.perf_counter()
            for start in range(0, len(token_ids), chunk):
                cancel.raise_if_cancelled()
                model(ids[:, start : start + chunk], cache=cache, logits_to_keep=1)
            prefill_s = time.perf_counter() - started
            times = []
            for index in range(min(_NUM_DECODED, len(token_ids))):
                started = time.perf_counter()
                model(ids[:, index : index + 1], cache=cache)
                times.append(time.perf_counter() - started)
    finally:
        model.set_attn_implementation(IMPLEMENTATION_NAME)
    return len(token_ids) / prefill_s, 1 / median(times)
