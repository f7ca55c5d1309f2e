"""The icons of the window: line drawings that take their colour from the palette in force."""

from functools import lru_cache

from PySide6.QtCore import QByteArray, QRectF, Qt
from PySide6.QtGui import QAction, QIcon, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QAbstractButton, QApplication, QWidget

from app import theme
from core.paths import RESOURCES_DIR

ICONS_DIR = RESOURCES_DIR / "icons"

_SIZES = (16, 20, 24, 32, 48)
_NAME, _ROLE = "lectern_icon", "lectern_icon_role"


def icon(name: str, role: str = "text") -> QIcon:
    """The icon `resources/icons/NAME.svg` in one of the palette's colours."""
    return _icon(name, getattr(theme.current(), role), theme.current().border)


def pixmap(name: str, size: int, role: str = "text") -> QPixmap:
    """One icon as a picture of `size` pixels, sharp on the screen in use."""
    ratio = QApplication.primaryScreen().devicePixelRatio()
    return _pixmap(name, getattr(theme.current(), role), size, ratio)


def set_icon(target: QAbstractButton | QAction, name: str, role: str = "text") -> None:
    """Give a button or an action an icon that `refresh` can draw again in new colours."""
    target.setProperty(_NAME, name)
    target.setProperty(_ROLE, role)
    target.setIcon(icon(name, role))


def refresh(root: QWidget) -> None:
    """Draw the icons of everything under `root` again, after the colours have changed."""
    targets: list[QAbstractButton | QAction] = list(root.findChildren(QAbstractButton))
    targets += root.findChildren(QAction)
    for target in targets:
        name = target.property(_NAME)
        if name:
            target.setIcon(icon(str(name), str(target.property(_ROLE))))


@lru_cache(maxsize=256)
def _icon(name: str, color: str, disabled: str) -> QIcon:
    result = QIcon()
    for size in _SIZES:
        result.addPixmap(_pixmap(name, color, size, 1.0), QIcon.Mode.Normal)
        result.addPixmap(_pixmap(name, disabled, size, 1.0), QIcon.Mode.Disabled)
    return result


def _pixmap(name: str, color: str, size: int, ratio: float) -> QPixmap:
    drawing = (ICONS_DIR / f"{name}.svg").read_text(encoding="utf-8").replace("currentColor", color)
    renderer = QSvgRenderer(QByteArray(drawing.encode()))
    edge = round(size * ratio)
    result = QPixmap(edge, edge)
    result.fill(Qt.GlobalColor.transparent)
    painter = QPainter(result)
    renderer.render(painter, QRectF(0, 0, edge, edge))
    painter.end()
    result.setDevicePixelRatio(ratio)
    return result
