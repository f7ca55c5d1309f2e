"""What is said of downloads."""

from PySide6.QtCore import QT_TRANSLATE_NOOP

DOWNLOADS = (
    QT_TRANSLATE_NOOP("CoreTexts", "Not the name of a model"),
    QT_TRANSLATE_NOOP("CoreTexts", "{model} has not the form organisation/name."),
    QT_TRANSLATE_NOOP("CoreTexts", "The model cannot be stored"),
    QT_TRANSLATE_NOOP("CoreTexts", "The model is being downloaded already"),
    QT_TRANSLATE_NOOP("CoreTexts", "Another Lectern writes to {folder}. Wait until it is done."),
    QT_TRANSLATE_NOOP("CoreTexts", "The publisher wants to be asked first"),
    QT_TRANSLATE_NOOP(
        "CoreTexts",
        "{model} is given only to people who have accepted its terms. Open {server}/{page} in a browser, log "
        "in and accept them; then {hint}",
    ),
    QT_TRANSLATE_NOOP(
        "CoreTexts",
        "create a token at {server}/settings/tokens, set it as the environment variable HF_TOKEN and try "
        "again.",
    ),
    QT_TRANSLATE_NOOP(
        "CoreTexts",
        "{server} shows no model {model} to strangers. {reason}Check the spelling. If the model is private "
        "or has terms to accept, {hint}",
    ),
    QT_TRANSLATE_NOOP("CoreTexts", "The token in HF_TOKEN may be wrong or expired. "),
    QT_TRANSLATE_NOOP(
        "CoreTexts",
        "There is no {model} on {server}, or a file of it is gone. Check the spelling: it is "
        "organisation/name, as in the address of the model's page.",
    ),
    QT_TRANSLATE_NOOP("CoreTexts", "Too many requests"),
    QT_TRANSLATE_NOOP("CoreTexts", "{server} asks for a pause. Wait some minutes; what has come is kept."),
    QT_TRANSLATE_NOOP("CoreTexts", "The server failed"),
    QT_TRANSLATE_NOOP(
        "CoreTexts", "{server} answered with status {status}. Try again later; what has come is kept."
    ),
    QT_TRANSLATE_NOOP("CoreTexts", "No connection to the model server"),
    QT_TRANSLATE_NOOP("CoreTexts", "HF_HUB_OFFLINE forbids it"),
    QT_TRANSLATE_NOOP("CoreTexts", "the server sent less than it announced"),
    QT_TRANSLATE_NOOP("CoreTexts", "Not a model that Lectern can load"),
    QT_TRANSLATE_NOOP("CoreTexts", "The server's answer cannot be read"),
    QT_TRANSLATE_NOOP(
        "CoreTexts",
        "{server} does not describe {model} as a Hugging Face Hub does. Check HF_ENDPOINT and the network: a "
        "log-in page of a public network may have answered.",
    ),
    QT_TRANSLATE_NOOP("CoreTexts", "The download is damaged"),
)
