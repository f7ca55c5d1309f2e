"""Whether each mode finds what stands in a long text, asked of a model that can do nothing but recall.

Its weights are set by hand, so that it misses only what it is not shown: after "... k v ... k" it says v,
wherever k v stood. One head looks at the token before (by RoPE) and notes which it was; two layers later
another head looks, without positions, for where the current token was noted, and says the token found
there (induction: Elhage et al. 2021; Olsson et al. 2022).
"""

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import torch
from transformers import AutoConfig, AutoModelForCausalLM, PreTrainedConfig, PreTrainedModel

from core.attention.tiered import IMPLEMENTATION_NAME, register
from core.bench.result import BenchResult, Target
from core.cancel import CancelToken
from core.errors import UsageError
from core.generation.prefill import prefill
from core.generation.runner import ModelRunner
from core.kv.cache import TieredCache, num_tiered_layers
from core.kv.sparse import SparseSettings
from core.kv.store import KvSettings, KvStore
from core.kv.window import WindowSettings

VOCAB_SIZE = 4096
_DIM = 128
_IDENTITY, _BEFORE, _FOUND = (slice(index * _DIM, (index + 1) * _DIM) for index in range(3))
_CONSTANT = 3 * _DIM
_HIDDEN_SIZE = 3 * _DIM + 8
_BEFORE_LAYER, _MATCH_LAYER = 0, 2
_ROPE_THETA = 10.0
_BEFORE_SHARPNESS = 80.0
_MATCH_SHARPNESS = 40.0

_NUM_TOKENS = 32_768
_NUM_NEEDLES = 100
_TOKENS_PER_NEEDLE = 10
_CHUNK_TOKENS = 512
_CPU_KV = KvSettings(block_tokens=256, dtype=torch.bfloat16)
_WINDOW = WindowSettings(window=1024)


@dataclass(frozen=True)
class Needle:
    """`key_token` stands at `position` and nowhere else in the haystack, `value_token` right after it."""

    position: int
    key_token: int
    value_token: int


@dataclass(frozen=True)
class Haystack:
    """Random tokens with needles at evenly spread depths, the first and the last at its two ends.

    The very first token is filler: it has no token before it, and the model would take it for its own.
    """

    token_ids: list[int]
    needles: tuple[Needle, ...]


def make_haystack(num_tokens: int, num_needles: int, seed: int = 0) -> Haystack:
    """`num_needles` keys and as many values, each token of them used once; filler from all others."""
    generator = torch.Generator().manual_seed(seed)
    rare, filler = torch.randperm(VOCAB_SIZE, generator=generator).split(
        [2 * num_needles, VOCAB_SIZE - 2 * num_needles]
    )
    token_ids = filler[torch.randint(filler.numel(), (num_tokens,), generator=generator)].tolist()
    needles = []
    for index, (key, value) in enumerate(rare.view(-1, 2).tolist()):
        position = 1 + round(index * (num_tokens - 3) / max(1, num_needles - 1))
        token_ids[position : position + 2] = [key, value]
        needles.append(Needle(position, key, value))
    return Haystack(token_ids, tuple(needles))


def recall_model(*, attention: str = IMPLEMENTATION_NAME) -> PreTrainedModel:
    """The model, in fp32: SmolLM3's architecture with three layers, of which the last has no RoPE.

    The layer in between does nothing; it is there because sparse decoding keeps two layers dense.
    """
    if attention == IMPLEMENTATION_NAME:
        register()
    model: PreTrainedModel = AutoModelForCausalLM.from_config(
        _config(), attn_implementation=attention, dtype=torch.float32
    )
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.zero_()
        _set_weights(dict(model.named_parameters()))
    model.eval()
    return model


def read_haystack(
    model: PreTrainedModel,
    haystack: Haystack,
    *,
    kv: KvSettings = _CPU_KV,
    window: WindowSettings | None = None,
    cancel: CancelToken | None = None,
) -> TieredCache:
    """The prefix to ask: everything read in exact mode, or with `window` in view."""
    cache = TieredCache(model.config, KvStore(kv, num_tiered_layers(model.config)))
    cache.attend_within(window)
    runner, cancel = ModelRunner(model), cancel or CancelToken()
    for _ in prefill(runner, cache, haystack.token_ids, chunk_tokens=_CHUNK_TOKENS, cancel=cancel):
        pass
    return cache


def found_needles(
    model: PreTrainedModel, prefix: TieredCache, needles: Sequence[Needle], cancel: CancelToken | None = None
) -> list[bool]:
    """For each needle whether its key, fed as one decoded token to a branch of its own, yields its value."""
    runner, cancel, found = ModelRunner(model), cancel or CancelToken(), []
    for needle in needles:
        cancel.raise_if_cancelled()
        branch = prefix.branch()
        logits = runner.step(torch.tensor([needle.key_token]), branch)
        branch.close()
        found.append(int(logits.argmax()) == needle.value_token)
    return found


def recall_rate(model: PreTrainedModel, prefix: TieredCache, needles: Sequence[Needle]) -> float:
    """The share of `needles` that are found, in whatever mode `prefix` is."""
    return sum(found_needles(model, prefix, needles)) / len(needles)


