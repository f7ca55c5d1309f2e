"""The tiers of every layer, shared by all sequences of a model."""

from collections.abc import Iterable
from dataclasses import dataclass

import torch

from core.kv.block import DEFAULT_BLOCK_TOKENS, BlockShape
from core.kv.codec import Codec
from core.kv.executor import Executor, executor_for
from core.kv.host_memory import HostMemory
from core.kv.layer_store import SEGMENT_BLOCKS, LayerStore
from core.kv.streamer import Load, Streamer
from core.kv.traffic import TrafficMeter


@dataclass(frozen=True)
class KvSettings:
    """How the KV of a model is kept.

    `dtype` is that of unsealed KV and of the codec `none` (None: as computed); `codec` is one of
    `core.settings.KV_CODECS`. `hot_budget_bytes` bounds the copies of sealed blocks on the compute device,
    over all layers. `host_memory_strategy` and `host_memory_policy` are those of `HostMemory`.
    """

    block_tokens: int = DEFAULT_BLOCK_TOKENS
    dtype: torch.dtype | None = None
    codec: str = "none"
    hot_budget_bytes: int = 0
    host_memory_strategy: str = "auto"
    host_memory_policy: str = "default"


class KvStore:
    """One `LayerStore` for each tiered layer, made when the layer first sees keys."""

    def __init__(self, settings: KvSettings, num_layers: int, executor: Executor | None = None) -> None:
        """`executor` is for tests: with one, cold blocks are streamed on a CPU as they are on a GPU."""
        self.settings = settings
        self._executor = executor
        self._streamers: dict[torch.device, Streamer] = {}
        self.traffic = TrafficMeter()
        self._num_layers = num_layers
        self._layers: dict[int, LayerStore] = {}
        self._memory: HostMemory | None = None

    @property
    def notes(self) -> tuple[str, ...]:
        """What the host memory is instead of what was asked for, in words for the user."""
        return self._memory.notes if self._memory is not None else ()

    @property
    def layers(self) -> tuple[LayerStore, ...]:
        return tuple(self._layers.values())

    @property
    def hot_bytes(self) -> int:
        """Bytes of resident blocks, over all layers."""
        return sum(layer.hot.num_used * layer.hot.block_bytes for layer in self.layers)

    @property
    def cold_bytes(self) -> int:
        """Bytes of sealed blocks in host memory, over all layers."""
        return sum(layer.cold.num_used * layer.cold.block_bytes for layer in self.layers)

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
            self._layers[layer_idx] = LayerStore(
                codec,
                self._num_slots(codec),
                key.device,
                self.traffic,
                self._host_memory(key.device),
                self._streamer(key.device, codec),
            )
        return self._layers[layer_idx]

    def check_integrity(self) -> None:
        for layer in self.layers:
            layer.check_integrity()
        for streamer in self._streamers.values():
            streamer.check_integrity()

    def plan_reads(self, loads_by_layer: Iterable[tuple[torch.device, Load]]) -> None:
        """Start bringing over what a forward pass will read, in the order given."""
        by_device: dict[torch.device, list[Load]] = {device: [] for device in self._streamers}
        for device, load in loads_by_layer:
            by_device[device].append(load)
        for device, loads in by_device.items():
            self._streamers[device].plan(loads)

    @property
    def streams(self) -> bool:
        """Whether cold blocks have to be brought to a device to be read."""
        return bool(self._streamers)

    def _streamer(self, device: torch.device, codec: Codec) -> Streamer | None:
        """One ring of staging slots for each device, large enough for the largest segment there."""
        if device.type == "cpu" and self._executor is None:
            return None
        slot_bytes = SEGMENT_BLOCKS * codec.block_bytes
        if device not in self._streamers:
            executor = self._executor or executor_for(device)
            self._streamers[device] = Streamer(executor, device, slot_bytes)
        streamer = self._streamers[device]
        streamer.require_slot_bytes(slot_bytes)
        return streamer

    def _host_memory(self, device: torch.device) -> HostMemory:
        if self._memory is None:
            self._memory = HostMemory(
                self.settings.host_memory_strategy, self.settings.host_memory_policy, device
            )
        return self._memory

    def _num_slots(self, codec: Codec) -> int:
        return self.settings.hot_budget_bytes // self._num_layers // codec.block_bytes
