"""The cache that transformers sees: tiered where KV grows without bound, transformers' own elsewhere."""

import copy
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

import torch
from transformers import PreTrainedConfig
from transformers.cache_utils import (
    DYNAMIC_LAYER_TYPE_MAPPING,
    Cache,
    LinearAttentionCacheLayerMixin,
    get_layer_types_and_kwargs,
)

from core.attention.select import LowRankDigest
from core.errors import ModelError
from core.kv.latent_layer import LatentLayer
from core.kv.layer import TieredLayer
from core.kv.layer_store import LayerStore
from core.kv.sparse import SparseIndex, SparseSettings
from core.kv.store import KvSettings, KvStore
from core.kv.window import WindowSettings

TIERED_LAYER_TYPE = "full_attention"
BOUNDED_LAYER_TYPES = frozenset(
    {"sliding_attention", "chunked_attention", "conv", "linear_attention", "dummy"}
)


@dataclass(frozen=True)
class CacheUsage:
    """What one sequence holds: tokens by tier (a resident block counts as hot) and bytes over all layers."""

    total_tokens: int
    hot_tokens: int
    tail_bytes: int


@dataclass(frozen=True)
class Checkpoint:
    """A sequence as it was before a forward pass: for each layer how to get back, or the layer itself."""

    layers: tuple[Any, ...]


