"""What could be set up better: from facts about a system to findings. Nothing is changed."""

from collections.abc import Callable, Iterator

from core.planning.gpu_check import GPU_CHECKS
from core.planning.machine import RAM_HEADROOM_SHARE
from core.planning.system_facts import Finding, Severity, SystemFacts, SystemNeeds
from core.planning.windows_check import WINDOWS_CHECKS
from core.units import format_duration, format_size

Check = Callable[[SystemFacts, SystemNeeds], Iterator[Finding]]

_PAGE_BYTES = 4096
_MUCH_SWAP_BYTES = 1 << 30
_SLOW_DISK_BYTES_PER_S = 200e6
_STRICT_OVERCOMMIT = 2
_REMOTE_NODE_SHARE = 0.6
_BUS_BYTES_PER_S = 25e9
_OCR_PACKAGE = "tesseract-ocr"


def check_system(facts: SystemFacts, needs: SystemNeeds) -> tuple[Finding, ...]:
    """Every finding, in the order of the checks; pure."""
    return tuple(finding for check in _CHECKS for finding in check(facts, needs))


def _ram(facts: SystemFacts, needs: SystemNeeds) -> Iterator[Finding]:
    headroom = int(facts.ram_total_bytes * RAM_HEADROOM_SHARE)
    usable = max(0, facts.ram_available_bytes - headroom)
    what = f"{format_size(facts.ram_available_bytes)} of {format_size(facts.ram_total_bytes)} are available."
    if needs.ram_bytes <= usable:
        yield Finding("memory", Severity.OK, what)
        return
    is_lacking = needs.ram_bytes > facts.ram_available_bytes
    yield Finding(
        "memory",
        Severity.PROBLEM if is_lacking else Severity.WARNING,
        what,
        f"The plan needs {format_size(needs.ram_bytes)} and {format_size(headroom)} should stay free, which "
        f"is {format_size(needs.ram_bytes - usable)} too much: a machine whose memory is full hangs. Close "
        "other programs.",
        "ps aux --sort=-rss | head" if facts.platform != "win32" else "tasklist",
    )


def _swap(facts: SystemFacts, _needs: SystemNeeds) -> Iterator[Finding]:
    if facts.swap_used_bytes > _MUCH_SWAP_BYTES:
        yield Finding(
            "swap",
            Severity.WARNING,
            f"{format_size(facts.swap_used_bytes)} of memory were moved to disk.",
            "Memory is short already: what comes back from disk takes about "
            f"{format_duration(facts.swap_used_bytes / 1e9)} at 1 GB/s. Close programs, then empty the swap.",
            "sudo swapoff -a && sudo swapon -a" if facts.platform == "linux" else None,
        )
    elif facts.swap_total_bytes == 0 and facts.platform == "linux":
        yield Finding(
            "swap",
            Severity.HINT,
            "There is no swap.",
            f"When the {format_size(facts.ram_total_bytes)} of memory are full, the system ends programs "
            "without asking.",
            "sudo fallocate -l 8G /swapfile && sudo chmod 600 /swapfile && sudo mkswap /swapfile && "
            "sudo swapon /swapfile",
        )
    else:
        yield Finding("swap", Severity.OK, f"{format_size(facts.swap_used_bytes)} of swap are in use.")


