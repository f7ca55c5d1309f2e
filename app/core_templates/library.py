"""What is said of the library of documents, conversations and findings."""

from PySide6.QtCore import QT_TRANSLATE_NOOP

LIBRARY = (
    QT_TRANSLATE_NOOP("CoreTexts", "The conversation is not in the library"),
    QT_TRANSLATE_NOOP("CoreTexts", "It was deleted in the meantime."),
    QT_TRANSLATE_NOOP("CoreTexts", "The document is not in the library"),
    QT_TRANSLATE_NOOP("CoreTexts", "It was removed in the meantime."),
    QT_TRANSLATE_NOOP("CoreTexts", "The question is not in the library"),
    QT_TRANSLATE_NOOP("CoreTexts", "{name} was removed just now."),
    QT_TRANSLATE_NOOP("CoreTexts", "The library cannot be used"),
    QT_TRANSLATE_NOOP("CoreTexts", "{path}: {reason}. Nothing is saved until then."),
    QT_TRANSLATE_NOOP("CoreTexts", "Your work cannot be saved"),
    QT_TRANSLATE_NOOP(
        "CoreTexts",
        "The disk that holds {path} is full. Free some space; what you do until then is not saved.",
    ),
    QT_TRANSLATE_NOOP(
        "CoreTexts",
        "{path} or its folder cannot be written. Check who may write there; what you do until then "
        "is not saved.",
    ),
    QT_TRANSLATE_NOOP("CoreTexts", "The library is in use"),
    QT_TRANSLATE_NOOP("CoreTexts", "Another program keeps {path} locked. Close it and try again."),
    QT_TRANSLATE_NOOP("CoreTexts", "The library is damaged"),
    QT_TRANSLATE_NOOP(
        "CoreTexts",
        "{path} cannot be read as a whole. Start Lectern again: the file is then set aside and what "
        "can be read is copied into a new one.",
    ),
    QT_TRANSLATE_NOOP("CoreTexts", "The library was damaged"),
    QT_TRANSLATE_NOOP("CoreTexts", "The finding is not in the library"),
    QT_TRANSLATE_NOOP("CoreTexts", "The library is from a newer version"),
    QT_TRANSLATE_NOOP(
        "CoreTexts",
        "{path} was written by a newer version of Lectern and was left as it is. Update Lectern to "
        "see your conversations and findings; what you do until then is not saved.",
    ),
    QT_TRANSLATE_NOOP(
        "CoreTexts",
        "The library was damaged and was built anew: {conversations} conversations with {questions} "
        "questions and {findings} findings could be read and were kept. The damaged file lies beside "
        "it as {name}.",
    ),
)
