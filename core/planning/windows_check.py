"""What could be set up better on Windows and in its Linux subsystem."""

from collections.abc import Iterator

from core.planning.system_facts import Finding, Severity, SystemFacts, SystemNeeds
from core.units import format_size


def _page_file(facts: SystemFacts, needs: SystemNeeds) -> Iterator[Finding]:
    if facts.platform != "win32" or facts.page_file_bytes is None:
        return
    what = f"The page file is {format_size(facts.page_file_bytes)}."
    room = facts.commit_room_bytes
    if room is None or room >= needs.ram_bytes:
        yield Finding("page file", Severity.OK, what)
        return
    yield Finding(
        "page file",
        Severity.PROBLEM,
        f"{what} Only {format_size(room)} may still be promised to programs.",
        f"Windows promises no memory that it could not back: the plan needs {format_size(needs.ram_bytes)}, "
        f"{format_size(needs.ram_bytes - room)} more.",
        "SystemPropertiesPerformance.exe",
    )


def _host_memory(facts: SystemFacts, needs: SystemNeeds) -> Iterator[Finding]:
    if facts.platform != "win32":
        return
    if needs.memory_strategy in ("hugetlb", "madvise_hugepage"):
        yield Finding(
            "kind of memory",
            Severity.HINT,
            f"{needs.memory_strategy} does not exist on Windows: the cache uses ordinary memory.",
            f"The {format_size(needs.cold_bytes)} of the cache lie in pages of 4 KiB; answers stay the same.",
            "lectern ask --cpu-memory-strategy auto …",
        )
    else:
        yield Finding("kind of memory", Severity.OK, "The cache uses ordinary memory, as always on Windows.")


def _pinned_memory(facts: SystemFacts, needs: SystemNeeds) -> Iterator[Finding]:
    if not facts.gpus or not (facts.platform == "win32" or facts.is_wsl):
        return
    if facts.is_wddm is False:
        yield Finding("pinned memory", Severity.OK, "The GPU runs without a desktop (TCC).")
        return
    where = "the Linux subsystem" if facts.is_wsl else "a GPU that also drives the desktop (WDDM)"
    is_asked_for = needs.memory_strategy == "pinned"
    yield Finding(
        "pinned memory",
        Severity.WARNING if is_asked_for else Severity.HINT,
        f"With {where} pinned memory is scarce and may be charged against the memory of the GPU.",
        f"Up to {format_size(needs.cold_bytes)} could be missing on the GPU. Left to itself (auto) the cache "
        "is not pinned here.",
        "lectern ask --cpu-memory-strategy auto …" if is_asked_for else None,
    )


WINDOWS_CHECKS = (_page_file, _host_memory, _pinned_memory)
