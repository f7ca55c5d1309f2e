"""What is said of documents and their pages."""

from PySide6.QtCore import QT_TRANSLATE_NOOP

DOCUMENTS = (
    QT_TRANSLATE_NOOP("CoreTexts", "All pages are blank."),
    QT_TRANSLATE_NOOP("CoreTexts", "Cannot be opened"),
    QT_TRANSLATE_NOOP("CoreTexts", "Cannot be read"),
    QT_TRANSLATE_NOOP("CoreTexts", "Damaged file"),
    QT_TRANSLATE_NOOP("CoreTexts", "Empty file"),
    QT_TRANSLATE_NOOP("CoreTexts", "File cannot be read"),
    QT_TRANSLATE_NOOP("CoreTexts", "File not found"),
    QT_TRANSLATE_NOOP("CoreTexts", "No pages"),
    QT_TRANSLATE_NOOP("CoreTexts", "No sample document"),
    QT_TRANSLATE_NOOP("CoreTexts", "No such page"),
    QT_TRANSLATE_NOOP("CoreTexts", "No such pages"),
    QT_TRANSLATE_NOOP("CoreTexts", "No text to read"),
    QT_TRANSLATE_NOOP("CoreTexts", "Not a PDF"),
    QT_TRANSLATE_NOOP("CoreTexts", "Not a file"),
    QT_TRANSLATE_NOOP("CoreTexts", "Page cannot be shown"),
    QT_TRANSLATE_NOOP("CoreTexts", "Password needed"),
    QT_TRANSLATE_NOOP("CoreTexts", "Takes too long"),
    QT_TRANSLATE_NOOP("CoreTexts", "Unknown encryption"),
    QT_TRANSLATE_NOOP("CoreTexts", "Wrong password"),
    QT_TRANSLATE_NOOP(
        "CoreTexts",
        "“{name}” could not be opened in time, or it breaks the reader. It is probably damaged; open it "
        "in another PDF program and save a copy.",
    ),
    QT_TRANSLATE_NOOP(
        "CoreTexts",
        "“{name}” could not be read ({error}). It is probably damaged; open it in another PDF program "
        "and save a copy.",
    ),
    QT_TRANSLATE_NOOP("CoreTexts", "“{name}” cannot be read: {error}. Check its permissions."),
    QT_TRANSLATE_NOOP(
        "CoreTexts",
        "“{name}” is damaged and could not be repaired. Get the file again from where it came from, or "
        "open it in another PDF program and save a copy.",
    ),
    QT_TRANSLATE_NOOP(
        "CoreTexts", "“{name}” is empty (0 bytes). Get the file again from where it came from."
    ),
    QT_TRANSLATE_NOOP(
        "CoreTexts",
        "“{name}” is encrypted in a way that cannot be read here. Save a copy without encryption in the "
        "program it was made with, then open the copy.",
    ),
    QT_TRANSLATE_NOOP(
        "CoreTexts",
        "“{name}” is encrypted in a way that cannot be read here, or it is damaged. Save a copy without "
        "encryption in another PDF program, then open the copy.",
    ),
    QT_TRANSLATE_NOOP("CoreTexts", "“{name}” is encrypted. Enter its password to open it."),
    QT_TRANSLATE_NOOP(
        "CoreTexts",
        "The password does not open “{name}”. Check capital letters and the keyboard layout, then try again.",
    ),
    QT_TRANSLATE_NOOP("CoreTexts", "“{name}” does not exist. Check the name, or whether it was moved."),
    QT_TRANSLATE_NOOP(
        "CoreTexts", "“{name}” is not a PDF file. Save or print it as PDF first, then open that."
    ),
    QT_TRANSLATE_NOOP(
        "CoreTexts",
        "“{name}” begins like a PDF file but holds none. Get the file again from where it came from.",
    ),
    QT_TRANSLATE_NOOP(
        "CoreTexts",
        "“{name}” is a PDF without a single page. It is probably damaged; try to get the file again from "
        "where it came from.",
    ),
    QT_TRANSLATE_NOOP("CoreTexts", "“{name}” is a folder. Choose a PDF file inside it."),
    QT_TRANSLATE_NOOP(
        "CoreTexts",
        "The pages hold images only: this is a scan. It needs text recognition (OCR) before it can be asked.",
    ),
    QT_TRANSLATE_NOOP("CoreTexts", "None of the pages chosen has text. Choose other pages."),
    QT_TRANSLATE_NOOP("CoreTexts", "The document has {pages} pages; ask for pages 1 to {last}."),
    QT_TRANSLATE_NOOP(
        "CoreTexts",
        "Page {page} of “{name}” could not be drawn in time. It is probably damaged; the other pages can "
        "still be shown.",
    ),
    QT_TRANSLATE_NOOP(
        "CoreTexts", "Page {page} could not be read because {reason}. The other pages were read."
    ),
    QT_TRANSLATE_NOOP("CoreTexts", "it is damaged"),
    QT_TRANSLATE_NOOP("CoreTexts", "it needs more memory than there is"),
    QT_TRANSLATE_NOOP("CoreTexts", "it takes too long or breaks the reader"),
    QT_TRANSLATE_NOOP(
        "CoreTexts", "The file is damaged and was repaired while it was opened; parts of it may be missing."
    ),
    QT_TRANSLATE_NOOP(
        "CoreTexts",
        "The author of this file does not permit copying its text. You may read and ask here; respect "
        "that wish when you pass text on.",
    ),
    QT_TRANSLATE_NOOP(
        "CoreTexts", "This page is a picture without text. It can be read with text recognition (OCR)."
    ),
    QT_TRANSLATE_NOOP("CoreTexts", "This page is damaged: nothing of it can be read or shown."),
    QT_TRANSLATE_NOOP("CoreTexts", "This page has no text."),
    QT_TRANSLATE_NOOP(
        "CoreTexts",
        "{share} % of the characters on this page have no readable meaning; its fonts are damaged. Read "
        "this page with text recognition (OCR).",
    ),
)
