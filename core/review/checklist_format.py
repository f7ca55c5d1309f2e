"""Checklists as TOML: read with every problem named, and written so that they can be read again."""

import re
import tomllib
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from core.review.checklist import (
    DEFAULT_LANGUAGE,
    AnswerForm,
    Checklist,
    ChecklistError,
    ChecklistItem,
    Texts,
)

_LARGEST_BYTES = 1 << 18
_MAX_ITEMS = 500
_MAX_LENGTH = 2_000
_MAX_PROBLEMS_SHOWN = 5
_MAX_KEPT = 64
_LANGUAGE = re.compile(r"[a-z]{2,3}(_[A-Z]{2})?")
_ITEM_ID = re.compile(r"[a-z0-9][a-z0-9-]{0,63}")
_ITEM_HEADER = re.compile(r"^[ \t]*\[\[[ \t]*questions[ \t]*\]\]", re.MULTILINE)
_KEYS = ("title", "questions")
_ITEM_KEYS = ("id", "title", "question", "form")
_FORMS = ", ".join(form.value for form in AnswerForm)


def read_checklist(path: Path) -> Checklist:
    """The checklist in a file. Raises `ChecklistError` that names the file and its lines."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise ChecklistError("The checklist cannot be read", f"{path}: {error.strerror or error}.") from error
    if len(data) > _LARGEST_BYTES:
        raise ChecklistError("The checklist cannot be read", f"{path} is too large to be a checklist.")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise ChecklistError(
            "The checklist cannot be read", f"{path}, line {line}: the file is not in UTF-8."
        ) from error
    return parse_checklist(text, path)


@lru_cache(maxsize=_MAX_KEPT)
def parse_checklist(text: str, path: Path) -> Checklist:
    """The checklist in `text`, which is the file at `path`. Raises `ChecklistError`."""
    try:
        raw = tomllib.loads(text.replace("\r\n", "\n"))
    except (ValueError, RecursionError) as error:
        raise ChecklistError("The checklist cannot be read", f"{path}: {error}.") from error
    reader = _Reader(text)
    checklist = reader.checklist(path.stem, raw)
    if reader.problems:
        shown = reader.problems[:_MAX_PROBLEMS_SHOWN]
        rest = len(reader.problems) - len(shown)
        more = f" There are {rest} more problems." if rest else ""
        raise ChecklistError("The checklist is wrong", f"{path}: {' '.join(shown)}{more}")
    return checklist


def to_toml(checklist: Checklist) -> str:
    """The file of a checklist. Raises `ChecklistError` for text that no file can hold."""
    lines = [_line("title", language, text) for language, text in checklist.title.items()]
    for item in checklist.items:
        lines += ["", "[[questions]]", f"id = {_quoted(item.item_id)}", f"form = {_quoted(item.form.value)}"]
        lines += [_line("title", language, text) for language, text in item.title.items()]
        lines += [_line("question", language, text) for language, text in item.question.items()]
    text = "\n".join(lines) + "\n"
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise ChecklistError(
            "The checklist cannot be saved", f"A text holds half a character: {text[error.start]!r}."
        ) from error
    return text


class _Reader:
    """Reads a parsed file and collects what is wrong with it."""

    def __init__(self, text: str) -> None:
        self.problems: list[str] = []
        self._lines = [text.count("\n", 0, found.start()) + 1 for found in _ITEM_HEADER.finditer(text)]

    def checklist(self, name: str, raw: Mapping[str, Any]) -> Checklist:
        self._check_keys("", raw, _KEYS)
        title = self._texts("", "title", raw.get("title", name))
        questions = raw.get("questions")
        if not isinstance(questions, list) or not questions:
            self.problems.append("There are no questions: write each under a line [[questions]].")
            questions = []
        if len(questions) > _MAX_ITEMS:
            self.problems.append(f"There are {len(questions):,} questions; {_MAX_ITEMS} is the limit.")
        if len(self._lines) != len(questions):
            self._lines = []
        items = [self._item(number, question) for number, question in enumerate(questions)]
        self._check_ids([item.item_id for item in items])
        return Checklist(name, title, tuple(items))

    def _item(self, number: int, raw: Any) -> ChecklistItem:
        place = self._place(number)
        if not isinstance(raw, dict):
            self.problems.append(f"{place} is no table.")
            raw = {}
        self._check_keys(place, raw, _ITEM_KEYS)
        item_id = raw.get("id", "")
        if not isinstance(item_id, str) or not _ITEM_ID.fullmatch(item_id):
            self.problems.append(f"{place} needs an id of small letters, digits and hyphens.")
        form = raw.get("form", AnswerForm.TEXT.value)
        if form not in [known.value for known in AnswerForm]:
            self.problems.append(f"{place} has the form {form!r}; there are {_FORMS}.")
            form = AnswerForm.TEXT
        question = self._texts(place, "question", raw.get("question"))
        title = self._texts(place, "title", raw.get("title", item_id))
        return ChecklistItem(str(item_id), title, question, AnswerForm(form))

    def _texts(self, place: str, key: str, raw: Any) -> Texts:
        """A text for all languages, or a table of one for each."""
        name = f"{place} has a {key} that" if place else f"The {key}"
        if isinstance(raw, str):
            raw = {DEFAULT_LANGUAGE: raw}
        if not isinstance(raw, dict) or not raw:
            self.problems.append(f"{name} must be a text, or a table of texts by language.")
            return {DEFAULT_LANGUAGE: ""}
        for language, text in raw.items():
            if not _LANGUAGE.fullmatch(language):
                self.problems.append(f"{name} has {language!r} for a language; write it like en or zh_CN.")
            if not isinstance(text, str) or not text.strip() or len(text) > _MAX_LENGTH:
                self.problems.append(f"{name} must be 1 to {_MAX_LENGTH:,} characters long in {language}.")
        return dict(raw)

    def _check_keys(self, place: str, raw: Mapping[str, Any], known: tuple[str, ...]) -> None:
        for key in raw:
            if key not in known:
                owner = place or "The file"
                self.problems.append(f"{owner} has an unknown key {key!r}; there are {', '.join(known)}.")

    def _check_ids(self, ids: list[str]) -> None:
        first: dict[str, int] = {}
        for number, item_id in enumerate(ids):
            if item_id and first.setdefault(item_id, number) != number:
                self.problems.append(
                    f"{self._place(number)} has the id {item_id!r} of question {first[item_id] + 1}."
                )

    def _place(self, number: int) -> str:
        line = f" (line {self._lines[number]})" if number < len(self._lines) else ""
        return f"Question {number + 1}{line}"


def _line(key: str, language: str, text: str) -> str:
    return f"{key}.{language} = {_quoted(text)}"


def _quoted(text: str) -> str:
    """A TOML basic string."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + re.sub(r"[\x00-\x1f\x7f]", lambda match: f"\\u{ord(match[0]):04x}", escaped) + '"'
