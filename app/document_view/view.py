"""The document view: page toolbar, notices, thumbnails and pages, put together."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from PySide6.QtCore import QEvent, Qt, Signal, Slot
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from app.document_service import DocumentService
from app.document_view.notice_bar import NoticeBar
from app.document_view.page_toolbar import PageToolbar
from app.document_view.pages_area import PagesArea
from app.document_view.sheet import NearbyTiles, Sheet, VisibleTiles
from app.document_view.thumbnails import Thumbnails
from app.document_view.tile_loader import TileLoader
from app.document_view.warm_marks import WarmMarks
from app.preferences import RecognitionChoices
from core.documents.file_state import FileState
from core.documents.layout import Document, DocumentWarning, WarningKind
from core.documents.page_range import PageRange
from core.documents.quote_index import PageRect
from core.errors import LecternError


class DocumentView(QWidget):
    """Shows one document. `page_index` is 0-based everywhere.

    `show_pages_early` shows the pages of a file whose text is still being read; `show_document` of the same
    file then adds labels and notices and leaves the pages where they are. `recognition_wanted` and
    `open_again_wanted` ask to read the document again, with text recognition or because it has changed.
    """

    current_page_changed = Signal(int)
    recognition_wanted = Signal()
    open_again_wanted = Signal()

    def __init__(self, service: DocumentService, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._sheet = Sheet()
        self._file_state: FileState | None = None
        self._loader = TileLoader(service, self)
        self.toolbar = PageToolbar(self)
        self.notice_bar = NoticeBar(self)
        self.thumbnails = Thumbnails(self._sheet, self._loader, self)
        self.pages = PagesArea(self._sheet, self._loader, self)
        self.marks = WarmMarks(self._sheet, self.pages)
        self._visible_tiles = VisibleTiles(self._sheet, self._loader)
        nearby_tiles = NearbyTiles(self._sheet, self._loader)
        self._loader.set_sources((self._visible_tiles, self.thumbnails, nearby_tiles))
        self.setFocusProxy(self.pages)
        self._build()
        self._connect()
        service.file_changed.connect(self._on_file_changed)

    @property
    def current_page(self) -> int:
        """The page that is being read; -1 without a document."""
        return self.pages.current_page

    @property
    def is_settled(self) -> bool:
        """Whether all that is on screen is sharp, or known to be impossible to show."""
        return self._visible_tiles.next_wanted() is None and self.thumbnails.next_wanted() is None

    def show_document(self, document: Document) -> None:
        """Show the document from its first page on, or stay where it is shown already."""
        sizes = [(page.width, page.height) for page in document.pages]
        is_other_file = self._file_state not in (None, document.file_state)
        if self._sheet.path != document.path or self._sheet.num_pages != len(sizes) or is_other_file:
            self._show(document.path, sizes)
        self._file_state = document.file_state
        self.toolbar.show_labels([page.label for page in document.pages])
        self.notice_bar.show_warnings(document.all_warnings, document.num_pages)

    def show_pages_early(self, path: str, page_sizes: Sequence[tuple[float, float]]) -> None:
        """Show the pages before the text is known; sizes in points as displayed."""
        self._show(str(Path(path).absolute()), page_sizes)

    def clear(self) -> None:
        """Show no document."""
        self._show("", ())

    def go_to(self, page_index: int) -> None:
        """Show the page from its top on; an index beyond the document is ignored."""
        self.pages.go_to(page_index)

    def highlight(self, rects: Sequence[PageRect]) -> None:
        """Mark exactly these boxes, instead of any others, and bring the first one into view."""
        self.pages.highlight(rects)

    def use_recognition(self, choices: RecognitionChoices) -> None:
        """How text recognition is offered."""
        self.notice_bar.use_recognition(choices)

    def show_read_pages(self, pages: PageRange | None) -> None:
        """Set off the pages that are not in the range, which the model is not given; None marks none."""
        if self._sheet.read_pages != pages:
            self._sheet.read_pages = pages
            self.pages.viewport().update()
            self.thumbnails.viewport().update()
            self._show_is_read()

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self._show_is_read()
        super().changeEvent(event)

    def clear_highlight(self) -> None:
        self.pages.highlight(())

    def show_warmth(self, shares: Mapping[int, float]) -> None:
        """Tint exactly these pages by their shares (0 to 1) of a model's attention."""
        self._sheet.set_warmth(shares)
        self.thumbnails.viewport().update()
        self.marks.renew()

    def _show(self, path: str, sizes: Sequence[tuple[float, float]]) -> None:
        self.toolbar.show_labels([str(number + 1) for number in range(len(sizes))])
        self.notice_bar.show_warnings((), 0)
        self._file_state = None
        self.pages.show_pages(path, sizes)
        self.thumbnails.renew()
        self.marks.renew()
        self._on_current_page_changed(self.current_page)

    def _build(self) -> None:
        self.thumbnails.hide()
        middle = QHBoxLayout()
        middle.setSpacing(0)
        middle.addWidget(self.thumbnails)
        middle.addWidget(self.pages, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.toolbar)
        column.addWidget(self.notice_bar)
        column.addLayout(middle, 1)

    def _connect(self) -> None:
        self.pages.current_page_changed.connect(self._on_current_page_changed)
        self.pages.current_page_changed.connect(self.current_page_changed)
        self.pages.zoom_changed.connect(self._on_zoom_changed)
        self.thumbnails.page_chosen.connect(self.go_to)
        self.marks.page_chosen.connect(self.go_to)
        self.notice_bar.page_wanted.connect(self.go_to)
        self.notice_bar.recognition_wanted.connect(self.recognition_wanted)
        self.notice_bar.open_again_wanted.connect(self.open_again_wanted)
        self.toolbar.page_wanted.connect(self._on_page_wanted)
        self.toolbar.zoom_wanted.connect(self.pages.set_zoom)
        self.toolbar.zoom_step_wanted.connect(self.pages.zoom_step)
        self.toolbar.thumbnails_wanted.connect(self.thumbnails.setVisible)
        for keys, slot in (
            ("Ctrl++", self._on_zoom_in),
            ("Ctrl+=", self._on_zoom_in),
            ("Ctrl+-", self._on_zoom_out),
            ("Ctrl+0", self._on_fit_width),
            ("Ctrl+PgDown", self._on_next_page),
            ("Ctrl+PgUp", self._on_previous_page),
            ("Ctrl+G", self._on_page_field_wanted),
        ):
            shortcut = QShortcut(QKeySequence(keys), self)
            shortcut.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
            shortcut.activated.connect(slot)

    def _show_is_read(self) -> None:
        is_read = self.current_page < 0 or self._sheet.is_read(self.current_page)
        self.toolbar.show_is_read(is_read)
        words = self.tr("Page {number} is not read by the model.").format(number=self.current_page + 1)
        self.pages.setAccessibleDescription("" if is_read else words)

    @Slot(int)
    def _on_current_page_changed(self, page_index: int) -> None:
        self.toolbar.show_page(page_index)
        self.thumbnails.follow(page_index)
        self._show_is_read()

    @Slot(str, object)
    def _on_file_changed(self, path: str, error: LecternError) -> None:
        if path == self._sheet.path:
            self.notice_bar.add_warning(DocumentWarning(WarningKind.FILE_CHANGED, error.message))

    @Slot()
    def _on_zoom_changed(self) -> None:
        if self.current_page >= 0:
            self.toolbar.show_zoom(self._sheet.zoom_of(self.current_page), self._sheet.zoom is None)

    @Slot(int)
    def _on_page_wanted(self, page_index: int) -> None:
        self.go_to(page_index)

    @Slot()
    def _on_zoom_in(self) -> None:
        self.pages.zoom_step(1)

    @Slot()
    def _on_zoom_out(self) -> None:
        self.pages.zoom_step(-1)

    @Slot()
    def _on_fit_width(self) -> None:
        self.pages.set_zoom(None)

    @Slot()
    def _on_next_page(self) -> None:
        self.go_to(self.current_page + 1)

    @Slot()
    def _on_previous_page(self) -> None:
        self.go_to(self.current_page - 1)

    @Slot()
    def _on_page_field_wanted(self) -> None:
        self.toolbar.page_field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.toolbar.page_field.selectAll()
