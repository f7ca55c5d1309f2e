"""Asks what of the documents is to be read, each choice with its numbers."""

from itertools import pairwise

from PySide6.QtCore import QEvent, Signal
from PySide6.QtWidgets import (
    QButtonGroup,
    QDialog,
    QDialogButtonBox,
    QLabel,
    QRadioButton,
    QVBoxLayout,
    QWidget,
)

from app.core_texts import translated
from app.reading_view.other_ways import OtherWays
from app.reading_view.range_fields import RangeFields
from app.reading_view.words import need_words
from app.state import AppState
from app.theme import SPACE
from app.widgets import icons
from app.widgets.dialogs import ICON_SIZE, cancel_button, fit_height, lay_out, ok_button
from app.widgets.texts import plain_label
from core.documents.reading_choice import EVERYTHING, ReadingChoice, ReadingKind
from core.documents.sizes import DocumentSizes
from core.errors import LecternError
from core.settings import EngineSettings

_WIDTH = 620
_INDENT = 28
_KINDS = (ReadingKind.WHOLE, ReadingKind.PAGES, ReadingKind.SECTIONS, ReadingKind.STRETCHED)


class ReadingDialog(QDialog):
    """Never blocks the caller; `reading_chosen` comes when the user says yes.

    `others` has what helps beside a choice; each of its signals comes after the dialog has gone.
    """

    reading_chosen = Signal(object)
    model_wanted = Signal()
    codec_wanted = Signal(str)
    own_length_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("reading_dialog")
        self._state, self._settings = AppState(), EngineSettings()
        self._sizes: DocumentSizes | None = None
        self._error: LecternError | None = None
        self._icon, self.heading, self.words = QLabel(), plain_label("title"), plain_label("muted")
        self.ranges, self.others = RangeFields(), OtherWays()
        self.options = {kind: QRadioButton() for kind in _KINDS}
        self.captions = {kind: plain_label("caption") for kind in _KINDS if kind is not ReadingKind.PAGES}
        self._group = QButtonGroup(self)
        self.buttons = QDialogButtonBox()
        self.read_button, self.cancel_button = ok_button(self.buttons), cancel_button(self.buttons)
        self._lay_out()
        self._connect()
        self._retranslate()

    def ask(self, state: AppState, settings: EngineSettings, error: LecternError | None = None) -> None:
        """What is to be read of the state's documents; `error` says why it cannot be what it was."""
        if self.isVisible():
            return
        self._state, self._settings, self._error = state, settings, error
        self.ranges.show_documents(state.documents, self._proposed_range())
        self._order_tabs()
        self.show_sizes(state.sizes)
        self.options[self._proposed_kind()].setChecked(True)
        self._refresh()
        fit_height(self, _WIDTH)
        self.open()
        self.options[self._kind].setFocus()

    def show_sizes(self, sizes: DocumentSizes | None) -> None:
        """Numbers that have come since, or None while the model still counts."""
        self._sizes = sizes
        self.ranges.show_sizes(sizes)
        self.others.show_sizes(sizes, self._settings)
        self._retranslate()

    @property
    def choice(self) -> ReadingChoice | None:
        """What is chosen now; None while the range makes no sense."""
        if self._kind is ReadingKind.PAGES:
            return self.ranges.choice
        return self._choice_of(self._kind)

    def changeEvent(self, event: QEvent) -> None:
        if event.type() in (QEvent.Type.LanguageChange, QEvent.Type.PaletteChange):
            self._retranslate()
        super().changeEvent(event)

    @property
    def _kind(self) -> ReadingKind:
        return next((kind for kind, option in self.options.items() if option.isChecked()), _KINDS[0])

    def _proposed_range(self) -> ReadingChoice:
        """The range of now, or the first pages where not all of them fit."""
        reading, sizes = self._state.reading, self._state.sizes
        if reading.kind is ReadingKind.PAGES or sizes is None or sizes.fits(EVERYTHING):
            return reading
        return sizes.fitting_range() or reading

    def _proposed_kind(self) -> ReadingKind:
        """What is read now, or what would fit where that does not."""
        reading, sizes = self._state.reading, self._state.sizes
        if sizes is None or (sizes.fits_model(reading) and self._error is None):
            return reading.kind
        return ReadingKind.SECTIONS if sizes.section_budget else ReadingKind.PAGES

    def _choice_of(self, kind: ReadingKind) -> ReadingChoice:
        if kind is not ReadingKind.STRETCHED:
            return ReadingChoice(kind)
        if self._sizes is not None and self._sizes.stretch is not None:
            return ReadingChoice(kind, stretch=self._sizes.stretch)
        return self._state.reading

    def _lay_out(self) -> None:
        middle = QWidget()
        column = QVBoxLayout(middle)
        column.setContentsMargins(0, SPACE.s, 0, 0)
        column.setSpacing(SPACE.xs)
        for kind, option in self.options.items():
            self._group.addButton(option)
            column.addWidget(option)
            below = self.ranges if kind is ReadingKind.PAGES else self.captions[kind]
            below.setContentsMargins(_INDENT, 0, 0, SPACE.s)
            if isinstance(below, QLabel):
                below.setWordWrap(True)
            column.addWidget(below)
        column.addWidget(self.others)
        self.heading.setWordWrap(True)
        self.words.setWordWrap(True)
        lay_out(self, self._icon, (self.heading, self.words, middle), self.buttons)

    def _order_tabs(self) -> None:
        """Down the dialog as it is read; the rows of documents are new each time."""
        places: list[QWidget] = []
        for kind, option in self.options.items():
            places += [option, *(self.ranges.places if kind is ReadingKind.PAGES else ())]
        places += [self.others.length_button, self.others.codec_button, self.others.model_button]
        places += [self.read_button, self.cancel_button]
        for before, after in pairwise(places):
            QWidget.setTabOrder(before, after)

    def _connect(self) -> None:
        self._group.buttonToggled.connect(self._on_option_toggled)
        self.ranges.changed.connect(self._on_range_changed)
        self.buttons.accepted.connect(self._on_read_clicked)
        self.buttons.rejected.connect(self.reject)
        self.others.model_wanted.connect(self._on_model_wanted)
        self.others.codec_wanted.connect(self._on_codec_wanted)
        self.others.own_length_wanted.connect(self._on_own_length_wanted)

    def _retranslate(self) -> None:
        self.setWindowTitle(self.tr("What is read"))
        self._icon.setPixmap(
            icons.pixmap("reading", ICON_SIZE, "accent" if self._error is None else "warning")
        )
        title = self.tr("What is read of the documents")
        self.heading.setText(translated(self._error.title) if self._error is not None else title)
        self.words.setText(self._introduction())
        has_several = len(self._state.documents) > 1
        names = {
            ReadingKind.WHOLE: self.tr("Everything"),
            ReadingKind.PAGES: self.tr("Some documents or pages") if has_several else self.tr("Some pages"),
            ReadingKind.SECTIONS: self.tr("The sections that match, chosen for each question"),
            ReadingKind.STRETCHED: self.tr("Everything, with the model's context stretched (YaRN)"),
        }
        for kind, name in names.items():
            self.options[kind].setText(name)
        for kind, caption in self.captions.items():
            caption.setText(self._caption(kind))
            self.options[kind].setAccessibleDescription(caption.text())
        self.read_button.setText(self.tr("Read this"))
        self.cancel_button.setText(self.tr("Cancel"))
        self.setAccessibleName(self.heading.text())
        self.setAccessibleDescription(self.words.text())
        self._refresh()

    def _introduction(self) -> str:
        sizes = self._sizes
        if sizes is None:
            return self.tr("The model has not counted the documents yet.")
        words = self.tr(
            "{pages} pages with text are {count} tokens; {model} reads {limit} at a time, question and "
            "answer included. Nothing is ever cut."
        )
        num_pages = sum(cost > 0 for costs in sizes.page_tokens for cost in costs)
        return words.format(
            pages=f"{num_pages:,}",
            count=f"{sizes.needed_tokens(EVERYTHING) - sizes.around_tokens:,}",
            model=sizes.model,
            limit=f"{sizes.limit_of(EVERYTHING):,}",
        )

    def _caption(self, kind: ReadingKind) -> str:
        sizes = self._sizes
        if sizes is None:
            return ""
        if kind is ReadingKind.SECTIONS:
            return self._section_caption(sizes)
        if kind is ReadingKind.STRETCHED and sizes.stretch is None:
            return ""
        numbers = need_words(sizes, self._choice_of(kind))
        if kind is ReadingKind.WHOLE:
            return numbers
        words = self.tr(
            "The model was made for {context} tokens; stretched {factor} times, its answers may lose "
            "precision. It is loaded again for that."
        )
        return numbers + " " + words.format(context=f"{sizes.context_length:,}", factor=sizes.stretch)

    def _section_caption(self, sizes: DocumentSizes) -> str:
        if not sizes.section_budget:
            return self.tr("No section fits beside a question and its answer.")
        costs = [cost for costs in sizes.page_tokens for cost in costs if cost]
        mean = max(1, sum(costs) // max(1, len(costs)))
        words = self.tr(
            "Up to {count} tokens, about {pages} of {total} pages, for each question, and the answer names "
            "them. Each question stands by itself; a request for a summary reads all sections in turn."
        )
        num_pages = min(len(costs), max(1, sizes.section_budget // mean))
        said = words.format(count=f"{sizes.section_budget:,}", pages=num_pages, total=f"{len(costs):,}")
        if not sizes.num_sections:
            return said
        return said + " " + self.tr("{count} sections were found.").format(count=f"{sizes.num_sections:,}")

    def _refresh(self) -> None:
        sizes, choice = self._sizes, self.choice
        stretched = self.options[ReadingKind.STRETCHED]
        is_now = self._state.reading.kind is ReadingKind.STRETCHED
        has_stretch = is_now if sizes is None else sizes.stretch is not None
        stretched.setVisible(has_stretch)
        fits = sizes is None or sizes.fits_model(self._choice_of(ReadingKind.STRETCHED))
        stretched.setEnabled(has_stretch and fits)
        self.captions[ReadingKind.STRETCHED].setVisible(has_stretch)
        self.read_button.setEnabled(choice is not None and (sizes is None or sizes.fits_model(choice)))

    def _on_option_toggled(self, _option: object, is_checked: bool) -> None:
        if is_checked:
            self._refresh()

    def _on_range_changed(self) -> None:
        """Whoever writes a range, or is about to, means it."""
        self.options[ReadingKind.PAGES].setChecked(True)
        self._refresh()

    def _on_read_clicked(self) -> None:
        choice = self.choice
        if choice is not None:
            self.accept()
            self.reading_chosen.emit(choice)

    def _on_model_wanted(self) -> None:
        self.reject()
        self.model_wanted.emit()

    def _on_codec_wanted(self, codec: str) -> None:
        self.reject()
        self.codec_wanted.emit(codec)

    def _on_own_length_wanted(self) -> None:
        self.reject()
        self.own_length_wanted.emit()
