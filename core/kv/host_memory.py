"""Host memory for the cold tier, of the kind that was asked for or the nearest that the machine has."""

import torch

from core.errors import DoesNotFitError
from core.kv import mapping
from core.kv.host_facts import huge_page_pool, probe_host
from core.kv.host_strategy import HUGETLB, MADVISE_HUGEPAGE, MMAP_ANONYMOUS, HostFacts, choose
from core.kv.mapping import ALIGNMENT_BYTES, Mapping
from core.kv.numa import bind, free_bytes, nearest_node
from core.memory_check import require_host_memory
from core.units import format_size


class HostRegion:
    """One piece of host memory. `free` gives it back to the system at once.

    A tensor cut from `tensor` that is still held somewhere keeps the memory until it goes: freeing early
    is never unsafe. `kind` is `hugetlb`, `madvise_hugepage` or `mmap_anonymous`.
    """

    def __init__(self, memory: Mapping, num_bytes: int, kind: str, *, is_pinned: bool) -> None:
        self.num_bytes = num_bytes
        self.kind = kind
        self.is_pinned = is_pinned
        with torch.inference_mode(mode=False):
            whole = torch.frombuffer(memory.view, dtype=torch.uint8)
            self._tensor: torch.Tensor | None = whole[:num_bytes]

    @property
    def tensor(self) -> torch.Tensor:
        """All bytes, uint8 `(num_bytes,)`, writable in and outside of inference mode."""
        assert self._tensor is not None, "memory is not used after it was freed"
        return self._tensor

    @property
    def is_freed(self) -> bool:
        return self._tensor is None

    def free(self) -> None:
        """Safe to call twice."""
        self._tensor = None


class HostMemory:
    """Gives out host memory; made once for all tiers of a model that computes on `device`.

    `strategy` and `policy` are of `core.settings.CPU_MEMORY_STRATEGIES` and `CPU_MEMORY_POLICIES`. What the
    machine refuses is replaced by the next best, and `notes` says so.
    """

    def __init__(
        self,
        strategy: str = "auto",
        policy: str = "default",
        device: torch.device | None = None,
        facts: HostFacts | None = None,
    ) -> None:
        device = device or torch.device("cpu")
        self._facts = facts or probe_host(device)
        choice = choose(strategy, self._facts)
        self._kind, self._is_pinned = choice.kind, choice.is_pinned
        self._notes: dict[str, str] = {}
        if choice.note is not None:
            self._notes["strategy"] = choice.note
        self._node: int | None = None
        if policy == "numactl_bind":
            nearest = nearest_node(device)
            self._node = nearest.node
            if nearest.node is None:
                self._note_unbound(nearest.reason)

    @property
    def notes(self) -> tuple[str, ...]:
        """Every fallback taken so far with its reason, once each, in words for the user."""
        return tuple(self._notes.values())

    @property
    def unit_bytes(self) -> int:
        """Sizes that are a multiple of this leave nothing unused."""
        page_bytes = self._facts.huge_page_bytes or 0
        return max(ALIGNMENT_BYTES, page_bytes) if self._kind == HUGETLB else ALIGNMENT_BYTES

    def allocate(self, num_bytes: int) -> HostRegion:
        """Uninitialised memory, in whole units of `unit_bytes`.

        Raises `DoesNotFitError`, before anything is taken, if the machine has no room for it.
        """
        whole_bytes = -(-num_bytes // self.unit_bytes) * self.unit_bytes
        kind = HUGETLB
        memory = self._reserved(whole_bytes) if self._kind == HUGETLB else None
        if memory is None:
            require_host_memory(whole_bytes, "The next part of the cache")
            kind, memory = self._ordinary(whole_bytes)
        is_pinned = self._is_pinned and self._pin(memory)
        mapping.release_with(memory, is_pinned=is_pinned)
        return HostRegion(memory, num_bytes, kind, is_pinned=is_pinned)

    def _reserved(self, num_bytes: int) -> Mapping | None:
        """Memory from the pool of huge pages; None, with a note, if the pool is short."""
        pool = huge_page_pool()
        num_needed = num_bytes // (self._facts.huge_page_bytes or num_bytes)
        if pool is None or pool.num_pages == 0:
            self._note_no_huge_pages("none are reserved (vm.nr_hugepages is 0)")
            return None
        if pool.num_free < num_needed:
            self._note_no_huge_pages(
                f"of the {pool.num_pages:,} reserved (vm.nr_hugepages) {pool.num_free:,} were left when "
                f"{num_needed:,} were needed"
            )
            return None
        try:
            memory = mapping.map_reserved_huge(num_bytes)
            self._bind(memory)
            mapping.populate(memory)
        except OSError as error:
            self._note_no_huge_pages(f"the system refused them ({error.strerror})")
            return None
        return memory

    def _ordinary(self, num_bytes: int) -> tuple[str, Mapping]:
        kind = self._facts.ordinary_kind if self._kind == HUGETLB else self._kind
        try:
            memory = mapping.map_ordinary(num_bytes, self.unit_bytes if kind == MADVISE_HUGEPAGE else 1)
        except OSError as error:
            raise DoesNotFitError(
                "Not enough memory",
                f"The system refused {format_size(num_bytes)} for the cache ({error.strerror}). Close other "
                "programs or choose fewer pages.",
            ) from error
        if self._node is not None and _has_room(self._node, num_bytes):
            self._bind(memory)
        elif self._node is not None:
            self._note_unbound(f"node {self._node} is full, so part of the cache lies elsewhere")
        if kind == MADVISE_HUGEPAGE and not self._advise(memory):
            kind = MMAP_ANONYMOUS
        return kind, memory

    def _advise(self, memory: Mapping) -> bool:
        try:
            mapping.advise_huge(memory)
        except OSError as error:
            self._notes.setdefault(
                "thp",
                f"The system refused transparent huge pages ({error.strerror}): the cache uses ordinary "
                "memory.",
            )
            return False
        return True

    def _bind(self, memory: Mapping) -> None:
        if self._node is None:
            return
        try:
            bind(memory.address, memory.view.nbytes, self._node)
        except OSError as error:
            self._node = None
            self._note_unbound(f"the system does not allow it ({error.strerror})")

    def _pin(self, memory: Mapping) -> bool:
        try:
            mapping.pin(memory)
        except OSError as error:
            self._notes.setdefault(
                "pin",
                f"Part of the cache could not be pinned for the GPU ({error}): it is read at a lower speed.",
            )
            return False
        return True

    def _note_no_huge_pages(self, reason: str) -> None:
        self._notes.setdefault(
            "pool", f"Huge pages were asked for and {reason}: {self._facts.ordinary_words}"
        )

    def _note_unbound(self, reason: str) -> None:
        self._notes.setdefault("node", f"The cache is not bound to one NUMA node: {reason}.")


def _has_room(node: int, num_bytes: int) -> bool:
    try:
        return free_bytes(node) > num_bytes
    except OSError:
        return False
