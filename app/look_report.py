"""What a running window speaks and looks like, as facts that a check of an installed program can compare."""

from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QTranslator
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication

from app import i18n, theme
from app.widgets import icons

_ICON_PIXELS = 24


@dataclass(frozen=True)
class LookReport:
    """`translations` are the files in use, without their suffix; `blank_icons` came out without a dot of ink.

    `is_styled` holds if the style sheet is in force and every picture that it names is there.
    """

    language: str
    translations: tuple[str, ...]
    num_icons: int
    blank_icons: tuple[str, ...]
    is_styled: bool


def look_of(app: QApplication) -> LookReport:
    names = sorted(path.stem for path in icons.ICONS_DIR.glob("*.svg"))
    pictures = (*theme.ARROW_PATHS, *theme.ARROW_UP_PATHS, *theme.TICK_PATHS)
    return LookReport(
        language=i18n.spoken_language(app),
        translations=tuple(
            sorted(
                Path(translator.filePath()).stem
                for translator in app.findChildren(QTranslator)
                if not translator.isEmpty()
            )
        ),
        num_icons=len(names),
        blank_icons=tuple(name for name in names if _is_blank(name)),
        is_styled=bool(app.styleSheet()) and all(path.is_file() for path in pictures),
    )


def _is_blank(name: str) -> bool:
    alpha = icons.pixmap(name, _ICON_PIXELS).toImage().convertToFormat(QImage.Format.Format_Alpha8)
    return not any(bytes(alpha.constBits()))
