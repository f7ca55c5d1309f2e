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
    QT_TRANSLATE_NOOP("CoreTexts", "The document cache is in use"),
    QT_TRANSLATE_NOOP(
        "CoreTexts", "A program is reading or writing it now. Close the document there and try again."
    ),
    QT_TRANSLATE_NOOP("CoreTexts", "It is being written now. Try again later."),
    QT_TRANSLATE_NOOP("CoreTexts", "The document cache cannot be removed"),
    QT_TRANSLATE_NOOP("CoreTexts", "The system refused it ({reason})."),
    QT_TRANSLATE_NOOP("CoreTexts", "No such document cache"),
    QT_TRANSLATE_NOOP("CoreTexts", "The document cache is damaged"),
    QT_TRANSLATE_NOOP(
        "CoreTexts",
        "What was kept of this document on the disk cannot be trusted: {detail}. Ask again in a new "
        "conversation: the document is then read anew.",
    ),
    QT_TRANSLATE_NOOP(
        "CoreTexts",
        "What was kept of this document on the disk was damaged. It was dropped and the document was "
        "read anew.",
    ),
    QT_TRANSLATE_NOOP(
        "CoreTexts",
        "What sparse mode had kept of this document on the disk was damaged. It was dropped and made anew.",
    ),
    QT_TRANSLATE_NOOP(
        "CoreTexts",
        "This document is being read elsewhere on this machine at the same time, so that what was "
        "read here is not kept on the disk.",
    ),
    QT_TRANSLATE_NOOP(
        "CoreTexts",
        "What was read of this document is not kept on the disk: less than {kept} of the disk would be left "
        "free. Free some of it.",
    ),
    QT_TRANSLATE_NOOP(
        "CoreTexts",
        "The disk is full: what was read of this document could not be kept in full, and a part of "
        "it has to be read again next time.",
    ),
    QT_TRANSLATE_NOOP(
        "CoreTexts", "What was read of this document could not be kept on the disk ({reason})."
    ),
    QT_TRANSLATE_NOOP(
        "CoreTexts",
        "Another version of Lectern had read this document and kept it in a form that this version "
        "cannot use. The document was read anew; what the other version kept goes first when the "
        "room on the disk is needed.",
    ),
    QT_TRANSLATE_NOOP("CoreTexts", "it was kept by another version of Lectern"),
)
