"""Caches of any length without reading that much: real KV of a shorter text, repeated.

What attention costs depends on how many keys there are, not on what they say. Positions repeat with the
keys, so such a cache is for measuring time and bytes, never quality.
"""

import copy
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from transformers import Cache, DynamicCache
from transformers.cache_utils import DynamicLayer

from core.attention.tiered import IMPLEMENTATION_NAME
from core.cancel import CancelToken
from core.kv.cache import TieredCache
from core.kv.layer import TieredLayer
from core.kv.store import KvStore
from core.models.loader import LoadedModel

MAX_REAL_TOKENS = 16_384
_SOURCE_TOKENS = 4096
_CHUNK_TOKENS = 512


@dataclass(frozen=True)
class Source:
    """The cache of a real text as transformers keeps it, and how long a cache is to be made of it."""

    cache: DynamicCache
    num_tokens: int

    @property
    def is_tiled(self) -> bool:
        return bool(self.cache.get_seq_length() < self.num_tokens)

    def fill_tiers(self, cache: TieredCache, store: KvStore) -> None:
        """Bring an empty `cache` of `store` to `num_tokens`."""
        store.expect(self.num_tokens)
        with torch.inference_mode():
            for index, source in enumerate(self.cache.layers):
                layer = cache.layers[index]
                if not isinstance(layer, TieredLayer):
                    cache.layers[index] = copy.deepcopy(source)
                    continue
                for key, value in self._pieces(source):
                    layer.update(key, value)
                    layer.seal()

    def fill_stock(self, cache: Cache) -> None:
        """The same for one of transformers' caches, in one update a layer."""
        for index, source in enumerate(self.cache.layers):
            if type(source) is not DynamicLayer:
                cache.layers[index] = copy.deepcopy(source)
                continue
            key, value = (torch.cat(parts, dim=-2) for parts in zip(*self._pieces(source), strict=True))
            cache.update(key, value, index)

    def _pieces(self, layer: Any) -> Sequence[tuple[torch.Tensor, torch.Tensor]]:
        length, pieces = layer.keys.shape[-2], []
        for start in range(0, self.num_tokens, length):
            size = min(length, self.num_tokens - start)
            pieces.append((layer.keys[:, :, :size], layer.values[:, :, :size]))
        return pieces


def real_source(
    loaded: LoadedModel, token_ids: Sequence[int], cancel: CancelToken, max_real_tokens: int | None = None
) -> Source:
    """Read the beginning of `token_ids` with transformers' own attention.

    All of it is read up to `max_real_tokens`, None means up to 16K.
    """
    most = MAX_REAL_TOKENS if max_real_tokens is None else max_real_tokens
    num_real = len(token_ids) if len(token_ids) <= most else min(most, _SOURCE_TOKENS)
    cache = DynamicCache(config=loaded.model.config)
    ids = torch.tensor([token_ids[:num_real]], device=loaded.device)

    def read() -> None:
        for start in range(0, num_real, _CHUNK_TOKENS):
            cancel.raise_if_cancelled()
            loaded.model(ids[:, start : start + _CHUNK_TOKENS], cache=cache, logits_to_keep=1)

    with_stock_attention(loaded, read)
    return Source(cache, len(token_ids))


def with_stock_attention(loaded: LoadedModel, work: Callable[[], None]) -> None:
    """Run `work` while the model computes attention as transformers does by itself."""
    loaded.model.set_attn_implementation("sdpa")
    try:
        with torch.inference_mode():
            work()
    finally:
        loaded.model.set_attn_implementation(IMPLEMENTATION_NAME)
