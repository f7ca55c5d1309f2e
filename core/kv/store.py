"""The tiers of every layer, shared by all sequences of a model."""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property

import torch

from core.kv.block import DEFAULT_BLOCK_TOKENS, BlockShape
from core.kv.codec import Codec
from core.kv.executor import Executor, executor_for
from core.kv.host_memory import HostMemory
from core.kv.layer_store import SEGMENT_BLOCKS, LayerStore
from core.kv.memory import release_unused
from core.kv.scheduler import Scheduler
from core.kv.streamer import Load, Streamer
from core.kv.traffic import TrafficMeter
from core.settings import DEFAULT_MIGRATION_INTERVAL

CUT_NOTE = (
    "Some keys or values of this model are larger than float16 can hold. They were cut to the largest number "
    "it holds, so that answers may be less precise. Choose --kv-dtype bfloat16 or float32."
)


@dataclass(frozen=True)
class KvSettings:
    """How the KV of a model is kept.

    `dtype` is that of unsealed KV and of the codec `none` (None: as computed); `codec` is one of
    `core.settings.KV_CODECS`. `hot_budget_bytes` bounds the copies of sealed blocks on the compute device,
    over all layers; of these the first `whole_layers`, which sparse decoding reads whole, get up to
    `whole_tokens` tokens each before the others share the rest. Every `migration_interval` decoded tokens
    it is looked at anew which blocks are resident. `host_memory_strategy` and `host_memory_policy` are those
    of `HostMemory`.
    """

    block_tokens: int = DEFAULT_BLOCK_TOKENS
    dtype: torch.dtype | None = None
    codec: str = "none"
    hot_budget_bytes: int = 0
    whole_layers: int = 0
    whole_tokens: int = 0
    migration_interval: int = DEFAULT_MIGRATION_INTERVAL
    host_memory_strategy: str = "auto"
    host_memory_policy: str = "default"


@dataclass(frozen=True)
class Shard:
    """Tiered layers whose KV one compute device holds, by their index in the model.

    `hot_budget_bytes` is for all of them together. With an `executor`, which is for tests, their cold blocks
    are streamed on a CPU as they are on a GPU.
    """

    layer_idxs: frozenset[int]
    hot_budget_bytes: int
    executor: Executor | None = None


