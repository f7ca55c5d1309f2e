"""Colours, icons and languages: complete, legible, and changed without a restart."""

import re
from dataclasses import asdict
from pathlib import Path

import pytest
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QAbstractButton, QApplication, QPlainTextEdit, QTabBar
from pytestqt.qtbot import QtBot

from app import i18n, theme
from app.gauges.gauge import Gauge
from app.preferences import Preferences, load_preferences, preferences_path
from app.startup import Program
from app.theme import DARK, LIGHT, Palette, Scheme
from app.widgets import icons

NAMED_ICONS = (
    *("open", "stop", "send", "copy", "regenerate", "page-up", "page-down", "zoom-in", "zoom-out"),
    *("fit-width", "thumbnails", "settings", "warning", "lock", "close", "document", "search"),
    *("new-conversation", "system-check", "check", "hint", "problem", "history", "edit", "delete"),
)


def contrast(one: str, other: str) -> float:
    """The ratio of WCAG 2: 1 for equal colours, 21 for black on white."""

    def luminance(name: str) -> float:
        parts = QColor(name).getRgbF()[:3]  # type: ignore[index]
        linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("palette", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize("under", ["window", "surface", "surface_raised"])
def test_all_text_can_be_read(palette: Palette, under: str) -> None:
    colors = asdict(palette)
    for role in ("text", "text_muted", "accent", "error", "warning", "success"):
        assert contrast(colors[role], colors[under]) >= 4.5, role
    assert contrast(palette.accent_text, palette.accent) >= 4.5


def test_the_style_sheet_has_no_gaps_and_no_colours_of_its_own() -> None:
    for palette in (LIGHT, DARK):
        assert "$" not in theme.style_sheet(palette)
    assert not re.search(r"#[0-9a-fA-F]{6}", theme.STYLE_SHEET_PATH.read_text(encoding="utf-8"))


@pytest.mark.usefixtures("themed")
def test_every_icon_is_there_and_takes_the_colour() -> None:
    for name in NAMED_ICONS:
        image = icons.pixmap(name, 24, "accent").toImage()
        shown = {
            image.pixelColor(x, y).name()
            for x in range(image.width())
            for y in range(image.height())
            if image.pixelColor(x, y).alpha() == 255
        }
        assert QColor(LIGHT.accent).name() in shown, name


def test_appearance_and_language_apply_at_once(qtbot: QtBot, program: Program, themed: QApplication) -> None:
    dialog = program.window.settings_dialog
    program.window.settings_action.trigger()
    qtbot.waitUntil(dialog.isVisible)
    dialog.appearance.scheme_box.setCurrentIndex(dialog.appearance.scheme_box.findData(Scheme.DARK.value))
    dialog.appearance.language_box.setCurrentIndex(dialog.appearance.language_box.findData("zh_CN"))
    dialog.accept()
    themed.processEvents()
    try:
        assert theme.current(themed) is DARK
        assert program.window.start_page.heading.text() == "将文档拖放到此处"
        assert program.window.open_action.text() == "打开"
        expected = Preferences("zh_CN", Scheme.DARK, "starter")
        assert load_preferences(preferences_path()) == expected
    finally:
        theme.apply(themed, Scheme.LIGHT)
        i18n.install(themed, "en")
    themed.processEvents()
    assert program.window.open_action.text() == "Open"


def test_another_model_is_loaded_when_it_is_chosen(
    qtbot: QtBot, program: Program, tmp_path: Path, sample_path: str
) -> None:
    with qtbot.waitSignal(program.store.is_read_changed, timeout=10_000):
        program.controller.open_files([sample_path])
    program.window.settings_action.trigger()
    program.window.settings_dialog.model.model_box.setCurrentText(str(tmp_path))
    program.window.settings_dialog.accept()
    qtbot.waitUntil(
        lambda: program.store.state.model is not None and program.store.state.model.name == str(tmp_path)
    )


@pytest.mark.parametrize(
    ("wanted", "system", "expected"),
    [
        ("system", ["zh-Hans-CN", "en"], "zh_CN"),
        ("system", ["zh_CN"], "zh_CN"),
        ("system", ["zh-TW", "de"], "en"),
        ("system", ["de-DE", "zh-CN"], "zh_CN"),
        ("system", ["en-GB", "zh-CN"], "en"),
        ("system", [], "en"),
        ("en", ["zh-CN"], "en"),
        ("zh_CN", ["en"], "zh_CN"),
    ],
)
def test_the_language_follows_the_system_unless_told(wanted: str, system: list[str], expected: str) -> None:
    assert i18n.choose_language(wanted, system) == expected


def test_everything_that_can_be_used_has_a_name(program: Program) -> None:
    window = program.window
    nameless = [
        widget
        for kind in (QAbstractButton, QPlainTextEdit, QTabBar, Gauge)
        for widget in window.findChildren(kind)
        if not (widget.accessibleName() or getattr(widget, "text", str)())
        and not widget.objectName().startswith("qt_")
        and not window.document_view.isAncestorOf(widget)
        and not isinstance(widget.parent(), QTabBar)
    ]
    assert nameless == []
    for button in (window.top_bar.recent_button, window.chat.composer.send_button):
        assert button.accessibleName()
