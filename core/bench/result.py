"""What a benchmark gives: rows of figures, and targets that are met or not."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Target:
    """A figure and what it should be; `at_least` says which side is good."""

    name: str
    value: float
    wanted: float
    at_least: bool

    @property
    def is_met(self) -> bool:
        return self.value >= self.wanted if self.at_least else self.value <= self.wanted


@dataclass(frozen=True)
class Chart:
    """One bar for each label, all in the same `unit`."""

    title: str
    unit: str
    bars: Mapping[str, float]


@dataclass(frozen=True)
class BenchResult:
    """`rows` are printed as a table, each a mapping of column to value."""

    rows: tuple[dict[str, Any], ...]
    targets: tuple[Target, ...] = field(default=())
    chart: Chart | None = None
