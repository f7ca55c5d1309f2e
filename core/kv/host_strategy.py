"""Which kind of host memory the cold tier uses: decided from facts about the machine, touching nothing."""

from dataclasses import dataclass

from core.units import format_size

HUGETLB = "hugetlb"
MADVISE_HUGEPAGE = "madvise_hugepage"
MMAP_ANONYMOUS = "mmap_anonymous"

_LARGEST_HUGE_PAGE_BYTES = 32 << 20
_PLAIN_WORDS = {
    MADVISE_HUGEPAGE: "ordinary memory with transparent huge pages",
    MMAP_ANONYMOUS: "ordinary memory",
}


@dataclass(frozen=True)
class HostFacts:
    """What a machine offers. `platform` is as `sys.platform` has it.

    `thp_mode` is the kernel's mode of transparent huge pages (`always`, `madvise` or `never`), None where
    it has none. `huge_page_bytes` is the size of one page of the reserved pool, None where there is none.
    """

    platform: str
    is_wsl: bool
    has_cuda: bool
    thp_mode: str | None
    huge_page_bytes: int | None

    @property
    def ordinary_kind(self) -> str:
        """The best memory that needs no preparation by an administrator."""
        has_thp = self.platform == "linux" and self.thp_mode in ("always", "madvise")
        return MADVISE_HUGEPAGE if has_thp else MMAP_ANONYMOUS

    @property
    def ordinary_words(self) -> str:
        """The end of every note: what the cache uses instead of what was asked for."""
        return f"the cache uses {_PLAIN_WORDS[self.ordinary_kind]}."


@dataclass(frozen=True)
class HostChoice:
    """How memory is mapped (`hugetlb`, `madvise_hugepage` or `mmap_anonymous`) and whether it is pinned.

    `note` says, in words for the user, why this is not what was asked for.
    """

    kind: str
    is_pinned: bool = False
    note: str | None = None


def choose(strategy: str, facts: HostFacts) -> HostChoice:
    """The memory for a strategy, one of `core.settings.CPU_MEMORY_STRATEGIES`, on a machine.

    `auto` pins where a GPU reads the memory, but not on Windows and its Linux subsystem, where pinned memory
    is scarce and may be charged against the memory of the GPU.
    """
    if strategy == "auto":
        is_windows = facts.platform == "win32" or facts.is_wsl
        return HostChoice(facts.ordinary_kind, is_pinned=facts.has_cuda and not is_windows)
    obstacle = _obstacle(strategy, facts)
    if obstacle is not None:
        return HostChoice(facts.ordinary_kind, note=f"{obstacle}: {facts.ordinary_words}")
    if strategy == "pinned":
        return HostChoice(facts.ordinary_kind, is_pinned=True)
    return HostChoice(strategy)


def _obstacle(strategy: str, facts: HostFacts) -> str | None:
    if strategy == "pinned" and not facts.has_cuda:
        return "Pinned memory was asked for and the model runs on no CUDA GPU"
    if strategy == MADVISE_HUGEPAGE and facts.ordinary_kind != MADVISE_HUGEPAGE:
        if facts.platform != "linux" or facts.thp_mode is None:
            return "Transparent huge pages were asked for and this system has none"
        return (
            "Transparent huge pages were asked for and are switched off "
            "(/sys/kernel/mm/transparent_hugepage/enabled)"
        )
    if strategy == HUGETLB and facts.huge_page_bytes is None:
        return "Huge pages were asked for and this system has none"
    if strategy == HUGETLB and (facts.huge_page_bytes or 0) > _LARGEST_HUGE_PAGE_BYTES:
        size = format_size(facts.huge_page_bytes or 0)
        return f"Huge pages were asked for and those of {size} are too large to give back in parts"
    return None
