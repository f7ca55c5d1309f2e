"""Colours, spacing and type of the window, and the style sheet made of them."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, fields
from enum import StrEnum
from string import Template
from typing import Final

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QColor, QFont, QPalette
from PySide6.QtWidgets import QApplication

from core.paths import RESOURCES_DIR

THEMES_DIR = RESOURCES_DIR / "themes"
STYLE_SHEET_PATH = THEMES_DIR / "lectern.qss"
ARROW_PATHS = (THEMES_DIR / "arrow-light.svg", THEMES_DIR / "arrow-dark.svg")
ARROW_UP_PATHS = (THEMES_DIR / "arrow-up-light.svg", THEMES_DIR / "arrow-up-dark.svg")
TICK_PATHS = (THEMES_DIR / "tick-light.svg", THEMES_DIR / "tick-dark.svg")

_FAMILIES = (
    *("Inter", "Segoe UI", "SF Pro Text", "Noto Sans", "Source Sans 3", "Ubuntu", "Cantarell", "DejaVu Sans"),
    *("Noto Sans CJK SC", "Source Han Sans SC", "Microsoft YaHei", "PingFang SC", "WenQuanYi Micro Hei"),
)


_FIXED_FAMILIES = (
    *("JetBrains Mono", "Cascadia Mono", "Consolas", "SF Mono", "Menlo", "Noto Sans Mono"),
    *("Ubuntu Mono", "Liberation Mono", "DejaVu Sans Mono", *_FAMILIES[-5:]),
)


class Scheme(StrEnum):
    """What the user may choose; `SYSTEM` follows the desktop, also when it changes."""

    SYSTEM = "system"
    LIGHT = "light"
    DARK = "dark"


@dataclass(frozen=True)
class Palette:
    """The colour roles as `#rrggbb`.

    `highlight` marks words on pages and `warm` pages that an answer looked at; both are drawn translucent.
    """

    window: str
    surface: str
    surface_raised: str
    border: str
    text: str
    text_muted: str
    accent: str
    accent_text: str
    highlight: str
    warm: str
    warning: str
    error: str
    success: str


@dataclass(frozen=True)
class _Space:
    """Distances in pixels, all on a grid of four."""

    xs: int = 4
    s: int = 8
    m: int = 12
    l: int = 16  # noqa: E741 - the usual name of this step
    xl: int = 24


@dataclass(frozen=True)
class _Type:
    """The type scale, in points."""

    caption: float = 9.0
    body: float = 10.0
    title: float = 12.0
    display: float = 20.0


SPACE: Final = _Space()
Type: Final = _Type()

LIGHT: Final = Palette(
    window="#f3f4f6",
    surface="#ffffff",
    surface_raised="#f8f9fb",
    border="#d9dde4",
    text="#1a2230",
    text_muted="#596473",
    accent="#1f4e8c",
    accent_text="#ffffff",
    highlight="#ffd24d",
    warm="#d9571c",
    warning="#8f5200",
    error="#b3261e",
    success="#1c6b41",
)

DARK: Final = Palette(
    window="#14171c",
    surface="#1c2027",
    surface_raised="#252a33",
    border="#363d49",
    text="#e8ebef",
    text_muted="#a2abb8",
    accent="#82b1f5",
    accent_text="#0d1a2c",
    highlight="#ffd24d",
    warm="#ff8a4c",
    warning="#e6b566",
    error="#f28b82",
    success="#7bc99f",
)


SERIES_LIGHT: Final = ("#1f4e8c", "#2a8f83", "#c8791a", "#8653a3", "#b34a5f", "#5f87b8", "#7b8696")
SERIES_DARK: Final = ("#82b1f5", "#5fbfb0", "#e6a95c", "#bb94d6", "#e58a9c", "#4f7dbb", "#8d97a6")
"""Colours that tell parts of a whole apart, the last one for the rest."""


class _Follower(QObject):
    """Applies the theme again whenever the desktop changes its colour scheme."""

    palette_changed = Signal()

    def __init__(self, app: QApplication) -> None:
        super().__init__(app)
        self.setObjectName("lectern_theme")
        self.scheme = Scheme.SYSTEM
        self._app = app
        app.styleHints().colorSchemeChanged.connect(self._on_color_scheme_changed)

    def _on_color_scheme_changed(self, _scheme: Qt.ColorScheme) -> None:
        if self.scheme is Scheme.SYSTEM:
            _style(self._app)
            self.palette_changed.emit()


def current(app: QApplication | None = None) -> Palette:
    """The palette in force: the user's choice, else what the desktop says."""
    running = app or running_app()
    scheme = follower(running).scheme
    if scheme is Scheme.SYSTEM:
        is_dark = running.styleHints().colorScheme() is Qt.ColorScheme.Dark
        return DARK if is_dark else LIGHT
    return DARK if scheme is Scheme.DARK else LIGHT