class KvStore:
    """One `LayerStore` for each tiered layer, made when the layer first sees keys."""

    def __init__(
        self,
        settings: KvSettings,
        num_layers: int,
        executor: Executor | None = None,
        shards: Sequence[Shard] = (),
    ) -> None:
        """`shards` divide the layers among devices, each with a budget of its own; then the budget in
        `settings` is only their sum. `executor` is that of the layers when nothing is divided.
        """
        assert not shards or sum(len(shard.layer_idxs) for shard in shards) == num_layers
        self.settings = settings
        self.traffic = TrafficMeter()
        self.shards = tuple(shards)
        whole = _Part(settings, num_layers, settings.hot_budget_bytes, executor)
        self._parts = tuple(
            _Part(settings, len(shard.layer_idxs), shard.hot_budget_bytes, shard.executor) for shard in shards
        ) or (whole,)
        self._part_of = {
            layer_idx: part
            for shard, part in zip(shards, self._parts, strict=False)
            for layer_idx in shard.layer_idxs
        }
        self._layers: dict[int, LayerStore] = {}
        self._streamer_of: dict[int, Streamer] = {}
        self._num_expected_blocks = 0
        self.scheduler = Scheduler(settings.migration_interval, self.traffic, self._layers.values)

    @property
    def notes(self) -> tuple[str, ...]:
        """What the host memory is instead of what was asked for, in words for the user."""
        notes = (note for part in self._parts for memory in part.memories.values() for note in memory.notes)
        cut = [CUT_NOTE] if any(layer.was_cut for layer in self.layers) else []
        return (*dict.fromkeys(notes), *cut)

    @property
    def layers(self) -> tuple[LayerStore, ...]:
        return tuple(self._layers.values())

    @property
    def hot_bytes(self) -> int:
        """Bytes of resident blocks, over all layers."""
        return sum(layer.hot.num_used * layer.hot.block_bytes for layer in self.layers)

    @property
    def hot_bytes_by_shard(self) -> tuple[int, ...]:
        """The same for each shard, in their order."""
        return tuple(
            sum(
                layer.hot.num_used * layer.hot.block_bytes
                for layer_idx, layer in self._layers.items()
                if layer_idx in shard.layer_idxs
            )
            for shard in self.shards
        )

    @property
    def cold_bytes(self) -> int:
        """Bytes of sealed blocks in host memory, over all layers."""
        return sum(
            (layer.cold.num_used - layer.cold.num_mapped) * layer.cold.block_bytes for layer in self.layers
        )

    @property
    def disk_bytes(self) -> int:
        """Bytes of sealed blocks that lie in mapped files instead, over all layers."""
        return sum(layer.cold.num_mapped * layer.cold.block_bytes for layer in self.layers)

    @cached_property
    def sampled_layers(self) -> tuple[tuple[int, float], ...]:
        """Layers that tell how much of a sequence is hot: their position among the tiered layers, and the
        share of these that are as hot, because they are in the same shard."""
        if not self.shards:
            return ((0, 1.0),)
        ordered = sorted(layer_idx for shard in self.shards for layer_idx in shard.layer_idxs)
        return tuple(
            (ordered.index(min(shard.layer_idxs)), len(shard.layer_idxs) / len(ordered))
            for shard in self.shards
        )

    def layer(self, layer_idx: int, key: torch.Tensor, value: torch.Tensor) -> LayerStore:
        """The store of a layer whose keys and values look like these `(batch, num_kv_heads, n, dim)`."""
        if layer_idx not in self._layers:
            shape = BlockShape(
                num_kv_heads=key.shape[1],
                k_dim=key.shape[-1],
                v_dim=value.shape[-1],
                dtype=self.settings.dtype or key.dtype,
                num_tokens=self.settings.block_tokens,
            )
            codec = Codec(self.settings.codec, shape, key.dtype)
            part = self._part(layer_idx)
            streamer = part.streamer(key.device, codec)
            self._layers[layer_idx] = LayerStore(
                codec,
                part.num_slots(codec, is_whole=len(self._layers) < self.settings.whole_layers),
                key.device,
                self.traffic,
                part.memory(key.device),
                streamer,
            )
            self._layers[layer_idx].cold.expect(self._num_expected_blocks)
            if streamer is not None:
                self._streamer_of[layer_idx] = streamer
        return self._layers[layer_idx]

    def expect(self, num_tokens: int) -> None:
        """A sequence of so many tokens will be read: each layer lays its blocks into one piece of memory."""
        self._num_expected_blocks = num_tokens // self.settings.block_tokens
        for layer in self.layers:
            layer.cold.expect(self._num_expected_blocks)

    def check_integrity(self) -> None:
        for layer in self.layers:
            layer.check_integrity()
        for streamer in self._streamers:
            streamer.check_integrity()

    def plan_reads(self, loads: Iterable[tuple[int, Load]]) -> None:
        """Start bringing over what a forward pass will read, each load with its layer, in the order given."""
        by_streamer: dict[Streamer, list[Load]] = {streamer: [] for streamer in self._streamers}
        for layer_idx, load in loads:
            by_streamer[self._streamer_of[layer_idx]].append(load)
        for streamer, planned in by_streamer.items():
            streamer.plan(planned)

    def abandon_reads(self) -> None:
        """Forget what is planned and under way: the forward pass that wanted it has failed."""
        for streamer in self._streamers:
            streamer.abandon()

    def shrink_hot(self, device_type: str | None = None) -> int:
        """Give half of the hot tier's memory back, on devices of one type or on all; returns the bytes.

        Every block stays in the cold tier, no block is resident afterwards. 0 if there was nothing to give.
        """
        layers = [x for x in self.layers if device_type in (None, x.hot.device.type)]
        before = sum(layer.hot.size_bytes for layer in layers)
        if layers or device_type is None:
            before += sum(part.halve_hot_budget(self._num_layers_of(part)) for part in self._parts)
        _take_slots({layer: layer.give_up_hot() // 2 for layer in layers})
        return before - sum(layer.hot.size_bytes for layer in layers)

    def divide_anew(self, settings: KvSettings, shards: Sequence[Shard] = ()) -> None:
        """Give the layers other shares of the hot tier; what is sealed stays, and so does how it is kept.

        `settings` differ from those before in hot bytes, whole layers and the interval only, `shards` in
        their budgets. A layer whose share stays keeps its resident blocks.
        """
        self.settings, self.shards = settings, tuple(shards)
        self.scheduler.interval_tokens = settings.migration_interval
        budgets = [shard.hot_budget_bytes for shard in shards] or [settings.hot_budget_bytes]
        for part, budget in zip(self._parts, budgets, strict=True):
            part.begin_anew(settings, budget)
        changed = {}
        for position, (layer_idx, layer) in enumerate(self._layers.items()):
            is_whole = position < settings.whole_layers
            num_slots = self._part(layer_idx).num_slots(layer.codec, is_whole=is_whole)
            if num_slots != layer.hot.num_rows:
                layer.give_up_hot()
                changed[layer] = num_slots
        _take_slots(changed)

    @property
    def streams(self) -> bool:
        """Whether cold blocks have to be brought to a device to be read."""
        return bool(self._streamer_of)

    def _part(self, layer_idx: int) -> "_Part":
        return self._part_of[layer_idx] if self._part_of else self._parts[0]

    def _num_layers_of(self, part: "_Part") -> int:
        """How many layers of a part have seen keys."""
        return sum(self._part(layer_idx) is part for layer_idx in self._layers)

    @property
    def _streamers(self) -> list[Streamer]:
        return [streamer for part in self._parts for streamer in part.streamers.values()]


class _Part:
    """What layers that are kept together share: a hot budget and, on each device they compute on, staging
    slots and the kind of host memory that is near it."""

    def __init__(
        self, settings: KvSettings, num_layers: int, hot_budget_bytes: int, executor: Executor | None
    ) -> None:
        self._num_layers = num_layers
        self._executor = executor
        self.streamers: dict[torch.device, Streamer] = {}
        self.memories: dict[torch.device, HostMemory] = {}
        self.begin_anew(settings, hot_budget_bytes)

    def begin_anew(self, settings: KvSettings, hot_budget_bytes: int) -> None:
        """No layer has had its share of the hot bytes yet."""
        self._settings = settings
        self._hot_bytes_left = hot_budget_bytes
        self._layers_left = self._num_layers

    def streamer(self, device: torch.device, codec: Codec) -> Streamer | None:
        """One ring of staging slots for each device, large enough for the largest segment there."""
        if device.type == "cpu" and self._executor is None:
            return None
        slot_bytes = SEGMENT_BLOCKS * codec.block_bytes
        if device not in self.streamers:
            executor = self._executor or executor_for(device)
            self.streamers[device] = Streamer(executor, device, slot_bytes)
        streamer = self.streamers[device]
        streamer.require_slot_bytes(slot_bytes)
        return streamer

    def memory(self, device: torch.device) -> HostMemory:
        if device not in self.memories:
            self.memories[device] = HostMemory(
                self._settings.host_memory_strategy, self._settings.host_memory_policy, device
            )
        return self.memories[device]

    def halve_hot_budget(self, num_made: int) -> int:
        """For the layers that have not seen keys yet, all but `num_made`; the bytes they will not take."""
        before = self._hot_bytes_per_layer
        self._hot_bytes_left //= 2
        return (before - self._hot_bytes_per_layer) * (self._num_layers - num_made)

    def num_slots(self, codec: Codec, *, is_whole: bool) -> int:
        """The hot slots of the next layer; those that are read whole come first."""
        if not is_whole:
            return self._hot_bytes_per_layer // codec.block_bytes
        whole_blocks = -(-self._settings.whole_tokens // codec.shape.num_tokens)
        num_slots = min(self._hot_bytes_left // codec.block_bytes, whole_blocks)
        self._hot_bytes_left -= num_slots * codec.block_bytes
        self._layers_left -= 1
        return num_slots

    @property
    def _hot_bytes_per_layer(self) -> int:
        """What each layer gets that is not read whole."""
        return self._hot_bytes_left // max(self._layers_left, 1)


def _take_slots(num_slots: Mapping[LayerStore, int]) -> None:
    """Give layers whose hot tiers are empty so many slots, as far as there is memory."""
    release_unused()
    for layer, count in num_slots.items():
        with suppress(MemoryError, RuntimeError):  # without slots there is less to be hot, nothing else
            layer.hot.resize(count)
