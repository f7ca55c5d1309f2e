"""The pictures for the manual: every appearance in every language, and they differ."""

import hashlib
from pathlib import Path

import dev
from PySide6.QtGui import QPixmap
from PySide6.QtWidgets import QApplication

from app import i18n, theme
from app.screenshots import Photographer
from app.startup import Program


def test_a_scene_is_taken_in_every_look(program: Program, themed: QApplication, tmp_path: Path) -> None:
    program.window.resize(1440, 900)
    try:
        photographer = Photographer(themed, tmp_path)
        photographer.take("empty", program)
    finally:
        theme.apply(themed, theme.Scheme.LIGHT)
        i18n.install(themed, "en")
    assert sorted(path.name for path in photographer.taken) == [
        "empty-dark-en.png",
        "empty-dark-zh_CN.png",
        "empty-light-en.png",
        "empty-light-zh_CN.png",
    ]
    assert len({hashlib.sha256(path.read_bytes()).digest() for path in photographer.taken}) == 4
    assert all(QPixmap(str(path)).size().toTuple() == (1440, 900) for path in photographer.taken)


def test_the_stages_of_translating_read_all_sources(repository: Path) -> None:
    collect, compile_ = dev.translation_stages(Path("/venv/bin/python"), repository)
    assert collect.command[0] == str(Path("/venv/bin/pyside6-lupdate"))
    assert str(repository / "app" / "main_window.py") in collect.command
    assert compile_.command[-1].endswith("lectern_zh_CN.qm")