def apply(app: QApplication, scheme: Scheme = Scheme.SYSTEM) -> None:
    """Style the whole application. Widgets get PaletteChange and StyleChange events."""
    keeper = follower(app)
    keeper.scheme = scheme
    _style(app)
    keeper.palette_changed.emit()


@contextmanager
def unstyled(app: QApplication) -> Iterator[None]:
    """Put many widgets together in here: the style sheet then styles each of them once, at the end.

    Under a style sheet a widget is styled anew whenever it, or what it is a part of, gets another parent.
    """
    sheet = app.styleSheet()
    app.setStyleSheet("")
    try:
        yield
    finally:
        app.setStyleSheet(sheet)


def follower(app: QApplication) -> _Follower:
    """The object whose `palette_changed` tells that colours are others now."""
    found = app.findChild(_Follower, "lectern_theme")
    return found if isinstance(found, _Follower) else _Follower(app)


def color(role: str, opacity: float = 1.0) -> QColor:
    """A role of the palette in force, for painting."""
    result = QColor(getattr(current(), role))
    result.setAlphaF(opacity)
    return result


def series(place: int) -> QColor:
    """A colour that tells parts of a whole apart; places beyond the last are the rest's."""
    colors = SERIES_DARK if current() is DARK else SERIES_LIGHT
    return QColor(colors[min(place, len(colors) - 1)])


def font(points: float = Type.body, weight: QFont.Weight = QFont.Weight.Normal) -> QFont:
    """The interface's own typeface at one size of the scale."""
    result = QFont()
    result.setFamilies(list(_FAMILIES))
    result.setPointSizeF(points)
    result.setWeight(weight)
    return result


def fixed_font(points: float = Type.body) -> QFont:
    """The typeface for code and tables, whose characters are all of one width."""
    result = font(points)
    result.setFamilies(list(_FIXED_FAMILIES))
    result.setStyleHint(QFont.StyleHint.Monospace)
    return result


def style_sheet(palette: Palette) -> str:
    """The style sheet with the palette, the grid and the type scale filled in."""
    words = {field.name: getattr(palette, field.name) for field in fields(palette)}
    words |= {f"space_{field.name}": str(getattr(SPACE, field.name)) for field in fields(SPACE)}
    words |= {f"type_{field.name}": f"{getattr(Type, field.name):g}" for field in fields(Type)}
    words |= {"arrow": ARROW_PATHS[palette == DARK].as_posix()}
    words |= {"arrow_up": ARROW_UP_PATHS[palette == DARK].as_posix()}
    words |= {"tick": TICK_PATHS[palette == DARK].as_posix()}
    words |= {"accent_soft": _mix(palette.accent, palette.surface, 0.14)}
    words |= {"accent_hover": _mix(palette.accent, palette.text, 0.85)}
    words |= {"hover": _mix(palette.text, palette.surface, 0.07)}
    words |= {"pressed": _mix(palette.text, palette.surface, 0.13)}
    words |= {"disabled": _mix(palette.text_muted, palette.surface, 0.55)}
    return Template(STYLE_SHEET_PATH.read_text(encoding="utf-8")).substitute(words)


def running_app() -> QApplication:
    """The application, which must exist."""
    app = QApplication.instance()
    assert isinstance(app, QApplication), "colours are asked for before the application exists"
    return app


def _style(app: QApplication) -> None:
    palette = current(app)
    if app.style().objectName().lower() != "fusion":
        app.setStyle("Fusion")
    app.setFont(font())
    app.setPalette(_qt_palette(palette))
    app.setStyleSheet(style_sheet(palette))


def _mix(over: str, under: str, share: float) -> str:
    top, bottom = QColor(over).getRgb()[:3], QColor(under).getRgb()[:3]  # type: ignore[index]
    return QColor(*(round(share * a + (1 - share) * b) for a, b in zip(top, bottom, strict=True))).name()


def _qt_palette(palette: Palette) -> QPalette:
    role = QPalette.ColorRole
    colors = {
        role.Window: palette.window,
        role.WindowText: palette.text,
        role.Base: palette.surface,
        role.AlternateBase: palette.surface_raised,
        role.Text: palette.text,
        role.PlaceholderText: palette.text_muted,
        role.Button: palette.surface_raised,
        role.ButtonText: palette.text,
        role.BrightText: palette.accent_text,
        role.ToolTipBase: palette.surface_raised,
        role.ToolTipText: palette.text,
        role.Highlight: palette.accent,
        role.HighlightedText: palette.accent_text,
        role.Link: palette.accent,
        role.Light: palette.surface_raised,
        role.Midlight: palette.border,
        role.Mid: palette.border,
        role.Dark: palette.border,
        role.Shadow: palette.border,
        role.Accent: palette.accent,
    }
    result = QPalette()
    for color_role, value in colors.items():
        result.setColor(color_role, QColor(value))
    muted = (role.WindowText, role.Text, role.ButtonText)
    for color_role in muted:
        result.setColor(QPalette.ColorGroup.Disabled, color_role, QColor(palette.text_muted))
    return result
