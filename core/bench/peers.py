"""Ways to keep the same model's KV, ours and transformers' own, ready to be timed side by side."""

import time
from abc import ABC, abstractmethod
from collections.abc import Iterator
from importlib.util import find_spec

import torch
from transformers import Cache, DynamicCache, QuantizedCache

from core.bench.filled import Source, with_stock_attention
from core.kv.cache import TieredCache
from core.kv.sparse import SparseSettings
from core.kv.store import KvStore
from core.models.loader import LoadedModel
from core.session import EngineParts


class Peer(ABC):
    """A filled cache and a model that continues it; `name` is what the table shows."""

    def __init__(self, name: str) -> None:
        self.name = name

    @abstractmethod
    def decode(self, token_ids: list[int]) -> float:
        """Feed tokens one by one; the seconds that took."""

    @property
    def loaded_bytes_per_token(self) -> float | None:
        """Bytes that each token since the filling brought to the compute device; None if nobody counts."""
        return None

    @abstractmethod
    def close(self) -> None:
        """Free the cache."""


class TieredPeer(Peer):
    """Our cache; with `sparse` it decodes sparsely."""

    def __init__(
        self, name: str, parts: EngineParts, source: Source, sparse: SparseSettings | None = None
    ) -> None:
        super().__init__(name)
        self._runner = parts.runner
        loaded = parts.loaded
        self.store = KvStore(parts.store.settings, loaded.reach.num_tiered_layers)
        self.cache = TieredCache(loaded.model.config, self.store)
        source.fill_tiers(self.cache, self.store)
        if sparse is not None:
            with torch.inference_mode():
                self.cache.decode_sparsely(sparse)
        self._num_decoded = 0
        self._loaded_before = self.store.traffic.host_to_device_bytes

    def decode(self, token_ids: list[int]) -> float:
        started = time.perf_counter()
        for token_id in token_ids:
            self.store.traffic.start_step()
            self._runner.step(torch.tensor([token_id]), self.cache)
            self.store.scheduler.after_token()
        _wait(self._runner.device)
        self._num_decoded += len(token_ids)
        return time.perf_counter() - started

    @property
    def loaded_bytes_per_token(self) -> float:
        loaded = self.store.traffic.host_to_device_bytes - self._loaded_before
        return loaded / max(1, self._num_decoded)

    def close(self) -> None:
        self.cache.close()


class StockPeer(Peer):
    """One of transformers' caches under its own attention."""

    def __init__(self, name: str, loaded: LoadedModel, cache: Cache, source: Source) -> None:
        super().__init__(name)
        self._loaded = loaded
        self._cache: Cache | None = cache
        source.fill_stock(cache)

    def decode(self, token_ids: list[int]) -> float:
        ids = torch.tensor([token_ids], device=self._loaded.device)
        started = time.perf_counter()

        def steps() -> None:
            for index in range(len(token_ids)):
                self._loaded.model(ids[:, index : index + 1], cache=self._cache, logits_to_keep=1)

        with_stock_attention(self._loaded, steps)
        _wait(self._loaded.device)
        return time.perf_counter() - started

    def close(self) -> None:
        self._cache = None


def stock_peers(loaded: LoadedModel, source: Source) -> Iterator[StockPeer]:
    """Those of transformers' caches that work here; the first is the one that ratios are against."""
    config = loaded.model.config
    yield StockPeer("transformers DynamicCache", loaded, DynamicCache(config=config), source)
    if find_spec("optimum") is not None and find_spec("optimum.quanto") is not None:
        for bits in (4, 2):
            quantized = QuantizedCache("quanto", config, nbits=bits)
            yield StockPeer(f"transformers QuantizedCache, quanto int{bits}", loaded, quantized, source)
    if loaded.device.type == "cuda":
        offloaded = DynamicCache(config=config, offloading=True)
        yield StockPeer("transformers DynamicCache, offloaded", loaded, offloaded, source)


def _wait(device: torch.device) -> None:
    if device.type == "cuda":
        torch.cuda.synchronize(device)
