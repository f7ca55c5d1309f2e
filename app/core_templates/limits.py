"""What is said where the machine or the model sets a limit."""

from PySide6.QtCore import QT_TRANSLATE_NOOP

LIMITS = (
    QT_TRANSLATE_NOOP("CoreTexts", "The model is not on this machine"),
    QT_TRANSLATE_NOOP("CoreTexts", "The download is not complete"),
    QT_TRANSLATE_NOOP("CoreTexts", "the compute device refused it"),
    QT_TRANSLATE_NOOP(
        "CoreTexts",
        "This answer was made in window mode: the model saw only the beginning of the document and the "
        "newest {window} tokens. Of a document longer than that, most was not looked at. Ask again in exact "
        "mode to be sure.",
    ),
    QT_TRANSLATE_NOOP("CoreTexts", "The model's numbers overflowed"),
    QT_TRANSLATE_NOOP(
        "CoreTexts",
        "Memory ran out while this answer was prepared, so the text was read in steps of {tokens} tokens. "
        "Nothing was left out; it took longer.",
    ),
    QT_TRANSLATE_NOOP(
        "CoreTexts",
        "Memory ran out while this answer was prepared, so {size} of the hot tier were given back. Nothing "
        "was left out; it took longer.",
    ),
    QT_TRANSLATE_NOOP(
        "CoreTexts",
        "Its rotary positions are scaled dynamically: they change for all that was already read whenever the "
        "text grows, so that nothing of it could be kept. Choose another model, or set rope_type to default "
        "in its config.json: it then reads up to {tokens} tokens.",
    ),
)
