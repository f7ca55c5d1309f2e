"""A slim bar above the pages: what the reader must know about the document, one notice at a time."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QSize, Qt, Signal, Slot
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QSizePolicy, QToolButton, QWidget

from app import theme
from app.core_texts import translated
from app.document_view.page_numbers import page_ranges, short_list
from app.preferences import RecognitionChoices
from app.widgets import icons
from core.documents.language_data import find_language_data
from core.documents.layout import DocumentWarning, WarningKind
from core.errors import LecternError

_ICON_SIZE = 16
_RECOGNISABLE = frozenset({WarningKind.SCAN, WarningKind.GARBLED_TEXT})
_SEVEREST_FIRST = (
    WarningKind.FILE_CHANGED,
    WarningKind.UNREADABLE_PAGE,
    WarningKind.REPAIRED,
    WarningKind.XFA_FORM,
    WarningKind.HIDDEN_TEXT,
    WarningKind.GARBLED_TEXT,
    WarningKind.SCAN,
    WarningKind.ACTIVE_CONTENT,
    WarningKind.ATTACHMENTS,
    WarningKind.OCR_LAYER,
    WarningKind.COMMENTS,
    WarningKind.COPY_NOT_PERMITTED,
    WarningKind.BLANK,
)


@dataclass(frozen=True, slots=True)
class Notice:
    """All warnings of one kind; without pages it is about the whole document."""

    kind: WarningKind
    message: str
    page_indices: tuple[int, ...]


def notices_of(warnings: Sequence[DocumentWarning]) -> list[Notice]:
    """One notice for each kind of warning, the most severe first."""
    order = [*_SEVEREST_FIRST, *(kind for kind in WarningKind if kind not in _SEVEREST_FIRST)]
    notices = []
    for kind in order:
        found = [warning for warning in warnings if warning.kind is kind]
        pages = sorted({warning.page_index for warning in found if warning.page_index is not None})
        if found:
            notices.append(Notice(kind, found[0].message, tuple(pages)))
    return notices


class NoticeBar(QWidget):
    """Shows the first notice that has not been dismissed; hidden when there is none.

    `recognition_wanted` comes only while there is language data for text recognition; without it the notice
    tells how to get it.
    """

    page_wanted = Signal(int)
    recognition_wanted = Signal()
    open_again_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("notice_bar")
        self._notices: list[Notice] = []
        self._num_pages = 0
        self._recognition = RecognitionChoices()
        self._icon = QLabel(self)
        self.text_label = QLabel(self)
        self.text_label.setWordWrap(True)
        self.text_label.setTextFormat(Qt.TextFormat.PlainText)
        self.text_label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.text_label.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self.count_label = QLabel(self)
        self.count_label.setProperty("kind", "caption")
        self.show_button = QPushButton(self)
        self.show_button.setProperty("kind", "link")
        self.action_button = QPushButton(self)
        self.action_button.setProperty("kind", "link")
        self.action_button.clicked.connect(self._on_action_clicked)
        self.dismiss_button = QToolButton(self)
        icons.set_icon(self.dismiss_button, "close")
        self.dismiss_button.setIconSize(QSize(_ICON_SIZE, _ICON_SIZE))
        self.dismiss_button.setAutoRaise(True)
        self.show_button.clicked.connect(self._on_show_clicked)
        self.dismiss_button.clicked.connect(self._on_dismiss_clicked)
        row = QHBoxLayout(self)
        space = theme.SPACE
        row.setContentsMargins(space.m, space.xs, space.s, space.xs)
        row.setSpacing(space.s)
        buttons = self.action_button, self.show_button, self.count_label, self.dismiss_button
        for widget in (self._icon, self.text_label, *buttons):
            row.addWidget(widget)
        self._refresh()

    def show_warnings(self, warnings: Sequence[DocumentWarning], num_pages: int) -> None:
        """Replace all notices by those made of `warnings`."""
        self._notices = notices_of(warnings)
        self._num_pages = num_pages
        self._refresh()

    def add_warning(self, warning: DocumentWarning) -> None:
        """Show one more notice, ahead of the others."""
        self._notices = [*notices_of([warning]), *self._notices]
        self._refresh()

    def use_recognition(self, choices: RecognitionChoices) -> None:
        """Offer text recognition as the choices say, and in their languages."""
        self._recognition = choices
        self._refresh()

    @property
    def notices(self) -> Sequence[Notice]:
        """Those not dismissed yet; the first is on screen."""
        return tuple(self._notices)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), theme.color("surface_raised"))
        painter.fillRect(0, 0, 3, self.height(), theme.color("warning"))
        painter.fillRect(0, self.height() - 1, self.width(), 1, theme.color("border"))
        painter.end()

    def changeEvent(self, event: QEvent) -> None:
        if event.type() in (QEvent.Type.LanguageChange, QEvent.Type.PaletteChange):
            self._refresh()
        super().changeEvent(event)

    def _refresh(self) -> None:
        self.setVisible(bool(self._notices))
        self.dismiss_button.setAccessibleName(self.tr("Dismiss this notice"))
        self.dismiss_button.setToolTip(self.tr("Dismiss this notice"))
        if not self._notices:
            return
        notice = self._notices[0]
        pages = page_ranges(notice.page_indices)
        missing = self._missing_data() if notice.kind in _RECOGNISABLE else ""
        text = " ".join(filter(None, (self._text(notice, pages), translated(missing))))
        self._icon.setPixmap(icons.pixmap("warning", _ICON_SIZE, "warning"))
        self.text_label.setText(text)
        is_shortened = self._text(notice, pages) != self._text(notice, pages, len(pages))
        self.text_label.setToolTip(", ".join(pages) if is_shortened else "")
        self.setAccessibleName(text)
        self._refresh_action(notice)
        has_target = 0 < len(notice.page_indices) < self._num_pages
        self.show_button.setVisible(has_target)
        if has_target:
            number = notice.page_indices[0] + 1
            self.show_button.setText(self.tr("Go to page {number}").format(number=number))
        num_more = len(self._notices) - 1
        self.count_label.setVisible(num_more > 0)
        self.count_label.setText(self.tr("+{count} more").format(count=num_more))

    def _refresh_action(self, notice: Notice) -> None:
        is_changed = notice.kind is WarningKind.FILE_CHANGED
        is_offered = notice.kind in _RECOGNISABLE and self._recognition.when != "never"
        self.action_button.setVisible(is_changed or is_offered)
        self.action_button.setText(
            self.tr("Open again") if is_changed else self.tr("Read with text recognition")
        )

    def _text(self, notice: Notice, pages: list[str], limit: int | None = None) -> str:
        if not notice.page_indices:
            return self._document_text(notice)
        if len(notice.page_indices) == self._num_pages:
            return self._all_pages_text(notice)
        listed = ", ".join(pages[:limit]) if limit is not None else short_list(pages)
        if len(notice.page_indices) == 1:
            return self._page_text(notice).format(pages=listed)
        return self._pages_text(notice).format(pages=listed, count=len(notice.page_indices))

    def _document_text(self, notice: Notice) -> str:
        texts = {
            WarningKind.REPAIRED: self.tr(
                "The file is damaged and was repaired while it was opened; parts of it may be missing."
            ),
            WarningKind.COPY_NOT_PERMITTED: self.tr(
                "The author of this file does not permit copying its text. You may read and ask here; "
                "respect that wish when you pass text on."
            ),
        }
        return texts.get(notice.kind, translated(notice.message))

    def _page_text(self, notice: Notice) -> str:
        texts = {
            WarningKind.SCAN: self.tr(
                "Page {pages} is a picture without text. It can be read with text recognition (OCR)."
            ),
            WarningKind.BLANK: self.tr("Page {pages} has no text."),
            WarningKind.GARBLED_TEXT: self.tr(
                "The text of page {pages} has no readable meaning because its fonts are damaged. "
                "Read it with text recognition (OCR)."
            ),
            WarningKind.UNREADABLE_PAGE: self.tr("Page {pages} could not be read. The others were read."),
            WarningKind.OCR_LAYER: self.tr(
                "The text of page {pages} was found by text recognition (OCR) in a picture; "
                "it can have errors."
            ),
            WarningKind.COMMENTS: self.tr(
                "Page {pages} has comments. They are kept apart; the model does not read them."
            ),
        }
        return texts.get(notice.kind, self.tr("Page {pages}:") + " " + _literal(translated(notice.message)))

    def _pages_text(self, notice: Notice) -> str:
        texts = {
            WarningKind.SCAN: self.tr(
                "{count} pages are pictures without text ({pages}). "
                "They can be read with text recognition (OCR)."
            ),
            WarningKind.BLANK: self.tr("{count} pages have no text ({pages})."),
            WarningKind.GARBLED_TEXT: self.tr(
                "The text of {count} pages has no readable meaning because their fonts are damaged "
                "({pages}). Read them with text recognition (OCR)."
            ),
            WarningKind.UNREADABLE_PAGE: self.tr(
                "{count} pages could not be read ({pages}). The others were read."
            ),
            WarningKind.HIDDEN_TEXT: self.tr(
                "{count} pages have text that their readers cannot see ({pages}). The model is not given it."
            ),
            WarningKind.OCR_LAYER: self.tr(
                "The text of {count} pages was found by text recognition (OCR) in pictures ({pages}); "
                "it can have errors."
            ),
            WarningKind.COMMENTS: self.tr(
                "{count} pages have comments ({pages}). They are kept apart; the model does not read them."
            ),
        }
        return texts.get(notice.kind, self.tr("Pages {pages}:") + " " + _literal(translated(notice.message)))

    def _all_pages_text(self, notice: Notice) -> str:
        texts = {
            WarningKind.SCAN: self.tr(
                "This document is a scan: its pages are pictures without text. "
                "It can be read with text recognition (OCR)."
            ),
            WarningKind.BLANK: self.tr("No page of this document has text."),
            WarningKind.GARBLED_TEXT: self.tr(
                "The text of this document has no readable meaning because its fonts are damaged. "
                "Read it with text recognition (OCR)."
            ),
            WarningKind.UNREADABLE_PAGE: self.tr("None of the pages could be read."),
            WarningKind.HIDDEN_TEXT: self.tr(
                "Every page has text that its readers cannot see. The model is not given it."
            ),
            WarningKind.OCR_LAYER: self.tr(
                "The text of this document was found by text recognition (OCR) in pictures; "
                "it can have errors."
            ),
        }
        return texts.get(notice.kind, translated(notice.message))

    def _missing_data(self) -> str:
        """How to get the language data that text recognition lacks; empty if it is there or not wanted."""
        if self._recognition.when == "never":
            return ""
        try:
            find_language_data(self._recognition.languages)
        except LecternError as error:
            return error.message
        return ""

    @Slot()
    def _on_show_clicked(self) -> None:
        self.page_wanted.emit(self._notices[0].page_indices[0])

    @Slot()
    def _on_action_clicked(self) -> None:
        """Language data may have come, or gone, since the notice was shown."""
        if self._notices[0].kind is WarningKind.FILE_CHANGED:
            self.open_again_wanted.emit()
        elif self._missing_data():
            self._refresh()
        else:
            self.recognition_wanted.emit()

    @Slot()
    def _on_dismiss_clicked(self) -> None:
        self._notices = self._notices[1:]
        self._refresh()


def _literal(text: str) -> str:
    """Safe from `str.format`."""
    return text.replace("{", "{{").replace("}", "}}")
