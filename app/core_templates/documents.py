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
    QT_TRANSLATE_NOOP("CoreTexts", "The document is left out"),
    QT_TRANSLATE_NOOP(
        "CoreTexts", "“{name}” is left out of what is read. Choose pages of it that are to be read."
    ),
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
    QT_TRANSLATE_NOOP(
        "CoreTexts",
        "The words on this page run together without blanks. Read it with text recognition (OCR).",
    ),
    QT_TRANSLATE_NOOP(
        "CoreTexts",
        "The text of this page was found by text recognition (OCR) in a picture; it can have errors.",
    ),
    QT_TRANSLATE_NOOP(
        "CoreTexts",
        "This page could not be checked for hidden text; the model may be given what readers do not see.",
    ),
    QT_TRANSLATE_NOOP(
        "CoreTexts",
        "This page has comments that somebody added. They are kept apart; the model does not read them.",
    ),
    QT_TRANSLATE_NOOP(
        "CoreTexts",
        "Readers of this page cannot see some of its text, because {reason}. The model is not given "
        "it: “{text}”",
    ),
    QT_TRANSLATE_NOOP("CoreTexts", "it is not painted"),
    QT_TRANSLATE_NOOP("CoreTexts", "it has the colour of its background"),
    QT_TRANSLATE_NOOP("CoreTexts", "something covers it or cuts it off"),
    QT_TRANSLATE_NOOP("CoreTexts", "it is too small to be seen"),
    QT_TRANSLATE_NOOP("CoreTexts", "it lies outside of the page"),
    QT_TRANSLATE_NOOP("CoreTexts", "it lies on a layer that is switched off"),
    QT_TRANSLATE_NOOP(
        "CoreTexts",
        "This is an XFA form: its contents are drawn by Adobe Reader alone, and this page only asks "
        "to wait for them. Print it to PDF in Adobe Reader, then open that.",
    ),
    QT_TRANSLATE_NOOP("CoreTexts", "File has changed"),
    QT_TRANSLATE_NOOP(
        "CoreTexts", "“{name}” was changed, replaced or removed after it was opened. Open it again."
    ),
    QT_TRANSLATE_NOOP("CoreTexts", "Not supported"),
    QT_TRANSLATE_NOOP(
        "CoreTexts",
        "“{name}” is not of a kind that can be read here. Lectern reads {kinds}. Save or print it as "
        "PDF, then open that.",
    ),
    QT_TRANSLATE_NOOP(
        "CoreTexts",
        "“{name}” is damaged and could not be repaired. Get the file again from where it came from, "
        "or open it in another program and save a copy.",
    ),
    QT_TRANSLATE_NOOP("CoreTexts", "“{name}” is a folder. Choose a file inside it."),
    QT_TRANSLATE_NOOP("CoreTexts", "“{name}” is a pipe or a device. Save what comes out of it as a file."),
    QT_TRANSLATE_NOOP(
        "CoreTexts",
        "This is an XFA form: only Adobe Reader draws its contents. Print it to PDF there, open that.",
    ),
    QT_TRANSLATE_NOOP("CoreTexts", "The pages have no text that a reader could see; all of it is hidden."),
    QT_TRANSLATE_NOOP("CoreTexts", "Files attached to this document were neither opened nor read: {files}"),
    QT_TRANSLATE_NOOP(
        "CoreTexts",
        "The file holds scripts, or actions that start programs or send data. None of them is run here.",
    ),
    QT_TRANSLATE_NOOP(
        "CoreTexts", "The file hides some of its text from readers. The model is not given it: “{text}”"
    ),
    QT_TRANSLATE_NOOP("CoreTexts", "No language"),
    QT_TRANSLATE_NOOP("CoreTexts", "{name} names no languages; write for example eng or eng+deu."),
    QT_TRANSLATE_NOOP("CoreTexts", "Text recognition is not set up"),
    QT_TRANSLATE_NOOP(
        "CoreTexts",
        "Tesseract's language data for {languages} was not found. Install it with: {command}",
    ),
    QT_TRANSLATE_NOOP(
        "CoreTexts",
        "The text of this page could not be recognised: it takes too long, or recognition fails.",
    ),
    QT_TRANSLATE_NOOP("CoreTexts", "Text recognition (OCR) found no text in the picture on this page."),
    QT_TRANSLATE_NOOP(
        "CoreTexts",
        "The letters in the file are not those that are printed on this page; its fonts are damaged. "
        "Read this page with text recognition (OCR).",
    ),
    QT_TRANSLATE_NOOP(
        "CoreTexts",
        "A few letters on this page have no readable meaning, so that words are spoilt. Read this "
        "page with text recognition (OCR).",
    ),
    QT_TRANSLATE_NOOP(
        "CoreTexts",
        "“{name}” takes too much memory when it is unpacked. If you trust it, open it in another "
        "program and save it in several parts.",
    ),
    QT_TRANSLATE_NOOP("CoreTexts", "Too large"),
    QT_TRANSLATE_NOOP("CoreTexts", "Copy-protected book"),
    QT_TRANSLATE_NOOP(
        "CoreTexts",
        "“{name}” is encrypted by its publisher (DRM) and opens only in the publisher's own reader. "
        "Use a copy without this protection.",
    ),
    QT_TRANSLATE_NOOP("CoreTexts", "All documents are left out"),
    QT_TRANSLATE_NOOP("CoreTexts", "Nothing is to be read. Choose documents or pages that are to be read."),
)
