"""Every text of the window has its finished translation, and the compiled file is the one of the source."""

import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

from app.core_templates import REWORDED, TEMPLATES
from app.core_texts import translated
from core.kv.host_strategy import HostFacts, choose
from core.settings import CPU_MEMORY_STRATEGIES
from tests.app.texts_of_core import texts_of_core

Message = tuple[str, str, str]
MEND = "run packaging/dev.py translate, then translate what is new in the .ts file"


def tool(name: str) -> str:
    found = shutil.which(name, path=str(Path(sys.executable).parent))
    if found is None:
        pytest.skip(f"no {name} beside this interpreter")
    return found


@pytest.fixture(scope="module")
def texts_path(repository: Path) -> Path:
    return repository / "resources" / "i18n" / "lectern_zh_CN.ts"


def messages(path: Path) -> dict[Message, ElementTree.Element]:
    result = {}
    for context in ElementTree.parse(path).iter("context"):
        for message in context.iter("message"):
            key = (
                context.findtext("name", ""),
                message.findtext("source", ""),
                message.findtext("comment", ""),
            )
            result[key] = message
    return result


def test_every_text_is_translated(repository: Path, texts_path: Path, tmp_path: Path) -> None:
    fresh = tmp_path / "fresh.ts"
    sources = sorted(str(path) for path in (repository / "app").rglob("*.py"))
    command = [tool("pyside6-lupdate"), *sources, "-ts", str(fresh), "-locations", "none"]
    subprocess.run(command, check=True, capture_output=True, timeout=60)
    wanted, there = messages(fresh), messages(texts_path)
    assert set(wanted) <= set(there), MEND
    for key in wanted:
        translation = there[key].find("translation")
        assert translation is not None, key
        assert translation.text, key
        assert translation.get("type") is None, f"{key} is unfinished"


def test_translations_keep_the_placeholders(texts_path: Path) -> None:
    for (_, source, _), message in messages(texts_path).items():
        expected = sorted(re.findall(r"\{\w+\}", source))
        assert sorted(re.findall(r"\{\w+\}", message.findtext("translation", ""))) == expected, source


def test_the_compiled_file_is_up_to_date(texts_path: Path, tmp_path: Path) -> None:
    compiled = tmp_path / "fresh.qm"
    command = [tool("pyside6-lrelease"), str(texts_path), "-qm", str(compiled)]
    subprocess.run(command, check=True, capture_output=True, timeout=60)
    assert compiled.read_bytes() == texts_path.with_suffix(".qm").read_bytes(), MEND


def test_the_engines_words_are_recognised_with_their_numbers() -> None:
    said = "“a.txt” is not a PDF file. Save or print it as PDF first, then open that."
    heard: list[str] = []

    def translate(_context: str, template: str) -> str:
        heard.append(template)
        return "<{name}>"

    assert translated(said, translate) == "<a.txt>"
    assert heard[0] in TEMPLATES
    assert translated("Never heard before {x}") == "Never heard before {x}"


def test_core_says_nothing_that_the_window_cannot_translate(repository: Path) -> None:
    known = {re.sub(r"\{\w+\}", "{}", template) for template in (*TEMPLATES, *REWORDED)}
    said = texts_of_core(repository / "core")
    assert len(said) > 100, "the texts are looked for in the wrong places"
    unknown = {place: text for text, place in said.items() if text not in known}
    assert not unknown, "add them to app/core_templates/ with {names} in place of {}, then " + MEND


def test_every_text_is_recognised_by_its_own_template() -> None:
    heard: list[str] = []

    def translate(_context: str, words: str) -> str:
        heard.append(words)
        return words

    for template in (*TEMPLATES, *REWORDED):
        expected = REWORDED.get(template, template)
        said, answered = (re.sub(r"\{(\w+)\}", r"<\1>", text) for text in (template, expected))
        heard.clear()
        assert translated(said, translate) == answered
        assert heard == [expected]


def test_parts_of_a_text_are_translated_too() -> None:
    def translate(_context: str, words: str) -> str:
        return words.upper() if "{" not in words else words.replace("because", "as")

    said = "Page 7 could not be read because it is damaged. The other pages were read."
    assert translated(said, translate) == (
        "Page 7 could not be read as IT IS DAMAGED. The other pages were read."
    )


@pytest.mark.parametrize("strategy", CPU_MEMORY_STRATEGIES)
@pytest.mark.parametrize("thp_mode", [None, "never", "madvise"])
@pytest.mark.parametrize("huge_page_bytes", [None, 2 << 20, 1 << 30])
def test_every_note_about_memory_is_translated(
    strategy: str, thp_mode: str | None, huge_page_bytes: int | None
) -> None:
    note = choose(strategy, HostFacts("linux", False, False, thp_mode, huge_page_bytes)).note
    if note is not None:
        left = translated(note, lambda _context, words: "".join(re.findall(r"\{\w+\}", words)))
        assert left in ("", "1.0 GiB")


def test_a_window_does_not_speak_of_options() -> None:
    said = (
        "Its 40 pages are 50,000 tokens; starter reads 8,192 at most, question and answer included. Nothing "
        "was cut. Choose a model that reads 50,064 tokens or more (--model). Read fewer pages: --pages 1-9 "
        "would fit. Or have only the sections read that your question is about (--sections)."
    )
    assert "the first 9 pages would fit" in translated(said)
    for words in (*TEMPLATES, *REWORDED.values()):
        assert "--" not in words
        assert "fewer pages" not in words, "a window opens whole documents"
