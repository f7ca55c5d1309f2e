"""Many branches of one prefix as one cache: a forward pass reads the prefix once for all of them."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any

import torch
from transformers import PreTrainedConfig
from transformers.cache_utils import (
    Cache,
    DynamicSlidingWindowLayer,
    LinearAttentionCacheLayerMixin,
    get_layer_types_and_kwargs,
)

from core.kv.cache import TieredCache
from core.kv.latent_layer import LatentLayer
from core.kv.layer import TieredLayer
from core.kv.pass_layout import PassLayout, Stretch, Window
from core.kv.row_layer import RowLayer, WindowRows
from core.kv.row_states import RowStates
from core.kv.store import KvStore
from core.kv.tiered_rows import LatentRows, TieredRows

_CHUNKED_LAYER_TYPE = "chunked_attention"


@dataclass(eq=False)
class Branch:
    """One branch of a batch: its place in it and how many tokens it has of its own.

    `num_coded` of the places in full-attention layers have been through the codec.
    """

    row: int
    num_own: int = 0
    num_coded: int = 0


@dataclass(frozen=True)
class Feed:
    """New tokens of one branch for the next forward pass."""

    branch: Branch
    token_ids: Sequence[int]


class BatchCache(Cache):
    """Branches that join and leave between two forward passes; the prefix is held once.

    Everything is read exactly, also where single branches of the prefix would choose: the bytes that a choice
    saves for one branch are needed by another. Models whose layers all attend take the tokens of all
    branches in one line, whatever their number (`packs`); models with states take as many of each.
    """

    def __init__(self, prefix: TieredCache, config: PreTrainedConfig) -> None:
        """`prefix` has a token at least and belongs to the batch from now on: take a branch of it."""
        self._prefix = prefix
        for tiered in self._prefix.tiered_layers:
            tiered.sparse = None
        self._first_tiered = next(
            index for index, layer in enumerate(self._prefix.layers) if isinstance(layer, TieredLayer)
        )
        types, _ = get_layer_types_and_kwargs(config.get_text_config(decoder=True))
        self._branches: list[Branch] = []
        self._layout: PassLayout | None = None
        self._states = {
            index: RowStates(layer)
            for index, layer in enumerate(self._prefix.layers)
            if isinstance(layer, LinearAttentionCacheLayerMixin)
        }
        super().__init__(
            layers=[
                self._rows_of(layer, is_chunked=layer_type == _CHUNKED_LAYER_TYPE)
                for layer, layer_type in zip(self._prefix.layers, types, strict=True)
            ]
        )

    @property
    def packs(self) -> bool:
        return not self._states

    @property
    def store(self) -> KvStore:
        """The tiers that the prefix lies in."""
        return self._prefix.store

    @property
    def layout(self) -> PassLayout:
        assert self._layout is not None, "only during a forward pass"
        return self._layout

    @property
    def num_rows(self) -> int:
        return len(self._branches)

    @property
    def num_prefix_tokens(self) -> int:
        return self._prefix.num_tokens

    @property
    def num_tokens(self) -> int:
        """The length of the longest sequence."""
        return self.num_prefix_tokens + max((branch.num_own for branch in self._branches), default=0)

    @property
    def own_bytes(self) -> int:
        """What the branches take beside the prefix, on their compute devices."""
        own = sum(layer.own_bytes for layer in self.layers if isinstance(layer, RowLayer))
        return own + sum(states.size_bytes for states in self._states.values())

    def branch_bytes(self, num_own: int) -> dict[torch.device, int]:
        """What a branch takes on each device while the longest has `num_own` tokens of its own."""
        by_device: dict[torch.device, int] = {}
        for layer in self.layers:
            if isinstance(layer, RowLayer):
                by_device[layer.device] = by_device.get(layer.device, 0) + layer.branch_bytes(num_own)
        for states in self._states.values():
            by_device[states.device] = by_device.get(states.device, 0) + states.branch_bytes
        return by_device

    @property
    def hot_tokens(self) -> int:
        """Of the prefix, the tokens that need not be brought to the device."""
        return self._prefix.usage.hot_tokens

    @property
    def shared_tail_bytes(self) -> int:
        """The prefix's unsealed tokens."""
        return self._prefix.usage.tail_bytes

    @torch.inference_mode()
    def join(self) -> Branch:
        """A new branch, which begins after the prefix."""
        branch = Branch(len(self._branches))
        for layer in self._tiered_rows:
            layer.start(branch.row)
        for states in self._states.values():
            states.start()
        self._branches.append(branch)
        return branch

    @torch.inference_mode()
    def leave(self, branch: Branch) -> None:
        """Forget a branch; the last one takes its place."""
        last = self._branches[-1]
        for layer in self.layers:
            if isinstance(layer, RowLayer) and last is not branch:
                layer.move(last.row, branch.row)
        for states in self._states.values():
            states.remove(branch.row)
        last.row = branch.row
        self._branches[branch.row] = last
        self._branches.pop()

    @torch.inference_mode()
    def shrink(self) -> None:
        """Give back at once what branches that left had; the next pass would do it layer by layer."""
        for layer in self.layers:
            if isinstance(layer, RowLayer):
                layer.shrink()

    @contextmanager
    def forward_pass(self, feeds: Sequence[Feed]) -> Iterator[PassLayout]:
        """Inside it the model may be run over the feeds, in their order; all branches grow or none does."""
        stretches = [Stretch(feed.branch.row, feed.branch.num_own, len(feed.token_ids)) for feed in feeds]
        self._layout = PassLayout(stretches, self.num_prefix_tokens)
        try:
            for index, states in self._states.items():
                self.layers[index] = states.select(self._layout.rows)
            yield self._layout
            left_to_do = self._coded(feeds)
        except BaseException:
            self.store.abandon_reads()
            raise
        finally:
            rows, self._layout = self._layout.rows, None
        for index, states in self._states.items():
            states.put(rows, self.layers[index])
        for feed in feeds:
            feed.branch.num_own += len(feed.token_ids)
        for work in left_to_do:
            work()

    def update(
        self, key_states: torch.Tensor, value_states: torch.Tensor, layer_idx: int, *args: Any, **kwargs: Any
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Hand new keys and values to a layer; the first one starts bringing over what all will read."""
        if layer_idx == self._first_tiered and self.store.streams:
            self.store.plan_reads(
                (index, load)
                for index, layer in enumerate(self._prefix.layers)
                if isinstance(layer, TieredLayer)
                for load in layer.loads(self.layout.num_new)
            )
        updated: tuple[torch.Tensor, torch.Tensor] = super().update(
            key_states, value_states, layer_idx, *args, **kwargs
        )
        return updated

    def promote(self) -> None:
        """Make the newest blocks of the prefix resident."""
        self._prefix.promote()

    def close(self) -> None:
        """Let go of everything; closing twice is harmless."""
        self._prefix.close()
        self._branches.clear()
        self._states.clear()
        self.layers = []

    @property
    def _tiered_rows(self) -> list[TieredRows]:
        return [layer for layer in self.layers if isinstance(layer, TieredRows)]

    def _rows_of(self, layer: Any, *, is_chunked: bool) -> Any:
        if isinstance(layer, LatentLayer):
            return LatentRows(self, layer)
        if isinstance(layer, TieredLayer):
            return TieredRows(self, layer)
        if isinstance(layer, DynamicSlidingWindowLayer):
            return WindowRows(self, layer, Window(layer.sliding_window, is_chunked))
        return layer

    def _coded(self, feeds: Sequence[Feed]) -> list[Callable[[], None]]:
        """What is left to do where own tokens have filled a block that a codec encodes: nothing can fail."""
        layers = [layer for layer in self._tiered_rows if layer.codec is not None]
        if not layers or layers[0].codec is None:
            return []
        size = layers[0].codec.shape.num_tokens
        left: list[Callable[[], None]] = []
        for feed in feeds:
            branch = feed.branch
            num_full = (layers[0].first + branch.num_own + len(feed.token_ids)) // size * size
            if num_full > branch.num_coded:
                for layer in layers:
                    coded = layer.coded(branch.row, branch.num_coded, num_full)
                    left.append(partial(layer.put, branch.row, branch.num_coded, *coded))
                left.append(partial(setattr, branch, "num_coded", num_full))
        return left
