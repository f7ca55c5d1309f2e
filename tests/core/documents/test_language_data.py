"""Language data of Tesseract: where it is looked for and what is said without it."""

from pathlib import Path

import pytest

from core.documents.language_data import find_language_data, install_command, language_folders
from core.documents.raw_page import RawLine
from core.documents.recognised_texts import RecognisedTexts
from core.errors import DocumentError, UsageError


@pytest.fixture
def folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """A system with German and Chinese, and a user who has English and Chinese."""
    monkeypatch.setenv("LECTERN_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.delenv("TESSDATA_PREFIX", raising=False)
    monkeypatch.delenv("PROGRAMFILES", raising=False)
    own = tmp_path / "data" / "tessdata"
    system = tmp_path / "root" / "usr/share/tesseract-ocr/5/tessdata"
    for folder, names in ((own, ("eng", "chi_sim", "osd")), (system, ("deu", "chi_sim"))):
        folder.mkdir(parents=True)
        for name in names:
            (folder / f"{name}.traineddata").touch()
    return language_folders(tmp_path / "root")


def test_languages_come_from_the_first_folder_that_has_them_all(folders: list[Path]) -> None:
    assert find_language_data("chi_sim+eng", folders).languages == ("chi_sim", "eng")
    assert find_language_data("chi_sim", folders).folder == folders[0]
    assert find_language_data("deu+chi_sim", folders).folder == folders[-1]


def test_the_system_s_language_and_english_are_the_default(
    folders: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, expected in (("zh_CN", "chi_sim+eng"), ("de_AT", "deu"), ("fr_FR", "eng"), (None, "eng")):
        monkeypatch.setattr("locale.getlocale", lambda name=name: (name, "UTF-8"))
        monkeypatch.setenv("LANG", "C")
        places = folders[1:] if expected == "deu" else folders
        assert find_language_data(None, places).name == expected


def test_what_is_missing_is_named_with_the_command_that_brings_it(folders: list[Path]) -> None:
    with pytest.raises(DocumentError) as caught:
        find_language_data("eng+chi_tra", folders)
    assert "chi_tra was not found" in caught.value.message
    assert install_command(["eng", "chi_tra"], "linux") == (
        "sudo apt install tesseract-ocr-eng tesseract-ocr-chi-tra"
    )
    with pytest.raises(DocumentError, match="eng was not found"):
        find_language_data(None, [Path("nowhere")])


@pytest.mark.parametrize("name", ["", "../eng", "eng+", "eng deu"])
def test_what_is_no_language_is_wrong_usage(folders: list[Path], name: str) -> None:
    with pytest.raises(UsageError):
        find_language_data(name, folders)


def test_the_texts_used_longest_ago_go_first(tmp_path: Path) -> None:
    lines = [RawLine(0, ("a", "b"), (1.0, 2.0), (0.0, 0.0), (2.0, 3.0), (5.0, 5.0), (True, False), True)]
    for number in range(3):
        RecognisedTexts(tmp_path, f"file{number}", "engine").put(0, lines)
    size = sum(file.stat().st_size for file in (tmp_path / "file0").iterdir())
    RecognisedTexts(tmp_path, "file0", "engine")
    RecognisedTexts(tmp_path, "file3", "engine", max_bytes=2 * size).put(0, lines)
    assert RecognisedTexts(tmp_path, "file0", "engine").get(0) == lines, "it was used again"
    assert RecognisedTexts(tmp_path, "file1", "engine").get(0) is None
    assert RecognisedTexts(tmp_path, "file2", "engine").get(0) == lines
    assert RecognisedTexts(tmp_path, "file3", "engine").get(0) == lines
    assert RecognisedTexts(tmp_path, "file3", "another engine").get(0) is None
