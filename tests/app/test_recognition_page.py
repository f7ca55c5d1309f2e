"""Text recognition in the settings: when, in which languages, and where their data comes from."""

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.preferences import (
    Preferences,
    RecognitionChoices,
    load_preferences,
    preferences_path,
    save_preferences,
)
from app.settings_dialog.page import choose
from app.settings_dialog.recognition_page import RecognitionPage, language_name
from app.startup import Program
from core.paths import data_dir


@pytest.fixture(autouse=True)
def _no_other_language_data(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("core.documents.language_data._PLACES", ())
    monkeypatch.delenv("TESSDATA_PREFIX", raising=False)
    monkeypatch.delenv("PROGRAMFILES", raising=False)


@pytest.fixture
def page(qtbot: QtBot, themed: QApplication) -> RecognitionPage:
    assert themed
    result = RecognitionPage()
    qtbot.addWidget(result)
    return result


def add_language_data(*names: str) -> None:
    folder = data_dir() / "tessdata"
    folder.mkdir(parents=True)
    for name in names:
        (folder / f"{name}.traineddata").touch()


def texts(page: RecognitionPage) -> list[str]:
    return [page.list.item(row).text() for row in range(page.list.count())]


def test_the_languages_with_data_can_be_ticked(page: RecognitionPage) -> None:
    add_language_data("eng", "deu", "chi_sim", "osd")
    page.show_preferences(Preferences())
    assert texts(page) == ["简体中文 (chi_sim)", "Deutsch (deu)", "English (eng)"]
    assert page.taken(Preferences()) == Preferences()
    assert not page.list.isEnabled()
    page.system_box.click()
    assert page.list.isEnabled()
    for row in (1, 2):
        page.list.item(row).setCheckState(Qt.CheckState.Checked)
    choose(page.when_box, "always")
    assert page.taken(Preferences()).recognition == RecognitionChoices("always", "deu+eng")


def test_a_language_whose_data_went_is_shown_and_kept(page: RecognitionPage) -> None:
    before = Preferences(recognition=RecognitionChoices("never", "fra+eng"))
    page.show_preferences(before)
    assert texts(page) == ["français (fra): no data", "English (eng): no data"]
    assert page.taken(before) == before
    assert "Install it with: " in page.data_words.text()


def test_no_language_at_all_means_that_of_the_system(page: RecognitionPage) -> None:
    page.show_preferences(Preferences(recognition=RecognitionChoices("ask", "eng")))
    page.list.item(0).setCheckState(Qt.CheckState.Unchecked)
    assert page.taken(Preferences()).recognition.languages is None


def test_languages_name_themselves() -> None:
    assert [language_name(name) for name in ("deu", "chi_tra", "frk_x")] == ["Deutsch", "繁體中文", "frk_x"]


@pytest.mark.parametrize(
    ("stored", "understood"),
    [
        ('{"when": "always", "languages": "eng+deu"}', RecognitionChoices("always", "eng+deu")),
        ('{"when": "sometimes", "languages": "../eng"}', RecognitionChoices()),
        ('{"when": 3, "languages": ["eng"]}', RecognitionChoices()),
        ("null", RecognitionChoices()),
    ],
)
def test_the_choice_is_kept_and_nonsense_is_not(
    stored: str, understood: RecognitionChoices, tmp_path: Path
) -> None:
    path = tmp_path / "preferences.json"
    save_preferences(path, Preferences())
    path.write_text(f'{{"version": 2, "recognition": {stored}}}', encoding="utf-8")
    found = load_preferences(path)
    assert found.recognition == understood
    save_preferences(path, found)
    assert load_preferences(path) == found


def test_what_is_chosen_is_used_for_the_next_document(program: Program, service: object) -> None:
    program.window.settings_action.trigger()
    dialog = program.window.settings_dialog
    choose(dialog.recognition.when_box, "always")
    dialog.accept()
    assert getattr(service, "recognition").when == "always"  # noqa: B009 - the fake alone has it
    assert load_preferences(preferences_path()).recognition.when == "always"
