"""The column of small pages beside the document."""

from PySide6.QtCore import (
    QAbstractListModel,
    QEvent,
    QModelIndex,
    QPersistentModelIndex,
    QRectF,
    QSize,
    Qt,
    Signal,
    Slot,
)
from PySide6.QtGui import QPainter, QPen, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QFrame, QListView, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from app import theme
from app.document_view.page_painter import PAPER
from app.document_view.sheet import OVERVIEW_HEIGHT, OVERVIEW_WIDTH, Sheet
from app.document_view.tile_loader import TileLoader
from app.document_view.tiles import TileRequest
from app.document_view.warm_marks import paint_warmth
from app.widgets.shares import percent, share_sentence

_CAPTION_HEIGHT = 22
_PADDING = 8
_WIDTH = 152
ROW_HEIGHT = OVERVIEW_HEIGHT + _CAPTION_HEIGHT + 2 * _PADDING

_IS_READ_ROLE = Qt.ItemDataRole.UserRole
_VEIL = 0.75

_Index = QModelIndex | QPersistentModelIndex


class _Pages(QAbstractListModel):
    def __init__(self, sheet: Sheet, parent: QWidget) -> None:
        super().__init__(parent)
        self._sheet = sheet

    def renew(self) -> None:
        self.beginResetModel()
        self.endResetModel()

    def rowCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008 - an invalid index never changes
        return 0 if parent.isValid() else self._sheet.num_pages

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if role == Qt.ItemDataRole.DisplayRole:
            return str(index.row() + 1)
        if role == Qt.ItemDataRole.AccessibleTextRole:
            is_read, share = self._sheet.is_read(index.row()), self._sheet.warmth.get(index.row())
            words = self.tr("Page {number}") if is_read else self.tr("Page {number}, not read")
            words = words.format(number=index.row() + 1)
            return words if share is None else f"{words}. {share_sentence(share)}"
        if role == Qt.ItemDataRole.ToolTipRole and index.row() in self._sheet.warmth:
            return share_sentence(self._sheet.warmth[index.row()])
        if role == _IS_READ_ROLE:
            return self._sheet.is_read(index.row())
        return None


class _PageDelegate(QStyledItemDelegate):
    def __init__(self, sheet: Sheet, loader: TileLoader, parent: QWidget) -> None:
        super().__init__(parent)
        self._sheet = sheet
        self._loader = loader

    def sizeHint(self, _option: QStyleOptionViewItem, _index: _Index) -> QSize:
        return QSize(OVERVIEW_WIDTH + 2 * _PADDING, ROW_HEIGHT)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        page_index = index.row()
        if page_index >= self._sheet.num_pages:
            return
        request = self._sheet.overview(page_index)
        ratio = self._sheet.device_pixel_ratio
        width, height = request.area.width / ratio, request.area.height / ratio
        cell = QRectF(option.rect)
        state = option.state
        page = QRectF(cell.center().x() - width / 2, 0, width, height)
        page.moveBottom(cell.bottom() - _PADDING - _CAPTION_HEIGHT)
        is_current = bool(state & QStyle.StateFlag.State_Selected)
        has_focus = is_current and bool(state & QStyle.StateFlag.State_HasFocus)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        painter.fillRect(page, PAPER)
        pixmap = self._loader.pixmap(request)
        if pixmap is not None:
            painter.drawPixmap(page, pixmap, QRectF(pixmap.rect()))
        share = self._sheet.warmth.get(page_index)
        if share is not None:
            paint_warmth(painter, page, share / max(self._sheet.warmth.values()))
        elif not index.data(_IS_READ_ROLE):
            painter.fillRect(page, theme.color("surface", _VEIL))
        edge = 2.0 if is_current else 1.0
        painter.setPen(QPen(theme.color("accent" if is_current else "border"), edge))
        painter.drawRect(page.adjusted(-edge / 2, -edge / 2, edge / 2, edge / 2))
        number = str(page_index + 1)
        self._paint_caption(
            painter, cell, number if share is None else f"{number} · {percent(share)}", is_current
        )
        if has_focus:
            painter.setPen(QPen(theme.color("accent"), 1, Qt.PenStyle.DotLine))
            painter.drawRect(cell.adjusted(1.5, 1.5, -1.5, -1.5))
        painter.restore()

    def _paint_caption(self, painter: QPainter, cell: QRectF, text: str, is_current: bool) -> None:
        painter.setFont(theme.font(theme.Type.caption))
        painter.setPen(theme.color("accent" if is_current else "text_muted"))
        caption = QRectF(
            cell.left(), cell.bottom() - _PADDING - _CAPTION_HEIGHT, cell.width(), _CAPTION_HEIGHT
        )
        painter.drawText(caption, Qt.AlignmentFlag.AlignCenter, text)


class Thumbnails(QListView):
    """Pages to look over and jump to; drawn only as far as they are on screen."""

    page_chosen = Signal(int)

    def __init__(self, sheet: Sheet, loader: TileLoader, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._sheet = sheet
        self._loader = loader
        self._is_following = False
        self._pages = _Pages(sheet, self)
        self.setObjectName("thumbnails")
        self.setAccessibleName(self.tr("Thumbnails"))
        self.setFixedWidth(_WIDTH)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setUniformItemSizes(True)
        self.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setModel(self._pages)
        self.setItemDelegate(_PageDelegate(sheet, loader, self))
        self.verticalScrollBar().setSingleStep(ROW_HEIGHT // 4)
        self.verticalScrollBar().valueChanged.connect(self._on_scrolled)
        self.clicked.connect(self._on_clicked)
        loader.tile_arrived.connect(self._on_tile_arrived)

    def renew(self) -> None:
        """Another document is on the sheet."""
        self._is_following = True
        self._pages.renew()
        self._is_following = False

    def follow(self, page_index: int) -> None:
        """Mark the page that is being read."""
        self._is_following = True
        self.setCurrentIndex(self._pages.index(page_index, 0))
        self._is_following = False

    def next_wanted(self) -> TileRequest | None:
        for page_index in self._rows_on_screen():
            request = self._sheet.overview(page_index)
            if self._loader.is_missing(request):
                return request
        return None

    def wants(self, request: TileRequest, /) -> bool:
        return request.is_overview and request.page_index in self._rows_on_screen()

    def currentChanged(self, current: _Index, previous: _Index) -> None:
        super().currentChanged(current, previous)
        if not self._is_following and current.isValid():
            self.page_chosen.emit(current.row())

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.scrollTo(self.currentIndex(), QListView.ScrollHint.PositionAtCenter)
        self._loader.fetch_next()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._loader.fetch_next()

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self.setAccessibleName(self.tr("Thumbnails"))
        super().changeEvent(event)

    def _rows_on_screen(self) -> range:
        if not self.isVisible():
            return range(0)
        top = self.verticalScrollBar().value()
        last = (top + self.viewport().height()) // ROW_HEIGHT
        return range(top // ROW_HEIGHT, min(last + 1, self._sheet.num_pages))

    @Slot()
    def _on_scrolled(self) -> None:
        self._loader.fetch_next()

    @Slot(QModelIndex)
    def _on_clicked(self, index: QModelIndex) -> None:
        self.page_chosen.emit(index.row())

    @Slot(object)
    def _on_tile_arrived(self, request: TileRequest) -> None:
        if request.is_overview:
            self.update(self._pages.index(request.page_index, 0))
