"""What is said of questions and answers."""

from PySide6.QtCore import QT_TRANSLATE_NOOP

ANSWERS = (
    QT_TRANSLATE_NOOP("CoreTexts", "No question"),
    QT_TRANSLATE_NOOP("CoreTexts", "No room for an answer"),
    QT_TRANSLATE_NOOP("CoreTexts", "Nothing to answer again"),
    QT_TRANSLATE_NOOP("CoreTexts", "Not enough memory"),
    QT_TRANSLATE_NOOP("CoreTexts", "Out of memory"),
    QT_TRANSLATE_NOOP("CoreTexts", "The compute device failed"),
    QT_TRANSLATE_NOOP("CoreTexts", "The document is too long for this model"),
    QT_TRANSLATE_NOOP("CoreTexts", "The sequence is longer than the model's context"),
    QT_TRANSLATE_NOOP("CoreTexts", "Write a question first."),
    QT_TRANSLATE_NOOP("CoreTexts", "Ask a question first."),
    QT_TRANSLATE_NOOP(
        "CoreTexts",
        "Documents, conversation and question are {tokens} tokens and {model} takes {limit}. Start a new "
        "conversation or ask shorter.",
    ),
    QT_TRANSLATE_NOOP(
        "CoreTexts",
        "Even its first page does not fit into the {limit} tokens of {model}. Choose a model with a "
        "longer context.",
    ),
    QT_TRANSLATE_NOOP("CoreTexts", "{tokens} tokens were asked for; {model} reads {limit}."),
    QT_TRANSLATE_NOOP("CoreTexts", "The cache of {tokens} tokens"),
    QT_TRANSLATE_NOOP("CoreTexts", "The next part of the cache"),
    QT_TRANSLATE_NOOP(
        "CoreTexts",
        "This answer was made in sparse mode: for each word the model looked at the {budget} tokens of the "
        "document that seemed to matter most, not at all of them. Ask again in exact mode to be sure.",
    ),
    QT_TRANSLATE_NOOP("CoreTexts", "The answer ends early: the limit of new tokens was reached."),
    QT_TRANSLATE_NOOP("CoreTexts", "The answer ends early: the model's context is full."),
    QT_TRANSLATE_NOOP("CoreTexts", "No page fits"),
    QT_TRANSLATE_NOOP("CoreTexts", "The pages are too long to be read one by one"),
    QT_TRANSLATE_NOOP(
        "CoreTexts",
        "Only the sections that match the question best were read: {pages}. Other pages may say more.",
    ),
    QT_TRANSLATE_NOOP("CoreTexts", "Only these pages were read: {pages}. Other pages may say more."),
    QT_TRANSLATE_NOOP("CoreTexts", "Left out and not read: {names}. What was not read may say more."),
    QT_TRANSLATE_NOOP(
        "CoreTexts",
        "Only these pages were read: {pages}. Left out and not read: {names}. What was not read may say "
        "more.",
    ),
    QT_TRANSLATE_NOOP(
        "CoreTexts",
        "The documents were read in {parts} parts, each by itself, and this answer was put together "
        "from notes on them. What connects parts that are far from each other may be missing.",
    ),
)