def _huge_pages(facts: SystemFacts, needs: SystemNeeds) -> Iterator[Finding]:
    pool = facts.huge_pages
    if facts.platform != "linux" or pool is None:
        return
    reserved = pool.num_pages * pool.page_bytes
    if needs.memory_strategy != "hugetlb":
        if pool.num_free:
            yield Finding(
                "huge pages",
                Severity.HINT,
                f"{pool.num_free:,} reserved huge pages are unused and the cache does not ask for them.",
                f"{format_size(pool.num_free * pool.page_bytes)} of memory are closed to all other programs.",
                f"sudo sysctl -w vm.nr_hugepages={pool.num_pages - pool.num_free}",
            )
        return
    needed = -(-needs.cold_bytes // pool.page_bytes)
    if pool.num_free >= needed:
        yield Finding(
            "huge pages", Severity.OK, f"{pool.num_pages:,} are reserved ({format_size(reserved)}), enough."
        )
        return
    yield Finding(
        "huge pages",
        Severity.WARNING,
        f"{pool.num_free:,} reserved huge pages are free (vm.nr_hugepages is {pool.num_pages:,}); the cache "
        f"needs {needed:,}.",
        f"The {format_size(needs.cold_bytes)} of the cache would lie in ordinary memory instead.",
        f"sudo sysctl -w vm.nr_hugepages={pool.num_pages - pool.num_free + needed}",
    )


def _transparent_huge_pages(facts: SystemFacts, needs: SystemNeeds) -> Iterator[Finding]:
    if facts.platform != "linux" or facts.thp_mode is None:
        return
    if facts.thp_mode in ("always", "madvise"):
        yield Finding("transparent huge pages", Severity.OK, f"They are on ({facts.thp_mode}).")
        return
    num_pages = -(-needs.cold_bytes // _PAGE_BYTES)
    yield Finding(
        "transparent huge pages",
        Severity.WARNING if needs.memory_strategy == "madvise_hugepage" else Severity.HINT,
        "They are switched off.",
        f"The cache of {format_size(needs.cold_bytes)} lies in {num_pages:,} pages of 4 KiB, and filling and "
        "pinning each costs time.",
        "echo madvise | sudo tee /sys/kernel/mm/transparent_hugepage/enabled",
    )


def _memlock(facts: SystemFacts, needs: SystemNeeds) -> Iterator[Finding]:
    limit = facts.memlock_bytes
    if limit is None or not facts.gpus:
        return
    if limit < 0 or limit >= needs.cold_bytes:
        words = (
            "There is no limit on locked memory."
            if limit < 0
            else f"Up to {format_size(limit)} may be locked."
        )
        yield Finding("locked memory", Severity.OK, words)
        return
    yield Finding(
        "locked memory",
        Severity.HINT,
        f"A program may lock {format_size(limit)} of memory; the cache is {format_size(needs.cold_bytes)}.",
        "Some drivers count memory that is pinned for the GPU against this limit. Unpinned memory is read "
        f"two to three times slower: {format_size(needs.streamed_bytes_per_token)} cross the bus for each "
        "word part. The command takes effect at the next login.",
        "echo '* - memlock unlimited' | sudo tee /etc/security/limits.d/90-memlock.conf",
    )


def _numa(facts: SystemFacts, needs: SystemNeeds) -> Iterator[Finding]:
    if facts.num_numa_nodes < 2:
        return
    what = f"This machine has {facts.num_numa_nodes} memory nodes."
    if needs.memory_policy == "numactl_bind" or not facts.gpus:
        yield Finding("memory nodes", Severity.OK, what)
        return
    near_s = needs.streamed_bytes_per_token / _BUS_BYTES_PER_S
    yield Finding(
        "memory nodes",
        Severity.HINT,
        what,
        f"Cache on the node far from the GPU is read more slowly: about {near_s / _REMOTE_NODE_SHARE:.2f} s "
        f"instead of {near_s:.2f} s for each word part.",
        "lectern ask --cpu-memory-policy numactl_bind …",
    )


def _overcommit(facts: SystemFacts, needs: SystemNeeds) -> Iterator[Finding]:
    if facts.platform != "linux" or facts.overcommit_mode is None:
        return
    room = facts.commit_room_bytes
    if facts.overcommit_mode != _STRICT_OVERCOMMIT or room is None or room >= needs.ram_bytes:
        yield Finding("overcommit", Severity.OK, f"vm.overcommit_memory is {facts.overcommit_mode}.")
        return
    yield Finding(
        "overcommit",
        Severity.PROBLEM,
        f"vm.overcommit_memory is 2 and only {format_size(room)} may still be promised to programs.",
        f"The plan needs {format_size(needs.ram_bytes)}: the system would refuse it although memory is free.",
        "sudo sysctl -w vm.overcommit_memory=0",
    )


def _disk(facts: SystemFacts, needs: SystemNeeds) -> Iterator[Finding]:
    free, speed = facts.disk_free_bytes, facts.disk_write_bytes_per_s
    if free is not None and free < needs.disk_bytes:
        yield Finding(
            "disk",
            Severity.WARNING,
            f"{format_size(free)} are free in {facts.cache_folder}.",
            f"The cache of this context is {format_size(needs.disk_bytes)} and cannot be kept: it would be "
            "computed again the next time. Choose another folder with --cache-dir or LECTERN_CACHE_DIR.",
        )
    elif free is not None:
        yield Finding("disk", Severity.OK, f"{format_size(free)} are free in {facts.cache_folder}.")
    if speed is not None and speed < _SLOW_DISK_BYTES_PER_S:
        yield Finding(
            "disk speed",
            Severity.HINT,
            f"{facts.cache_folder} takes {format_size(speed)} a second.",
            f"Keeping a cache of {format_size(needs.disk_bytes)} takes "
            f"{format_duration(needs.disk_bytes / max(speed, 1.0))}. Choose a faster disk with --cache-dir.",
        )


def _ocr(facts: SystemFacts, _needs: SystemNeeds) -> Iterator[Finding]:
    if facts.ocr_languages:
        names = ", ".join(facts.ocr_languages)
        yield Finding("text recognition", Severity.OK, f"Languages: {names}.")
        return
    commands = {
        "linux": f"sudo apt install {_OCR_PACKAGE}",
        "win32": "winget install UB-Mannheim.TesseractOCR",
        "darwin": "brew install tesseract",
    }
    yield Finding(
        "text recognition",
        Severity.HINT,
        "No language data was found.",
        "Scanned pages have no text for the model: of a document that is only scans it reads 0 bytes.",
        commands.get(facts.platform),
    )


_CHECKS: tuple[Check, ...] = (
    _ram,
    _swap,
    _overcommit,
    *GPU_CHECKS,
    _transparent_huge_pages,
    _huge_pages,
    _memlock,
    _numa,
    *WINDOWS_CHECKS,
    _disk,
    _ocr,
)
