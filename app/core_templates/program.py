"""What the program as a whole says."""

from PySide6.QtCore import QT_TRANSLATE_NOOP

PROGRAM = (
    QT_TRANSLATE_NOOP("CoreTexts", "Something went wrong in Lectern"),
    QT_TRANSLATE_NOOP(
        "CoreTexts", "The step was not finished; your document is unchanged. The details are in the log file."
    ),
    QT_TRANSLATE_NOOP(
        "CoreTexts", "The document could not be read because of an error in the program; see its log."
    ),
)
