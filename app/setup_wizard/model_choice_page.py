"""The third step: a model. The starter works at once, a better one may be downloaded meanwhile."""

from PySide6.QtWidgets import QWidget

from app.downloads.downloader import Downloader
from app.model_list.model_list import ModelList
from app.setup_wizard.setup_page import SetupPage, scrolled


class ModelChoicePage(SetupPage):
    def __init__(self, downloader: Downloader, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.models = ModelList(downloader)
        self.area = scrolled(self.models)
        self.column.addWidget(self.area, 1)
        self.retranslate()

    @property
    def first_control(self) -> QWidget | None:
        """The button of the recommended model, if there is something to do with it."""
        for row in self.models.rows:
            if row.item.is_recommended and row.button.isVisibleTo(self):
                return row.button
        return None

    def retranslate(self) -> None:
        self.heading.setText(self.tr("Model"))
        self.words.setText(
            self.tr(
                "The starter works at once and is good for a first look; larger models read longer documents "
                "and answer far better. Go on while one is downloaded: Lectern offers it when it has come."
            )
        )
        self.area.setAccessibleName(self.tr("Models"))
