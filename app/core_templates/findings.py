"""What the system check says."""

from PySide6.QtCore import QT_TRANSLATE_NOOP

FINDINGS = (
    QT_TRANSLATE_NOOP("CoreTexts", "The driver does not answer: {error}."),
    QT_TRANSLATE_NOOP("CoreTexts", "Without it the model computes on the processor, many times slower."),
    QT_TRANSLATE_NOOP("CoreTexts", "There is no NVIDIA GPU; the model computes on the processor."),
    QT_TRANSLATE_NOOP("CoreTexts", "torch is not installed."),
    QT_TRANSLATE_NOOP("CoreTexts", "Nothing can be computed without it."),
    QT_TRANSLATE_NOOP("CoreTexts", "torch {version} was built for processors only; the driver is {driver}."),
    QT_TRANSLATE_NOOP("CoreTexts", "The {size} of GPU memory stay unused."),
    QT_TRANSLATE_NOOP("CoreTexts", "The driver {driver} runs CUDA {cuda}; torch {version} needs {needed}."),
    QT_TRANSLATE_NOOP(
        "CoreTexts",
        "torch will not find the GPU, and the model computes on the processor, many times slower.",
    ),
    QT_TRANSLATE_NOOP("CoreTexts", "Driver {driver}, torch {version} for CUDA {cuda}."),
    QT_TRANSLATE_NOOP("CoreTexts", "{gpu}: {free} of {total} are free."),
    QT_TRANSLATE_NOOP("CoreTexts", "Other programs: {others}."),
    QT_TRANSLATE_NOOP("CoreTexts", "Other programs: {others}. {size} are missing for the plan."),
    QT_TRANSLATE_NOOP("CoreTexts", "No other program is known to hold memory."),
    QT_TRANSLATE_NOOP(
        "CoreTexts", "No other program is known to hold memory. {size} are missing for the plan."
    ),
    QT_TRANSLATE_NOOP("CoreTexts", "{program} (pid {pid}) holds some of it"),
    QT_TRANSLATE_NOOP("CoreTexts", "{program} (pid {pid}) holds {size}"),
    QT_TRANSLATE_NOOP("CoreTexts", "{gpu} runs at {now} and can do {most}."),
    QT_TRANSLATE_NOOP(
        "CoreTexts", "Each word part takes {now} s on the bus instead of {best} s. Try another slot."
    ),
    QT_TRANSLATE_NOOP(
        "CoreTexts",
        "At rest a GPU lowers its link; look again while an answer is written. If it stays: Each "
        "word part takes {now} s on the bus instead of {best} s.",
    ),
    QT_TRANSLATE_NOOP("CoreTexts", "{available} of {total} are available."),
    QT_TRANSLATE_NOOP(
        "CoreTexts",
        "The plan needs {needed} and {headroom} should stay free, which is {over} too much: a "
        "machine whose memory is full hangs. Close other programs.",
    ),
    QT_TRANSLATE_NOOP("CoreTexts", "{size} of memory were moved to disk."),
    QT_TRANSLATE_NOOP(
        "CoreTexts",
        "Memory is short already: what comes back from disk takes about {duration} at 1 GB/s. Close "
        "programs, then empty the swap.",
    ),
    QT_TRANSLATE_NOOP("CoreTexts", "There is no swap."),
    QT_TRANSLATE_NOOP(
        "CoreTexts", "When the {size} of memory are full, the system ends programs without asking."
    ),
    QT_TRANSLATE_NOOP("CoreTexts", "{size} of swap are in use."),
    QT_TRANSLATE_NOOP(
        "CoreTexts",
        "{free} reserved huge pages are free (vm.nr_hugepages is {total}); the cache needs {needed}.",
    ),
    QT_TRANSLATE_NOOP("CoreTexts", "The {size} of the cache would lie in ordinary memory instead."),
    QT_TRANSLATE_NOOP("CoreTexts", "{count} are reserved ({size}), enough."),
    QT_TRANSLATE_NOOP(
        "CoreTexts", "{count} reserved huge pages are unused and the cache does not ask for them."
    ),
    QT_TRANSLATE_NOOP("CoreTexts", "{size} of memory are closed to all other programs."),
    QT_TRANSLATE_NOOP("CoreTexts", "They are switched off."),
    QT_TRANSLATE_NOOP(
        "CoreTexts",
        "The cache of {size} lies in {count} pages of 4 KiB, and filling and pinning each costs time.",
    ),
    QT_TRANSLATE_NOOP("CoreTexts", "They are on ({mode})."),
    QT_TRANSLATE_NOOP("CoreTexts", "A program may lock {limit} of memory; the cache is {size}."),
    QT_TRANSLATE_NOOP(
        "CoreTexts",
        "Some drivers count memory that is pinned for the GPU against this limit. Unpinned memory is "
        "read two to three times slower: {size} cross the bus for each word part. The command takes "
        "effect at the next login.",
    ),
    QT_TRANSLATE_NOOP("CoreTexts", "There is no limit on locked memory."),
    QT_TRANSLATE_NOOP("CoreTexts", "Up to {size} may be locked."),
    QT_TRANSLATE_NOOP("CoreTexts", "This machine has {count} memory nodes."),
    QT_TRANSLATE_NOOP(
        "CoreTexts",
        "Cache on the node far from the GPU is read more slowly: about {far} s instead of {near} s "
        "for each word part.",
    ),
    QT_TRANSLATE_NOOP(
        "CoreTexts", "vm.overcommit_memory is 2 and only {size} may still be promised to programs."
    ),
    QT_TRANSLATE_NOOP(
        "CoreTexts", "The plan needs {size}: the system would refuse it although memory is free."
    ),
    QT_TRANSLATE_NOOP("CoreTexts", "vm.overcommit_memory is {mode}."),
    QT_TRANSLATE_NOOP("CoreTexts", "{free} are free in {folder}."),
    QT_TRANSLATE_NOOP("CoreTexts", "{folder} takes {speed} a second."),
    QT_TRANSLATE_NOOP("CoreTexts", "No language data was found."),
    QT_TRANSLATE_NOOP(
        "CoreTexts",
        "Scanned pages have no text for the model: of a document that is only scans it reads 0 bytes.",
    ),
    QT_TRANSLATE_NOOP("CoreTexts", "Languages: {names}."),
    QT_TRANSLATE_NOOP("CoreTexts", "{what} Only {room} may still be promised to programs."),
    QT_TRANSLATE_NOOP("CoreTexts", "The page file is {size}."),
    QT_TRANSLATE_NOOP(
        "CoreTexts",
        "Windows promises no memory that it could not back: the plan needs {needed}, {missing} more.",
    ),
    QT_TRANSLATE_NOOP("CoreTexts", "{strategy} does not exist on Windows: the cache uses ordinary memory."),
    QT_TRANSLATE_NOOP("CoreTexts", "The {size} of the cache lie in pages of 4 KiB; answers stay the same."),
    QT_TRANSLATE_NOOP("CoreTexts", "The cache uses ordinary memory, as always on Windows."),
    QT_TRANSLATE_NOOP(
        "CoreTexts", "With {where} pinned memory is scarce and may be charged against the memory of the GPU."
    ),
    QT_TRANSLATE_NOOP("CoreTexts", "the Linux subsystem"),
    QT_TRANSLATE_NOOP("CoreTexts", "a GPU that also drives the desktop (WDDM)"),
    QT_TRANSLATE_NOOP(
        "CoreTexts",
        "Up to {size} could be missing on the GPU. Left to itself (auto) the cache is not pinned here.",
    ),
    QT_TRANSLATE_NOOP("CoreTexts", "The GPU runs without a desktop (TCC)."),
)
