"""What each codec costs in quality: the model's predictions on real text, all sealed KV encoded."""

import math

import torch

from core.bench.result import BenchResult, Target
from core.bench.sample import contract_tokens
from core.cancel import CancelToken
from core.engine import open_model
from core.generation.prefill import prefill
from core.generation.runner import ModelRunner
from core.kv.cache import TieredCache
from core.kv.store import KvSettings, KvStore
from core.models.loader import LoadedModel
from core.settings import KV_CODECS, EngineSettings

_NUM_TOKENS = 4096
_NUM_JUDGED = 1024
_WANTED = {"int8": (0.001, 0.99), "k8v4": (0.006, 0.965), "int4": (0.03, 0.92)}


def measure(settings: EngineSettings, context: int | None, cancel: CancelToken) -> BenchResult:
    """KL divergence from `none`, agreement of the likeliest token and perplexity over the last 1,024 tokens.

    The tokens before them are encoded; the judged ones are read one block at a time, so that nearly all
    their keys are encoded ones.
    """
    with open_model(settings, cancel=cancel) as engine:
        loaded = engine.parts.loaded
        token_ids = contract_tokens(loaded, context or _NUM_TOKENS)
        exact, _ = _log_probabilities(loaded, "none", token_ids, cancel)
        rows, targets = [], []
        for name in KV_CODECS:
            row = _judge(loaded, name, token_ids, exact, cancel)
            rows.append(row)
            if name in _WANTED:
                kl, same = _WANTED[name]
                targets.append(Target(f"{name}: KL", float(row["kl"]), kl, at_least=False))
                targets.append(Target(f"{name}: top-1 same", float(row["top1_same"]), same, at_least=True))
    return BenchResult(tuple(rows), tuple(targets))


def _judge(
    loaded: LoadedModel, name: str, token_ids: list[int], exact: torch.Tensor, cancel: CancelToken
) -> dict[str, float | str]:
    encoded, bits = _log_probabilities(loaded, name, token_ids, cancel)
    following = torch.tensor(token_ids[-_NUM_JUDGED + 1 :])
    likelihood = encoded[:-1].gather(1, following.unsqueeze(1)).mean()
    return {
        "codec": name,
        "bits_per_value": bits,
        "kl": float((exact.exp() * (exact - encoded)).sum(-1).mean()),
        "top1_same": float((exact.argmax(-1) == encoded.argmax(-1)).float().mean()),
        "perplexity": math.exp(-float(likelihood)),
    }


def _log_probabilities(
    loaded: LoadedModel, codec: str, token_ids: list[int], cancel: CancelToken
) -> tuple[torch.Tensor, float]:
    """fp32 `(1024, vocab_size)` of the last tokens, and the codec's bits a value."""
    store = KvStore(KvSettings(codec=codec, dtype=torch.float32), loaded.reach.num_tiered_layers)
    cache = TieredCache(loaded.model.config, store)
    block = store.settings.block_tokens
    before = token_ids[:-_NUM_JUDGED]
    for _ in prefill(ModelRunner(loaded.model), cache, before, chunk_tokens=block * 8, cancel=cancel):
        pass
    rows = []
    with torch.inference_mode():
        for start in range(len(before), len(token_ids), block):
            cancel.raise_if_cancelled()
            ids = torch.tensor([token_ids[start : start + block]], device=loaded.device)
            rows.append(loaded.model(ids, cache=cache).logits[0].float().log_softmax(-1).cpu())
            cache.seal()
    cache.close()
    return torch.cat(rows), store.layers[0].codec.bits_per_value
