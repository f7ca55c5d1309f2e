"""One model: what it is, what it does here, and the button for the next step with it."""

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from app.chat_view.progress_row import ProgressRow
from app.core_texts import translated
from app.downloads.downloader import Download, DownloadStatus
from app.model_list.model_item import Availability, ModelItem
from app.model_list.model_words import fact_words, gate_words, plan_words, title_words
from app.theme import SPACE
from app.widgets.texts import plain_label


class ModelRow(QFrame):
    """`download_wanted` and `chosen` carry the item."""

    download_wanted = Signal(object)
    stop_wanted = Signal()
    chosen = Signal(object)

    def __init__(self, item: ModelItem, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("kind", "card")
        self.item = item
        self._download: Download | None = None
        self._is_chosen = self._is_other_running = False
        self.title, self.badge = plain_label("heading"), plain_label("badge")
        self.plan, self.facts, self.error = plain_label(), plain_label("caption"), plain_label()
        for label in (self.title, self.plan, self.facts, self.error):
            label.setWordWrap(True)
        self.error.setProperty("tone", "error")
        self.error.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.progress, self.button = ProgressRow(), QPushButton()
        self.button.setAutoDefault(False)
        self.button.clicked.connect(self._on_clicked)
        self._lay_out()
        self._show()

    def show_item(self, item: ModelItem) -> None:
        self.item = item
        self._show()

    def show_chosen(self, *, is_chosen: bool) -> None:
        self._is_chosen = is_chosen
        self._show()

    def show_download(self, download: Download | None) -> None:
        """What is downloaded now or was last, this model or another one."""
        is_own = download is not None and download.entry == self.item.entry
        own = download if is_own else None
        is_other_running = download is not None and download.is_running and not is_own
        if (own, is_other_running) != (self._download, self._is_other_running):
            self._download, self._is_other_running = own, is_other_running
            self._show()

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self._show()
        super().changeEvent(event)

    @property
    def _is_running(self) -> bool:
        return self._download is not None and self._download.is_running

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.setSpacing(SPACE.s)
        head.addWidget(self.title, 1)
        head.addWidget(self.badge, 0, Qt.AlignmentFlag.AlignVCenter)
        head.addWidget(self.button)
        column = QVBoxLayout(self)
        column.setContentsMargins(SPACE.m, SPACE.s, SPACE.m, SPACE.s)
        column.setSpacing(SPACE.xs)
        column.addLayout(head)
        for widget in (self.plan, self.facts, self.progress, self.error):
            column.addWidget(widget)

    def _show(self) -> None:
        item, download = self.item, self._download
        self.title.setText(title_words(item))
        self.plan.setText(plan_words(item.plan))
        self.facts.setText(f"{fact_words(item)}\n{gate_words()}" if item.entry.is_gated else fact_words(item))
        self._show_badge()
        self._show_button()
        self.progress.show_progress(download.progress if download is not None and self._is_running else None)
        error = download.error if download is not None else None
        self.error.setVisible(error is not None)
        if error is not None:
            self.error.setText(f"{translated(error.title)}. {translated(error.message)}")

    def _show_badge(self) -> None:
        if self._is_chosen:
            words = self.tr("Chosen")
        elif self.item.is_recommended:
            words = self.tr("Recommended")
        elif self.item.availability is Availability.HERE and not self.item.is_starter:
            words = self.tr("Downloaded")
        else:
            words = ""
        self.badge.setText(words)
        self.badge.setVisible(bool(words))

    def _show_button(self) -> None:
        is_stopping = self._download is not None and self._download.status is DownloadStatus.STOPPING
        if self._is_running:
            words = self.tr("Stop")
        else:
            words = {
                Availability.HERE: self.tr("Choose"),
                Availability.BEGUN: self.tr("Go on"),
                Availability.ABSENT: self.tr("Download"),
            }[self.item.availability]
        is_here = self.item.availability is Availability.HERE
        is_waiting = self._is_other_running and not is_here
        self.button.setText(words)
        self.button.setVisible(not (is_here and self._is_chosen))
        self.button.setEnabled(not is_waiting and not is_stopping)
        self.button.setToolTip(self.tr("One model is downloaded at a time.") if is_waiting else "")
        self.button.setAccessibleName(
            self.tr("{action}: {name}", "a button and its model").format(action=words, name=self.title.text())
        )

    def _on_clicked(self) -> None:
        if self._is_running:
            self.stop_wanted.emit()
        elif self.item.availability is Availability.HERE:
            self.chosen.emit(self.item)
        else:
            self.download_wanted.emit(self.item)