def measure(context: int | None, cancel: CancelToken, num_needles: int = _NUM_NEEDLES) -> BenchResult:
    """How many needles in `context` tokens each mode finds, on the CPU.

    Window mode is beside them for comparison: it finds what is in view and cannot find more.
    """
    num_tokens, least = context or _NUM_TOKENS, _TOKENS_PER_NEEDLE * num_needles
    if num_tokens < least:
        raise UsageError(
            "The context is too short for this benchmark",
            f"It hides {num_needles} needles, which takes {least:,} tokens or more.",
        )
    model, haystack, sparse = recall_model(), make_haystack(num_tokens, num_needles), SparseSettings()
    prefix = read_haystack(model, haystack, cancel=cancel)
    rows = [_row("exact", None, model, prefix, haystack, cancel)]
    prefix.decode_sparsely(sparse)
    rows.append(_row("sparse", sparse.budget, model, prefix, haystack, cancel))
    prefix.close()
    windowed = read_haystack(model, haystack, window=_WINDOW, cancel=cancel)
    rows.append(_row("window", _WINDOW.window, model, windowed, haystack, cancel))
    windowed.close()
    exact, chosen = (row["found"] / row["of"] for row in rows[:2])
    return BenchResult(
        tuple(rows),
        (
            Target("needles found, exact", exact, 1.0, at_least=True),
            Target("needles found, sparse", chosen, 0.99, at_least=True),
        ),
    )


def _row(
    mode: str,
    budget: int | None,
    model: PreTrainedModel,
    prefix: TieredCache,
    haystack: Haystack,
    cancel: CancelToken,
) -> dict[str, Any]:
    started = time.perf_counter()
    found = found_needles(model, prefix, haystack.needles, cancel)
    return {
        "mode": mode,
        "tokens": len(haystack.token_ids),
        "budget": len(haystack.token_ids) if budget is None else budget,
        "found": sum(found),
        "of": len(found),
        "ms_per_token": (time.perf_counter() - started) / len(found) * 1000,
    }


def _config() -> PreTrainedConfig:
    return AutoConfig.for_model(
        "smollm3",
        vocab_size=VOCAB_SIZE,
        hidden_size=_HIDDEN_SIZE,
        intermediate_size=8,
        num_hidden_layers=3,
        num_attention_heads=1,
        num_key_value_heads=1,
        head_dim=_DIM,
        no_rope_layers=[1, 1, 0],
        rope_parameters={"rope_type": "default", "rope_theta": _ROPE_THETA},
        max_position_embeddings=1 << 20,
        tie_word_embeddings=False,
        pad_token_id=0,
        bos_token_id=1,
        eos_token_id=2,
    )


def _set_weights(weights: dict[str, torch.nn.Parameter]) -> None:
    """The residual stream is four parts: which token, which token before, which was found, a constant 1.

    Each part that is filled has the norm 1, so that every RMSNorm divides by a number known beforehand;
    its weight multiplies by the same.
    """
    identity = torch.nn.functional.normalize(
        torch.randn(VOCAB_SIZE, _DIM, generator=torch.Generator().manual_seed(0)), dim=-1
    )
    weights["model.embed_tokens.weight"][:, _IDENTITY] = identity
    weights["model.embed_tokens.weight"][:, _CONSTANT] = 1.0
    weights["lm_head.weight"][:, _FOUND] = identity
    weights["model.norm.weight"].fill_(1.0)
    for layer, num_filled in enumerate((2, 3, 3)):
        norm = weights[f"model.layers.{layer}.input_layernorm.weight"]
        norm.fill_(math.sqrt(num_filled / _HIDDEN_SIZE))
    _look_at_the_token_before(*_projections(weights, _BEFORE_LAYER))
    _look_for_the_current_token(*_projections(weights, _MATCH_LAYER))


def _projections(weights: dict[str, torch.nn.Parameter], layer: int) -> list[torch.Tensor]:
    return [weights[f"model.layers.{layer}.self_attn.{name}_proj.weight"] for name in "qkvo"]


def _look_at_the_token_before(
    query: torch.Tensor, key: torch.Tensor, value: torch.Tensor, out: torch.Tensor
) -> None:
    """Keys that are the same everywhere, and queries turned back by one position.

    RoPE makes of them the score `_BEFORE_SHARPNESS` times the mean of cos(frequency * (distance - 1)) over
    all frequencies. It peaks at distance 1 alone; many frequencies near 1 (hence the small theta) set that
    apart from its neighbours.
    """
    num_pairs = _DIM // 2
    frequencies = _ROPE_THETA ** (-torch.arange(num_pairs, dtype=torch.float32) / num_pairs)
    size = math.sqrt(_BEFORE_SHARPNESS * math.sqrt(_DIM) / num_pairs)
    query[:num_pairs, _CONSTANT] = size * frequencies.cos()
    query[num_pairs:, _CONSTANT] = -size * frequencies.sin()
    key[:num_pairs, _CONSTANT] = size
    _set_copy(value[:, _IDENTITY])
    _set_copy(out[_BEFORE])


def _look_for_the_current_token(
    query: torch.Tensor, key: torch.Tensor, value: torch.Tensor, out: torch.Tensor
) -> None:
    """The score is `_MATCH_SHARPNESS` times the likeness of the current token and the one before a key."""
    size = math.sqrt(_MATCH_SHARPNESS * math.sqrt(_DIM))
    _set_copy(query[:, _IDENTITY], size)
    _set_copy(key[:, _BEFORE], size)
    _set_copy(value[:, _IDENTITY])
    _set_copy(out[_FOUND])


def _set_copy(weight: torch.Tensor, factor: float = 1.0) -> None:
    weight.copy_(torch.eye(_DIM) * factor)
