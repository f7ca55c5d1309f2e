"""The bar above the pages: which page, which zoom, and whether thumbnails are shown."""

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QEvent, QSize, Qt, Signal, Slot
from PySide6.QtGui import QAction, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QLineEdit, QMenu, QToolButton, QWidget

from app import theme
from app.document_view.page_numbers import find_page
from app.widgets.icons import set_icon
from app.widgets.texts import plain_label

_ICON_SIZE = 18
_MENU_ZOOMS = (0.5, 0.75, 1.0, 1.25, 1.5, 2.0, 3.0, 4.0)


class PageToolbar(QWidget):
    """Asks for pages and zooms by signals; shows what it is told."""

    page_wanted = Signal(int)
    zoom_wanted = Signal(object)
    zoom_step_wanted = Signal(int)
    thumbnails_wanted = Signal(bool)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("page_toolbar")
        self._labels: Sequence[str] = ()
        self._page_index = -1
        self._zoom = 1.0
        self.thumbnails_button = self._button("thumbnails", is_checkable=True)
        self.previous_button = self._button("page-up")
        self.next_button = self._button("page-down")
        self.page_field = QLineEdit(self)
        self.count_label = QLabel(self)
        self.unread_badge = plain_label("badge", parent=self)
        self.unread_badge.hide()
        self._is_read = True
        self.zoom_out_button = self._button("zoom-out")
        self.zoom_in_button = self._button("zoom-in")
        self.zoom_button = QToolButton(self)
        self.fit_width_button = self._button("fit-width", is_checkable=True)
        self._fit_width_action = QAction(self)
        self._zoom_actions = {zoom: QAction(self) for zoom in _MENU_ZOOMS}
        self._build()
        self._connect()
        self._retranslate()
        self.show_page(-1)

    def show_labels(self, labels: Sequence[str]) -> None:
        """The printed label of every page; as many as there are pages."""
        self._labels = labels
        digits = self.fontMetrics().horizontalAdvance("0") * max(4, len(str(len(labels))) + 1)
        self.page_field.setFixedWidth(digits + 2 * theme.SPACE.m)
        self.show_page(self._page_index)

    def show_page(self, page_index: int) -> None:
        """The page that is being read; -1 if there is none."""
        self._page_index = page_index
        num_pages = len(self._labels)
        has_page = 0 <= page_index < num_pages
        self.setEnabled(has_page)
        self.previous_button.setEnabled(page_index > 0)
        self.next_button.setEnabled(page_index < num_pages - 1)
        if not has_page:
            self.page_field.clear()
            self.count_label.clear()
            return
        ordinal, label = str(page_index + 1), self._labels[page_index]
        if not (self.page_field.hasFocus() and self.page_field.isModified()):
            self.page_field.setText(ordinal)
        text = self.tr("/ {count}").format(count=num_pages)
        if label not in (ordinal, ""):
            text += "  ·  " + self.tr("printed {label}").format(label=label)
        self.count_label.setText(text)

    def show_is_read(self, is_read: bool) -> None:
        """Whether the model is given the page that is being read; said in words where there is room."""
        self._is_read = is_read
        self._show_badge()

    def show_zoom(self, zoom: float, is_fit_width: bool) -> None:
        self._zoom = zoom
        self.zoom_button.setText(self._percent(zoom))
        self.fit_width_button.setChecked(is_fit_width)
        self._fit_width_action.setChecked(is_fit_width)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._show_badge()

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), theme.color("surface"))
        painter.fillRect(0, self.height() - 1, self.width(), 1, theme.color("border"))
        painter.end()

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()
        super().changeEvent(event)

    def _button(self, icon_name: str, is_checkable: bool = False) -> QToolButton:
        button = QToolButton(self)
        set_icon(button, icon_name)
        button.setIconSize(QSize(_ICON_SIZE, _ICON_SIZE))
        button.setCheckable(is_checkable)
        button.setAutoRaise(True)
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        return button

    def _build(self) -> None:
        menu = QMenu(self)
        menu.addAction(self._fit_width_action)
        self._fit_width_action.setCheckable(True)
        menu.addSeparator()
        menu.addActions(list(self._zoom_actions.values()))
        self.zoom_button.setMenu(menu)
        self.zoom_button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.zoom_button.setAutoRaise(True)
        self.zoom_button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.page_field.setAlignment(Qt.AlignmentFlag.AlignRight)
        space = theme.SPACE
        row = QHBoxLayout(self)
        row.setContentsMargins(space.s, space.xs, space.s, space.xs)
        row.setSpacing(space.xs)
        row.addWidget(self.thumbnails_button)
        row.addSpacing(space.s)
        for widget in (self.previous_button, self.next_button, self.page_field, self.count_label):
            row.addWidget(widget)
        row.addWidget(self.unread_badge, 0, Qt.AlignmentFlag.AlignVCenter)
        row.addStretch(1)
        for widget in (self.zoom_out_button, self.zoom_button, self.zoom_in_button, self.fit_width_button):
            row.addWidget(widget)

    def _show_badge(self) -> None:
        self.unread_badge.hide()
        room = self.width() - self.minimumSizeHint().width() - theme.SPACE.xs
        self.unread_badge.setVisible(not self._is_read and room >= self.unread_badge.sizeHint().width())

    def _connect(self) -> None:
        self.thumbnails_button.toggled.connect(self.thumbnails_wanted)
        self.previous_button.clicked.connect(self._on_previous_clicked)
        self.next_button.clicked.connect(self._on_next_clicked)
        self.page_field.returnPressed.connect(self._on_page_entered)
        self.page_field.editingFinished.connect(self._on_editing_finished)
        self.zoom_out_button.clicked.connect(self._on_zoom_out_clicked)
        self.zoom_in_button.clicked.connect(self._on_zoom_in_clicked)
        self.fit_width_button.clicked.connect(self._on_fit_width_wanted)
        self._fit_width_action.triggered.connect(self._on_fit_width_wanted)
        for zoom, action in self._zoom_actions.items():
            action.triggered.connect(partial(self._on_zoom_chosen, zoom))

    def _retranslate(self) -> None:
        for widget, name, keys in (
            (self.thumbnails_button, self.tr("Thumbnails"), ""),
            (self.previous_button, self.tr("Previous page"), "Ctrl+PgUp"),
            (self.next_button, self.tr("Next page"), "Ctrl+PgDown"),
            (self.zoom_out_button, self.tr("Zoom out"), "Ctrl+-"),
            (self.zoom_in_button, self.tr("Zoom in"), "Ctrl++"),
            (self.zoom_button, self.tr("Zoom"), ""),
            (self.fit_width_button, self.tr("Fit width"), "Ctrl+0"),
        ):
            widget.setAccessibleName(name)
            widget.setToolTip(f"{name} ({keys})" if keys else name)
        self.unread_badge.setText(self.tr("Not read by the model"))
        self.unread_badge.setToolTip(
            self.tr("The model is not given this page, by your choice of what is read.")
        )
        self.page_field.setAccessibleName(self.tr("Page number"))
        self.page_field.setToolTip(self.tr("Type a page number, or the number printed on the page (Ctrl+G)"))
        self._fit_width_action.setText(self.tr("Fit width"))
        for zoom, action in self._zoom_actions.items():
            action.setText(self._percent(zoom))
        self.show_zoom(self._zoom, self.fit_width_button.isChecked())
        self.show_page(self._page_index)

    def _percent(self, zoom: float) -> str:
        return self.tr("{percent}%").format(percent=max(1, round(100 * zoom)))

    @Slot()
    def _on_previous_clicked(self) -> None:
        self.page_wanted.emit(self._page_index - 1)

    @Slot()
    def _on_next_clicked(self) -> None:
        self.page_wanted.emit(self._page_index + 1)

    @Slot()
    def _on_page_entered(self) -> None:
        page_index = find_page(self.page_field.text(), self._labels)
        if page_index is not None:
            self.page_wanted.emit(page_index)

    @Slot()
    def _on_editing_finished(self) -> None:
        self.page_field.setModified(False)
        self.show_page(self._page_index)
        if self.page_field.hasFocus():
            self.page_field.selectAll()

    @Slot()
    def _on_zoom_out_clicked(self) -> None:
        self.zoom_step_wanted.emit(-1)

    @Slot()
    def _on_zoom_in_clicked(self) -> None:
        self.zoom_step_wanted.emit(1)

    @Slot()
    def _on_fit_width_wanted(self) -> None:
        self.zoom_wanted.emit(None)

    def _on_zoom_chosen(self, zoom: float, _is_checked: bool) -> None:
        self.zoom_wanted.emit(zoom)
