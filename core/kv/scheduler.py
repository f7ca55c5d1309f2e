"""Re-evaluates, every few decoded tokens, which blocks should be resident."""

from collections.abc import Callable, Iterable

from core.kv.layer_store import LayerStore
from core.kv.traffic import TrafficMeter


class Scheduler:
    """Measures the hot share of each interval and lets the layers move blocks at its end.

    `hot_share` is the share of the sealed bytes that attention asked for in the last complete interval
    which were on the compute device already; None before the first one. Where everything is read at every
    token no block is in greater demand than another, and nothing moves.
    """

    def __init__(
        self, interval_tokens: int, traffic: TrafficMeter, layers: Callable[[], Iterable[LayerStore]]
    ) -> None:
        self.interval_tokens = interval_tokens
        self._traffic = traffic
        self._layers = layers
        self._num_tokens = 0
        self._hot_bytes = 0
        self._loaded_bytes = 0
        self.hot_share: float | None = None

    def after_token(self) -> int:
        """A step of the traffic meter decoded a token; returns the bytes that are moved because of it."""
        self._num_tokens += 1
        self._hot_bytes += self._traffic.step_hot_bytes
        self._loaded_bytes += self._traffic.step_host_to_device_bytes
        if self._num_tokens < self.interval_tokens:
            return 0
        read_bytes = self._hot_bytes + self._loaded_bytes
        self.hot_share = self._hot_bytes / read_bytes if read_bytes else None
        self._num_tokens = self._hot_bytes = self._loaded_bytes = 0
        return sum(layer.rebalance() for layer in self._layers())
