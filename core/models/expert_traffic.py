"""The traffic meter of tiered experts."""

from dataclasses import dataclass


@dataclass
class ExpertTraffic:
    """Counts since it was made. A hit is an expert that was on the compute device when it was asked for.

    On a CPU-only machine nothing crosses a bus; the bytes then are what a GPU would have been sent.
    """

    host_to_device_bytes: int = 0
    hits: int = 0
    misses: int = 0
    evictions: int = 0

    @property
    def hit_rate(self) -> float | None:
        """The share of hits, None before the first expert was asked for."""
        asked = self.hits + self.misses
        return self.hits / asked if asked else None

    def count_hit(self) -> None:
        self.hits += 1

    def count_miss(self, num_bytes: int) -> None:
        self.misses += 1
        self.host_to_device_bytes += num_bytes

    def count_eviction(self) -> None:
        self.evictions += 1
