"""A line that tells of the download and leads to what it is for; hidden while there is nothing to tell."""

from PySide6.QtCore import QEvent, QSize, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QProgressBar, QPushButton, QToolButton, QWidget

from app.chat_view.progress_row import figure_words
from app.core_texts import translated
from app.downloads.downloader import Download, Downloader, DownloadStatus
from app.theme import SPACE
from app.widgets import icons
from app.widgets.texts import plain_label

_STEPS = 1000
_BAR_WIDTH = 96


class DownloadStrip(QFrame):
    """`use_wanted` carries the name of the model that has come."""

    use_wanted = Signal(str)

    def __init__(self, downloader: Downloader, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("download_strip")
        self._downloader = downloader
        self._model = ""
        self.words, self.figures, self.bar = plain_label(), plain_label("caption"), QProgressBar()
        self.button, self.dismiss_button = QPushButton(), QToolButton()
        self.words.setWordWrap(True)
        self.bar.setTextVisible(False)
        self.bar.setFixedWidth(_BAR_WIDTH)
        self.button.setAutoDefault(False)
        icons.set_icon(self.dismiss_button, "close", "text_muted")
        self.dismiss_button.setIconSize(QSize(16, 16))
        self.dismiss_button.setAutoRaise(True)
        row = QHBoxLayout(self)
        row.setContentsMargins(SPACE.l, SPACE.xs, SPACE.l, SPACE.xs)
        row.setSpacing(SPACE.m)
        row.addWidget(self.words, 1)
        for widget in (self.figures, self.bar, self.button, self.dismiss_button):
            row.addWidget(widget)
        self.button.clicked.connect(self._on_clicked)
        self.dismiss_button.clicked.connect(downloader.dismiss)
        downloader.download_changed.connect(self._on_download_changed)
        self._show(downloader.download)

    def show_model(self, name: str) -> None:
        """The model that is in use; what has come is not offered twice."""
        self._model = name
        self._show(self._downloader.download)

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self._show(self._downloader.download)
        super().changeEvent(event)

    def _on_download_changed(self, download: Download | None) -> None:
        self._show(download)

    def _show(self, download: Download | None) -> None:
        self.dismiss_button.setToolTip(self.tr("Dismiss"))
        self.dismiss_button.setAccessibleName(self.tr("Dismiss"))
        self.setVisible(download is not None)
        if download is None:
            self.button.setAccessibleName(self.tr("Download"))
            return
        self.words.setText(self._sentence(download))
        self._show_progress(download)
        self.dismiss_button.setVisible(not download.is_running)
        action = self._action(download)
        self.button.setText(action)
        self.button.setVisible(bool(action))
        self.button.setEnabled(download.status is not DownloadStatus.STOPPING)
        self.button.setAccessibleName(
            self.tr("{action}: {name}", "a button and its model").format(
                action=action, name=download.entry.title
            )
        )
        self.setAccessibleName(self.words.text())

    def _show_progress(self, download: Download) -> None:
        progress = download.progress
        for widget in (self.bar, self.figures):
            widget.setVisible(download.is_running)
        self.bar.setAccessibleName(self.words.text())
        if progress is None or progress.total <= 0:
            self.bar.setRange(0, 0)
            self.figures.setText("")
        else:
            self.bar.setRange(0, _STEPS)
            self.bar.setValue(round(_STEPS * progress.done / progress.total))
            self.figures.setText(figure_words(progress))

    def _sentence(self, download: Download) -> str:
        if download.error is not None:
            return f"{translated(download.error.title)}. {translated(download.error.message)}"
        is_used = download.entry.name == self._model
        words = {
            DownloadStatus.RUNNING: self.tr("Downloading {name}"),
            DownloadStatus.STOPPING: self.tr("Downloading {name}"),
            DownloadStatus.STOPPED: self.tr("The download of {name} was stopped. What has come is kept."),
            DownloadStatus.FAILED: self.tr("The download of {name} failed. What has come is kept."),
            DownloadStatus.DONE: self.tr("{name} is complete and in use.")
            if is_used
            else self.tr("{name} is complete and can be used now."),
        }[download.status]
        return words.format(name=download.entry.title)

    def _action(self, download: Download) -> str:
        return {
            DownloadStatus.RUNNING: self.tr("Stop"),
            DownloadStatus.STOPPING: self.tr("Stop"),
            DownloadStatus.STOPPED: self.tr("Go on"),
            DownloadStatus.FAILED: self.tr("Try again"),
            DownloadStatus.DONE: "" if download.entry.name == self._model else self.tr("Use it"),
        }[download.status]

    def _on_clicked(self) -> None:
        download = self._downloader.download
        if download is None:
            return
        if download.is_running:
            self._downloader.stop()
        elif download.status is DownloadStatus.DONE:
            self.use_wanted.emit(download.entry.name)
        else:
            self._downloader.start(download.entry)
