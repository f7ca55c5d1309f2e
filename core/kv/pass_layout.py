"""Where the new tokens of several branches belong in one forward pass."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate

import torch


@dataclass(frozen=True)
class Stretch:
    """The new tokens of one branch: its place in the batch, its own tokens before, and how many come."""

    row: int
    num_before: int
    num_new: int


@dataclass(frozen=True)
class Window:
    """What a token of a layer with a window sees: the last `num_tokens`, itself included; with `is_chunked`
    those of its own chunk of so many."""

    num_tokens: int
    is_chunked: bool = False

    def first_visible(self, positions: torch.Tensor) -> torch.Tensor:
        if self.is_chunked:
            return positions // self.num_tokens * self.num_tokens
        return positions - self.num_tokens + 1


class PassLayout:
    """The stretches of one forward pass, one after the other; every layer asks this for the same indices.

    The tokens are numbered through all stretches (*packed*). Layers that attend within a branch bring them
    into one line a branch, as long as the longest stretch (*spread*); what stands beyond a shorter one is
    its last token again.
    """

    def __init__(self, stretches: Sequence[Stretch], num_prefix: int) -> None:
        assert stretches, "a pass has a token"
        assert all(stretch.num_new > 0 for stretch in stretches), "a stretch has a token"
        self.stretches = tuple(stretches)
        self.num_prefix = num_prefix
        self._indices: dict[torch.device, PassIndices] = {}
        self._masks: dict[tuple[object, ...], torch.Tensor] = {}

    @property
    def num_new(self) -> int:
        return sum(stretch.num_new for stretch in self.stretches)

    @property
    def is_even(self) -> bool:
        """Whether all stretches are equally long."""
        return len({stretch.num_new for stretch in self.stretches}) == 1

    @property
    def longest(self) -> int:
        return max(stretch.num_new for stretch in self.stretches)

    @cached_property
    def num_own(self) -> int:
        """The most tokens that a branch has of its own after the pass."""
        return max(stretch.num_before + stretch.num_new for stretch in self.stretches)

    @cached_property
    def rows(self) -> list[int]:
        return [stretch.row for stretch in self.stretches]

    def positions(self) -> list[int]:
        """Of every packed token, its position in its sequence."""
        return [self.num_prefix + place for place in self.places()]

    def places(self) -> list[int]:
        """Of every packed token, how many of its branch's own come before it."""
        return [s.num_before + i for s in self.stretches for i in range(s.num_new)]

    def lasts(self) -> list[int]:
        """The packed number of each stretch's last token."""
        return [end - 1 for end in accumulate(stretch.num_new for stretch in self.stretches)]

    def indices(self, device: torch.device) -> "PassIndices":
        if device not in self._indices:
            self._indices[device] = PassIndices.of(self, device)
        return self._indices[device]

    def visible_own(self, device: torch.device, first: int, window: Window | None) -> torch.Tensor:
        """Which own tokens each spread one sees: boolean `(num_stretches, 1, longest, first + num_own)`.

        `first` places before a branch's own tokens hold what comes before them; they are seen by all.
        """
        key = (device, first, window)
        if key not in self._masks:
            ends = self.indices(device).spread_places
            places = torch.arange(-first, self.num_own, device=device)
            visible = places <= ends.unsqueeze(-1)
            if window is not None:
                firsts = window.first_visible(ends + self.num_prefix) - self.num_prefix
                visible &= places >= firsts.unsqueeze(-1)
            self._masks[key] = visible.unsqueeze(1)
        return self._masks[key]

    def visible_before(self, device: torch.device, num_kept: int, window: Window) -> torch.Tensor:
        """Which of the prefix's last `num_kept` tokens each packed one sees: `(1, 1, num_new, num_kept)`."""
        key = (device, num_kept, window, "before")
        if key not in self._masks:
            positions = self.indices(device).places + self.num_prefix
            kept = torch.arange(self.num_prefix - num_kept, self.num_prefix, device=device)
            self._masks[key] = (kept >= window.first_visible(positions).unsqueeze(-1))[None, None]
        return self._masks[key]


@dataclass(frozen=True)
class PassIndices:
    """The numbers of a `PassLayout` on one device.

    `rows` `(num_stretches,)`; for each packed token its `row_of` and `places`, `(num_new,)`; `spread`
    `(num_stretches, longest)` names the packed token of each spread place, `packed` `(num_new,)` the spread
    place of each packed token, and `spread_places` says how many own tokens come before.
    """

    rows: torch.Tensor
    row_of: torch.Tensor
    places: torch.Tensor
    spread: torch.Tensor
    packed: torch.Tensor
    spread_places: torch.Tensor

    @classmethod
    def of(cls, layout: PassLayout, device: torch.device) -> "PassIndices":
        stretches, longest = layout.stretches, layout.longest
        starts = accumulate((s.num_new for s in stretches), initial=0)
        spread = [
            [start + min(i, s.num_new - 1) for i in range(longest)]
            for start, s in zip(starts, stretches, strict=False)
        ]
        packed = [line * longest + i for line, s in enumerate(stretches) for i in range(s.num_new)]

        def tensor(values: Sequence[object]) -> torch.Tensor:
            return torch.tensor(values, device=device)

        places = tensor(layout.places())
        return cls(
            rows=tensor(layout.rows),
            row_of=tensor([s.row for s in stretches for _ in range(s.num_new)]),
            places=places,
            spread=tensor(spread),
            packed=tensor(packed),
            spread_places=places[tensor(spread)],
        )
