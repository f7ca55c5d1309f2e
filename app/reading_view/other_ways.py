"""What helps beside reading less: a longer sequence, a cache in fewer bits, another model."""

from PySide6.QtCore import QEvent, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.fit_view.words import codec_names
from app.theme import SPACE
from app.widgets.texts import plain_label
from app.widgets.wrapping_button import WrappingButton
from core.documents.reading_choice import EVERYTHING
from core.documents.sizes import DocumentSizes
from core.kv.codec_sizes import nominal_bits
from core.settings import KV_CODECS, EngineSettings
from core.units import format_size

_HALF_BYTES, _FULL_BYTES = 2, 4


class OtherWays(QWidget):
    """`codec_wanted` carries the name of a codec. Hidden while everything fits."""

    model_wanted = Signal()
    codec_wanted = Signal(str)
    own_length_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._sizes: DocumentSizes | None = None
        self._codec: tuple[str, float] | None = None
        self.heading = plain_label("heading")
        self.length_button, self.codec_button = WrappingButton(""), WrappingButton("")
        self.model_button = WrappingButton("")
        self.length_button.clicked.connect(self.own_length_wanted)
        self.codec_button.clicked.connect(self._on_codec_clicked)
        self.model_button.clicked.connect(self.model_wanted)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(SPACE.xs)
        column.addWidget(self.heading)
        for button in (self.length_button, self.codec_button, self.model_button):
            button.setProperty("kind", "passage")
            column.addWidget(button)
        self._retranslate()

    def show_sizes(self, sizes: DocumentSizes | None, settings: EngineSettings) -> None:
        self._sizes = sizes
        self._codec = None if sizes is None or sizes.fits_memory(EVERYTHING) else _codec_for(sizes, settings)
        self._retranslate()

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()
        super().changeEvent(event)

    def _retranslate(self) -> None:
        sizes = self._sizes
        self.setVisible(sizes is not None and not sizes.fits(EVERYTHING))
        self.codec_button.setVisible(self._codec is not None)
        self.length_button.set_words(self.tr("Allow longer sequences"))
        self.codec_button.set_words(self.tr("Store the cache in fewer bits"))
        self.model_button.set_words(self.tr("Choose another model…"))
        if sizes is None:
            return
        needed = sizes.needed_tokens(EVERYTHING)
        self.heading.setText(self.tr("To read everything"))
        self.length_button.setVisible(sizes.limit < needed <= sizes.context_length)
        words = self.tr("Allow sequences as long as the model reads: {count} tokens")
        self.length_button.set_words(words.format(count=f"{sizes.context_length:,}"))
        if self._codec is not None:
            words = self.tr("Store the cache in {codec}: {after} in place of {before}")
            name, after = codec_names()[self._codec[0]], format_size(self._codec[1])
            self.codec_button.set_words(
                words.format(codec=name, after=after, before=sizes.memory_words(EVERYTHING))
            )
        words = self.tr("Choose another model, which reads {count} tokens or more…")
        self.model_button.set_words(words.format(count=f"{needed:,}"))

    def _on_codec_clicked(self) -> None:
        if self._codec is not None:
            self.codec_wanted.emit(self._codec[0])


def _codec_for(sizes: DocumentSizes, settings: EngineSettings) -> tuple[str, float] | None:
    """The least strong codec with which all KV fits the memory, and its bytes; None if none does."""
    value_bytes = _FULL_BYTES if settings.kv_dtype == "float32" else _HALF_BYTES
    now = nominal_bits(settings.kv_compression, value_bytes)
    kept = sizes.needed_tokens(EVERYTHING) * sizes.kv_bytes_per_token
    for codec in KV_CODECS:
        after = kept * nominal_bits(codec, value_bytes) / now
        if after < kept and after <= sizes.memory_bytes:
            return codec, after
    return None
