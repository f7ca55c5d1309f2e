"""What the program is busy with, in words with rate and time left, over a thin bar."""

from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtWidgets import QProgressBar, QVBoxLayout, QWidget

from app.theme import SPACE
from app.widgets.texts import plain_label
from core.events import PartProgress, Progress, Stage
from core.units import format_size

_STEPS = 1000


class ProgressRow(QWidget):
    """Hidden while there is nothing to tell."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._progress: Progress | None = None
        self.words, self.figures = plain_label(), plain_label("caption")
        self.bar = QProgressBar()
        self.bar.setTextVisible(False)
        self.figures.setWordWrap(True)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(SPACE.xs)
        column.addWidget(self.words)
        column.addWidget(self.bar)
        column.addWidget(self.figures)
        self.hide()

    def show_progress(self, progress: Progress | None) -> None:
        self._progress = progress
        self.setVisible(progress is not None)
        if progress is None:
            return
        is_measured = progress.total > 1
        self.bar.setRange(0, _STEPS if is_measured else 0)
        if is_measured:
            self.bar.setValue(round(_STEPS * progress.share))
        self.words.setText(self._stage_words(progress))
        self.figures.setText(figure_words(progress) if is_measured else "")
        self.figures.setVisible(is_measured)
        self.bar.setAccessibleName(self.words.text())

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self.show_progress(self._progress)
        super().changeEvent(event)

    def _stage_words(self, progress: Progress) -> str:
        was_read_whole = progress.done == progress.total
        return {
            Stage.DOWNLOADING_MODEL: self.tr("Downloading the model"),
            Stage.CONVERTING_MODEL: self.tr("Preparing the model (once)"),
            Stage.CHECKING_MODEL: self.tr("Checking the model"),
            Stage.LOADING_MODEL: self.tr("Loading the model"),
            Stage.READING_PAGES: self.tr("Opening the document"),
            Stage.READING_TOKENS: self.tr("Reading the document"),
            Stage.CHOOSING_SECTIONS: self.tr("Choosing sections"),
            Stage.READ_BEFORE: self.tr("Read before, ready")
            if was_read_whole
            else self.tr("Read in part before, going on"),
        }[progress.stage]


def figure_words(progress: Progress) -> str:
    """How much is done, how fast, and how long the rest takes."""
    is_bytes = progress.unit == "bytes"
    done = format_size(progress.done) if is_bytes else f"{progress.done:,}"
    total = format_size(progress.total) if is_bytes else f"{progress.total:,}"
    unit = _unit_words(progress.unit)
    parts = QCoreApplication.translate("ProgressRow", "{done} of {total} {unit}")
    words = [parts.format(done=done, total=total, unit=unit).strip()]
    if progress.part is not None:
        words += _part_words(progress.part, progress.done + 1)
    if progress.rate is not None:
        rate = format_size(progress.rate) if is_bytes else f"{progress.rate:,.0f} {unit}"
        words.append(QCoreApplication.translate("ProgressRow", "{rate}/s").format(rate=rate))
    if progress.eta_s is not None and progress.done < progress.total:
        left = QCoreApplication.translate("ProgressRow", "{duration} left")
        words.append(left.format(duration=_duration(progress.eta_s)))
    return " · ".join(words)


def _part_words(part: PartProgress, number: int) -> list[str]:
    """How far the part under way is."""
    if part.is_writing:
        words = QCoreApplication.translate(
            "ProgressRow", "part {number}: notes, {done} of up to {total} tokens written"
        )
    else:
        words = QCoreApplication.translate("ProgressRow", "part {number}: {done} of {total} tokens read")
    told = [words.format(number=f"{number:,}", done=f"{part.done:,}", total=f"{part.total:,}")]
    if part.rate is not None:
        rate = QCoreApplication.translate("ProgressRow", "{rate}/s")
        told.append(rate.format(rate=f"{part.rate:,.0f} {_unit_words('tokens')}"))
    return told


def _unit_words(unit: str) -> str:
    return {
        "tokens": QCoreApplication.translate("ProgressRow", "tokens"),
        "pages": QCoreApplication.translate("ProgressRow", "pages"),
        "parts": QCoreApplication.translate("ProgressRow", "parts"),
    }.get(unit, "")


def _duration(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes_left = divmod(minutes, 60)
    if hours:
        words = QCoreApplication.translate("ProgressRow", "{hours} h {minutes} min")
        return words.format(hours=hours, minutes=f"{minutes_left:02d}")
    if minutes:
        words = QCoreApplication.translate("ProgressRow", "{minutes} min {seconds} s")
        return words.format(minutes=minutes, seconds=f"{rest:02d}")
    return QCoreApplication.translate("ProgressRow", "{seconds} s").format(seconds=rest)
