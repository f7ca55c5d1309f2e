"""What is said of the KV cache and its memory."""

from PySide6.QtCore import QT_TRANSLATE_NOOP

CACHE = (
    QT_TRANSLATE_NOOP("CoreTexts", "No GPU"),
    QT_TRANSLATE_NOOP("CoreTexts", "The active window does not fit the hot budget"),
    QT_TRANSLATE_NOOP("CoreTexts", "The hot tier is full"),
    QT_TRANSLATE_NOOP("CoreTexts", "Unknown KV compression"),
    QT_TRANSLATE_NOOP("CoreTexts", "{name}: there are {choices}."),
    QT_TRANSLATE_NOOP("CoreTexts", "{count} slots were asked for and {free} are free."),
    QT_TRANSLATE_NOOP(
        "CoreTexts",
        "Part of the cache could not be pinned for the GPU ({error}): it is read at a lower speed.",
    ),
    QT_TRANSLATE_NOOP(
        "CoreTexts", "The system refused transparent huge pages ({error}): the cache uses ordinary memory."
    ),
    QT_TRANSLATE_NOOP("CoreTexts", "Huge pages were asked for and {reason}: {fallback}"),
    QT_TRANSLATE_NOOP("CoreTexts", "{reason}: the cache uses {memory}."),
    QT_TRANSLATE_NOOP("CoreTexts", "the cache uses {memory}."),
    QT_TRANSLATE_NOOP("CoreTexts", "ordinary memory with transparent huge pages"),
    QT_TRANSLATE_NOOP("CoreTexts", "ordinary memory"),
    QT_TRANSLATE_NOOP("CoreTexts", "Pinned memory was asked for and the model runs on no CUDA GPU"),
    QT_TRANSLATE_NOOP("CoreTexts", "Transparent huge pages were asked for and this system has none"),
    QT_TRANSLATE_NOOP(
        "CoreTexts",
        "Transparent huge pages were asked for and are switched off "
        "(/sys/kernel/mm/transparent_hugepage/enabled)",
    ),
    QT_TRANSLATE_NOOP("CoreTexts", "this system has none"),
    QT_TRANSLATE_NOOP("CoreTexts", "those of {size} are too large to give back in parts"),
    QT_TRANSLATE_NOOP("CoreTexts", "none are reserved (vm.nr_hugepages is 0)"),
    QT_TRANSLATE_NOOP(
        "CoreTexts", "of the {total} reserved (vm.nr_hugepages) {free} were left when {needed} were needed"
    ),
    QT_TRANSLATE_NOOP("CoreTexts", "the system refused them ({error})"),
    QT_TRANSLATE_NOOP("CoreTexts", "The cache is not bound to one NUMA node: {reason}."),
    QT_TRANSLATE_NOOP("CoreTexts", "node {node} is full, so part of the cache lies elsewhere"),
    QT_TRANSLATE_NOOP("CoreTexts", "the system does not allow it ({error})"),
)