class TieredCache(Cache):
    """One sequence's KV. Sequences of one model share a `KvStore`, and a branch shares sealed blocks.

    Usable wherever transformers takes a cache, `model.generate` included, with a model loaded under
    `attn_implementation="tiered"`.
    """

    def __init__(self, config: PreTrainedConfig, store: KvStore | None = None) -> None:
        self._config = config
        text_config = config.get_text_config(decoder=True)
        layer_types, layer_kwargs = get_layer_types_and_kwargs(text_config)
        self.store = store or KvStore(KvSettings(), num_tiered_layers(config))
        keeps_latents = getattr(text_config, "kv_lora_rank", None) is not None
        tiered_layer = LatentLayer if keeps_latents else TieredLayer
        layers = [
            tiered_layer(_StoreOf(self.store, index))
            if layer_type == TIERED_LAYER_TYPE
            else DYNAMIC_LAYER_TYPE_MAPPING[layer_type](**kwargs)
            for index, (layer_type, kwargs) in enumerate(zip(layer_types, layer_kwargs, strict=True))
        ]
        super().__init__(layers=layers)
        modes = getattr(text_config, "kv_sharing_modes", None) or [None] * len(layers)
        self._first_tiered = layer_types.index(TIERED_LAYER_TYPE) if TIERED_LAYER_TYPE in layer_types else -1
        self._shared_layers = frozenset(index for index, mode in enumerate(modes) if mode == "store")

    @property
    def tiered_layers(self) -> list[TieredLayer]:
        return [layer for layer in self.layers if isinstance(layer, TieredLayer)]

    @property
    def num_tokens(self) -> int:
        return int(self.get_seq_length())

    @property
    def usage(self) -> CacheUsage:
        layers = self.tiered_layers
        num_cold_blocks = sum(
            share * sum(not block.is_resident for block in layers[position].blocks)
            for position, share in self.store.sampled_layers
            if layers
        )
        cold_tokens = round(num_cold_blocks * self.store.settings.block_tokens)
        return CacheUsage(
            total_tokens=self.num_tokens,
            hot_tokens=self.num_tokens - cold_tokens,
            tail_bytes=sum(layer.tail_bytes for layer in layers),
        )

    def update(
        self, key_states: torch.Tensor, value_states: torch.Tensor, layer_idx: int, *args: Any, **kwargs: Any
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Hand new keys and values to a layer; the layers below it are done and can seal their tails."""
        if layer_idx == self._first_tiered and self.store.streams:
            self.seal()
            self.store.plan_reads(
                (index, load)
                for index, layer in enumerate(self.layers)
                if isinstance(layer, TieredLayer)
                for load in layer.loads(key_states.shape[-2])
            )
        for index in range(layer_idx):
            layer = self.layers[index]
            if isinstance(layer, TieredLayer) and index not in self._shared_layers:
                layer.seal()
        updated: tuple[torch.Tensor, torch.Tensor] = super().update(
            key_states, value_states, layer_idx, *args, **kwargs
        )
        return updated

    def seal(self) -> None:
        """Seal every full block; for the end of a forward pass."""
        for layer in self.tiered_layers:
            layer.seal()

    def branch(self) -> Self:
        """A sequence that continues from here without computing or copying what came before.

        Sealed blocks are shared; tails and the small states of other layers are copied.
        """
        twin = copy.copy(self)
        twin.layers = [
            layer.branch() if isinstance(layer, TieredLayer) else _copy_bounded_layer(layer)
            for layer in self.layers
        ]
        return twin

    def checkpoint(self) -> Checkpoint:
        """What `restore` needs; cheap enough for every token.

        Only recurrent states are copied, which are updated in place. They cannot be cropped either.
        """
        return Checkpoint(tuple(map(_checkpoint_of, self.layers)))

    def restore(self, checkpoint: Checkpoint) -> None:
        """Take back a forward pass that failed at whatever place: all layers are as at `checkpoint`.

        A checkpoint serves once, for the one pass that came after it.
        """
        self.store.abandon_reads()
        for index, before in enumerate(checkpoint.layers):
            layer = self.layers[index]
            if isinstance(layer, TieredLayer):
                layer.restore(before)
            else:
                self.layers[index] = before

    @property
    def is_sparse(self) -> bool:
        return any(layer.sparse is not None for layer in self.tiered_layers)

    def decode_sparsely(
        self,
        settings: SparseSettings,
        index_type: type[SparseIndex] = SparseIndex,
        digests: Mapping[int, LowRankDigest] | None = None,
    ) -> None:
        """From now on decode from chosen units of what is sealed now, in all but the first tiered layers.

        Branches taken afterwards share the digests and choose for themselves. `index_type` is for
        comparisons: a `SparseIndex` that chooses in another way. `digests`, by index in the model, are those
        that were made before of just these tokens.
        """
        layers = self.tiered_layers[settings.dense_layers :]
        digest_of = {id(self.layers[index]): digest for index, digest in (digests or {}).items()}
        try:
            for layer in layers:
                layer.decode_sparsely(settings, index_type, digest_of.get(id(layer)))
        except BaseException:
            for layer in layers:
                layer.sparse = None
            raise

    @property
    def sparse_settings(self) -> SparseSettings | None:
        """How this sequence chooses what it reads; None if it reads everything."""
        readers = (layer.sparse for layer in self.tiered_layers if layer.sparse is not None)
        return next((reader.index.settings for reader in readers), None)

    def decode_exactly(self) -> None:
        """From now on decode from everything."""
        for layer in self.tiered_layers:
            layer.sparse = None

    def decode_like(self, other: Self) -> None:
        """Choose what is read as `other` does, from which this sequence branched off at some time."""
        for layer, theirs in zip(self.tiered_layers, other.tiered_layers, strict=True):
            layer.sparse = theirs.sparse.branch() if theirs.sparse is not None else None

    def attend_within(self, window: WindowSettings | None) -> None:
        """From now on read and decode with nothing but `window` in view; None gives the whole sequence back.

        The KV of all tokens is kept, but what was computed with a window in view stays as it is. Branches
        taken afterwards do the same.
        """
        for layer in self.tiered_layers:
            layer.window = window

    def promote(self) -> None:
        """Make the newest blocks of this sequence resident."""
        for layer in self.tiered_layers:
            layer.promote()

    def empty(self) -> None:
        """Let go of everything and be as newly made."""
        fresh = type(self)(self._config, self.store)
        self.close()
        self.layers = fresh.layers

    def close(self) -> None:
        """Let go of everything; closing twice is harmless."""
        for layer in self.tiered_layers:
            layer.reset()
        self.layers = [layer for layer in self.layers if isinstance(layer, TieredLayer)]


def num_tiered_layers(config: PreTrainedConfig) -> int:
    """How many layers of `config` keep their KV in the tiers.

    Raises `ModelError` if a layer's KV grows with the context and the engine cannot tier it.
    """
    layer_types, _ = get_layer_types_and_kwargs(config.get_text_config(decoder=True))
    unknown = sorted(set(layer_types) - BOUNDED_LAYER_TYPES - {TIERED_LAYER_TYPE})
    if unknown:
        raise ModelError(
            "The engine cannot run this model",
            f"It has layers of a kind whose cache cannot be tiered: {', '.join(unknown)}. "
            "Choose another model.",
        )
    return layer_types.count(TIERED_LAYER_TYPE)


@dataclass(frozen=True)
class _StoreOf:
    """Finds or makes the tiers of one layer once its keys are known."""

    store: KvStore
    layer_idx: int

    def __call__(self, key: torch.Tensor, value: torch.Tensor) -> LayerStore:
        return self.store.layer(self.layer_idx, key, value)


def _checkpoint_of(layer: Any) -> Any:
    """Layers with a window replace their tensors; recurrent and convolutional ones write into them."""
    if isinstance(layer, TieredLayer):
        return layer.checkpoint()
    if isinstance(layer, LinearAttentionCacheLayerMixin):
        return _copy_bounded_layer(layer)
    return copy.copy(layer)


def _copy_bounded_layer(layer: Any) -> Any:
    """A copy of one of transformers' own layers with tensors of its own (some are updated in place)."""
    twin = copy.copy(layer)
    for name, value in vars(layer).items():
        if isinstance(value, torch.Tensor):
            setattr(twin, name, value.clone())
        elif isinstance(value, dict):
            copied = {k: v.clone() if isinstance(v, torch.Tensor) else v for k, v in value.items()}
            setattr(twin, name, copied)
    return twin
