"""Streams cold blocks to the compute device ahead of the attention that reads them."""

from collections import deque
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, field

import torch

from core.kv.executor import Executor, Fence
from core.kv.memory import allocate_rows

NUM_SLOTS = 3


@dataclass(frozen=True)
class Load:
    """One batch of blocks to bring over: what it is, how large, and where its bytes lie on the host.

    `key` tells two loads apart; `pieces` gives uint8 views `(num_rows, row_bytes)` in order.
    """

    key: Hashable
    num_bytes: int
    pieces: Callable[[], Sequence[torch.Tensor]]


@dataclass
class _Slot:
    """A piece of device memory. `read_fence` is passed when its last reader is done."""

    memory: torch.Tensor
    key: Hashable = None
    load_fence: Fence = None
    read_fence: Fence = None
    is_free: bool = field(default=True)


class Streamer:
    """A ring of staging slots that is filled in the order of a plan, ahead of who reads.

    `plan` says what a forward pass will read, layer after layer; while attention reads one load the next
    ones are under way. A load that was not planned is brought over when it is asked for. A slot is refilled
    only after the computation that read it, computation on a slot starts only after its copy.
    """

    def __init__(
        self, executor: Executor, device: torch.device, slot_bytes: int, num_slots: int = NUM_SLOTS
    ) -> None:
        self._executor = executor
        self._device = device
        self._slots = [_Slot(allocate_rows(1, slot_bytes, device)[0]) for _ in range(num_slots)]
        self._planned: deque[Load] = deque()
        self._in_use: _Slot | None = None

    @property
    def slot_bytes(self) -> int:
        return self._slots[0].memory.numel()

    def require_slot_bytes(self, slot_bytes: int) -> None:
        """Make the slots at least this large; only between two loads."""
        if slot_bytes <= self.slot_bytes:
            return
        assert self._in_use is None, "slots grow between two loads"
        self.plan([])
        self._slots = [_Slot(allocate_rows(1, slot_bytes, self._device)[0]) for _ in self._slots]

    def plan(self, loads: Iterable[Load]) -> None:
        """What will be read from now on, in order; loads of an older plan are dropped."""
        self._planned = deque(loads)
        wanted = {load.key for load in self._planned}
        for slot in self._slots:
            if not slot.is_free and slot is not self._in_use and slot.key not in wanted:
                self._drop(slot)
        loaded = {slot.key for slot in self._slots if not slot.is_free}
        self._planned = deque(load for load in self._planned if load.key not in loaded)
        self._fill()

    def take(self, load: Load) -> torch.Tensor:
        """The bytes of `load`, uint8 `(num_bytes,)` on the device, until `give_back` is called."""
        assert self._in_use is None, "one load is read at a time"
        slot = self._find(load.key)
        if slot is None:
            self._drop_planned(load.key)
            slot = self._free_slot() or self._sacrifice()
            self._start(slot, load)
        self._executor.hold_compute_until(slot.load_fence)
        self._in_use = slot
        self._fill()
        return slot.memory[: load.num_bytes]

    def give_back(self) -> None:
        """The computation on what `take` gave has been issued; its slot may be refilled after it."""
        assert self._in_use is not None, "take comes before give_back"
        self._in_use.read_fence = self._executor.compute_fence()
        self._let_go(self._in_use)
        self._in_use = None
        self._fill()

    def abandon(self) -> None:
        """Forget what is planned, under way and in use: the computation that wanted it has failed."""
        self._in_use = None
        self.plan([])

    def check_integrity(self) -> None:
        keys = [slot.key for slot in self._slots if not slot.is_free]
        assert len(keys) == len(set(keys)), "no load is in two slots"
        assert self._in_use is None or not self._in_use.is_free, "a slot in use is not free"

    def _fill(self) -> None:
        while self._planned and (slot := self._free_slot()) is not None:
            self._start(slot, self._planned.popleft())

    def _start(self, slot: _Slot, load: Load) -> None:
        target = slot.memory[: load.num_bytes]

        def copy() -> None:
            done = 0
            for piece in load.pieces():
                flat = piece.reshape(-1)
                target[done : done + flat.numel()].copy_(flat, non_blocking=True)
                done += flat.numel()

        slot.load_fence = self._executor.copy(copy, slot.read_fence)
        slot.key, slot.is_free = load.key, False

    def _find(self, key: Hashable) -> _Slot | None:
        return next((slot for slot in self._slots if not slot.is_free and slot.key == key), None)

    def _free_slot(self) -> _Slot | None:
        return next((slot for slot in self._slots if slot.is_free), None)

    def _sacrifice(self) -> _Slot:
        """A slot for a load that was not planned; what it held is brought over again when it is asked for."""
        slot = next(slot for slot in self._slots if slot is not self._in_use)
        self._drop(slot)
        return slot

    def _drop(self, slot: _Slot) -> None:
        """Free a slot that nobody read. Its next copy must come after the one that may still be under way."""
        self._executor.hold_compute_until(slot.load_fence)
        slot.read_fence = self._executor.compute_fence()
        self._let_go(slot)

    def _drop_planned(self, key: Hashable) -> None:
        self._planned = deque(load for load in self._planned if load.key != key)

    def _let_go(self, slot: _Slot) -> None:
        slot.key, slot.is_free = None, True
