"""What is said of checklists, reviews and reports."""

from PySide6.QtCore import QT_TRANSLATE_NOOP

REVIEWS = (
    QT_TRANSLATE_NOOP("CoreTexts", "The checklist cannot be read"),
    QT_TRANSLATE_NOOP("CoreTexts", "{path} is too large to be a checklist."),
    QT_TRANSLATE_NOOP("CoreTexts", "{path}, line {line}: the file is not in UTF-8."),
    QT_TRANSLATE_NOOP("CoreTexts", "The checklist is wrong"),
    QT_TRANSLATE_NOOP("CoreTexts", " There are {count} more problems."),
    QT_TRANSLATE_NOOP("CoreTexts", "The checklist cannot be saved"),
    QT_TRANSLATE_NOOP("CoreTexts", "A text holds half a character: {character}."),
    QT_TRANSLATE_NOOP("CoreTexts", "No such checklist"),
    QT_TRANSLATE_NOOP("CoreTexts", "There is no checklist {name}; there are {names}."),
    QT_TRANSLATE_NOOP("CoreTexts", "The checklist cannot be deleted"),
    QT_TRANSLATE_NOOP("CoreTexts", "{name} is none of your own checklists."),
    QT_TRANSLATE_NOOP("CoreTexts", "Not a name for a checklist"),
    QT_TRANSLATE_NOOP("CoreTexts", "The report cannot be saved"),
    QT_TRANSLATE_NOOP("CoreTexts", "Unknown kind of file"),
    QT_TRANSLATE_NOOP("CoreTexts", "A report ends in {kinds} or {kind}, not in {suffix}."),
    QT_TRANSLATE_NOOP(
        "CoreTexts",
        "Memory ran out while questions were answered together, so that fewer were answered at a "
        "time: {rows} at least. Nothing was left out; it took longer.",
    ),
    QT_TRANSLATE_NOOP("CoreTexts", "This row is still running"),
    QT_TRANSLATE_NOOP("CoreTexts", "Wait for row {name} or stop it."),
)
