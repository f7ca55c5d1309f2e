"""What an installed program tells of its looks."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication

from app import i18n, theme
from app.look_report import look_of
from app.widgets import icons


@pytest.fixture
def chinese(qapp: QApplication) -> Iterator[QApplication]:
    theme.apply(qapp)
    i18n.install(qapp, "zh_CN")
    yield qapp
    i18n.install(qapp, "en")


def test_translations_icons_and_style_are_told(chinese: QApplication) -> None:
    look = look_of(chinese)
    assert (look.language, look.is_styled, look.blank_icons) == ("zh_CN", True, ())
    assert look.translations == ("lectern_zh_CN", "qtbase_zh_CN")
    assert look.num_icons > 10
    i18n.install(chinese, "en")
    assert (look_of(chinese).language, look_of(chinese).translations) == ("en", ())


def test_what_is_missing_is_told(
    chinese: QApplication, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(icons.ICONS_DIR, tmp_path, dirs_exist_ok=True)
    (tmp_path / "empty.svg").write_text('<svg viewBox="0 0 24 24"></svg>', encoding="utf-8")
    monkeypatch.setattr(i18n, "I18N_DIR", tmp_path)
    i18n.install(chinese, "zh_CN")
    monkeypatch.setattr(icons, "ICONS_DIR", tmp_path)
    monkeypatch.setattr(theme, "ARROW_PATHS", (tmp_path / "arrow.svg",))
    look = look_of(chinese)
    assert (look.translations, look.blank_icons, look.is_styled) == (("qtbase_zh_CN",), ("empty",), False)
