"""The experts on the compute device: slots of one size, the least recently used expert gives way."""

from collections import OrderedDict

import torch

from core.kv.memory import allocate_rows

ExpertKey = tuple[int, int]
"""`(layer_index, expert_index)`; layers count only those with experts."""


class ExpertPool:
    """A fixed number of slots, allocated at once. A slot holds one expert whole or nothing.

    Loading has two phases: `prepare_load` reserves a slot whose bytes are not valid yet, `complete_load`
    makes them valid. An expert in flight is never evicted.
    """

    def __init__(self, slot_bytes: int, num_slots: int, device: torch.device) -> None:
        assert num_slots > 0, "a pool without slots cannot run a layer"
        self._rows = allocate_rows(num_slots, slot_bytes, device)
        self._free = list(range(num_slots))
        self._residents: OrderedDict[ExpertKey, int] = OrderedDict()
        self._in_flight: dict[ExpertKey, int] = {}

    @property
    def num_slots(self) -> int:
        return self._rows.shape[0]

    @property
    def size_bytes(self) -> int:
        return self._rows.numel()

    @property
    def residents(self) -> tuple[ExpertKey, ...]:
        """Valid experts, least recently used first."""
        return tuple(self._residents)

    def is_resident(self, key: ExpertKey) -> bool:
        return key in self._residents

    def row(self, slot: int) -> torch.Tensor:
        """The bytes of a slot, uint8 `(slot_bytes,)`."""
        return self._rows[slot]

    def use(self, key: ExpertKey) -> int | None:
        """The slot of a resident, which becomes the most recently used one; None if it is not here."""
        slot = self._residents.get(key)
        if slot is not None:
            self._residents.move_to_end(key)
        return slot

    def prepare_load(self, key: ExpertKey) -> tuple[int, ExpertKey | None]:
        """Reserve a slot for `key`; also returns who was evicted for it."""
        assert key not in self._residents, "a resident is not loaded again"
        assert key not in self._in_flight, "an expert in flight is not loaded again"
        evicted = None
        if not self._free:
            assert self._residents, "not every slot is in flight"
            evicted, slot = self._residents.popitem(last=False)
            self._free.append(slot)
        self._in_flight[key] = self._free.pop()
        return self._in_flight[key], evicted

    def complete_load(self, key: ExpertKey) -> None:
        """The bytes of `key` have arrived; from now on it may be used and evicted."""
        self._residents[key] = self._in_flight.pop(key)

    def cancel_load(self, key: ExpertKey) -> None:
        """The bytes of `key` will not arrive; its slot is free again."""
        self._free.append(self._in_flight.pop(key))

    def check_integrity(self) -> None:
        slots = [*self._free, *self._residents.values(), *self._in_flight.values()]
        assert sorted(slots) == list(range(self.num_slots)), "each slot is free, used or in flight, once"
        assert self._residents.keys().isdisjoint(self._in_flight), "no expert is valid and in flight"
