"""Finds in an answer what is put in quotation marks, and the pages it names beside them."""

import re
from dataclasses import dataclass

_PAIRS = {"“": "”", "„": "“”", "«": "»", "»": "«", "「": "」", "『": "』", "‹": "›", "‘": "’"}
_MIN_LETTERS = 3
_MIN_CJK = 2
_HINT_AFTER = 90
_HINT_BEFORE = 60
_MAX_HINT_RANGE = 20

_BLOCK_QUOTE = re.compile(r"^[ \t]*>[ \t]?(.+(?:\n[ \t]*>[ \t]?.*)*)", re.MULTILINE)
_PAGE = re.compile(
    r"(?:\b(?:pdf\s+)?(?:pages?|pp?\.|seiten?|s\.)\s*|第\s*)"
    r"([0-9]{1,5}|[ivxlc]{1,7}|[a-z]{1,2}-[0-9]{1,4})(?![\w])(?:\s*[-–—]\s*([0-9]{1,5})\b)?",
    re.IGNORECASE,
)
_CJK_PAGE = re.compile(r"第\s*([0-9]{1,5})(?:\s*[-–—至到]\s*([0-9]{1,5}))?\s*[页頁ページ]")
_WORD_CHARACTER = re.compile(r"[^\W_]")
_CJK_CHARACTER = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]")


@dataclass(frozen=True, slots=True)
class Quote:
    """The characters `[start, end)` of the answer, without their marks, and page labels named nearby."""

    start: int
    end: int
    text: str
    page_hints: tuple[str, ...]


def find_quotes(answer: str) -> tuple[Quote, ...]:
    """The outermost quotes of an answer, in order; marks around less than a few letters are no quote."""
    spans = [span for span in _quoted_spans(answer) if _is_quote(answer[span[0] : span[1]])]
    quotes = []
    for i, (start, end) in enumerate(spans):
        before = spans[i - 1][1] if i else 0
        after = spans[i + 1][0] if i + 1 < len(spans) else len(answer)
        hints = _hints(answer[end : min(after, end + _HINT_AFTER)])
        if not hints:
            hints = _hints(answer[max(before, start - _HINT_BEFORE) : start])
        text = re.sub(r"\n[ \t]*>[ \t]?", "\n", answer[start:end])
        quotes.append(Quote(start, end, text, hints))
    return tuple(quotes)


def _is_quote(text: str) -> bool:
    num_letters = len(_WORD_CHARACTER.findall(text))
    return num_letters >= _MIN_LETTERS or len(_CJK_CHARACTER.findall(text)) >= _MIN_CJK


def _hints(text: str) -> tuple[str, ...]:
    hints: list[str] = []
    for found in sorted([*_PAGE.finditer(text), *_CJK_PAGE.finditer(text)], key=lambda m: m.start()):
        hints.append(found[1])
        if found[2] and found[1].isdigit():
            last = min(int(found[2]), int(found[1]) + _MAX_HINT_RANGE)
            hints += [str(number) for number in range(int(found[1]) + 1, last + 1)]
    return tuple(dict.fromkeys(hints))


def _quoted_spans(answer: str) -> list[tuple[int, int]]:
    spans: list[tuple[int, int]] = []
    position = 0
    block_quotes = {found.start(1): found.end(1) for found in _BLOCK_QUOTE.finditer(answer)}
    while position < len(answer):
        character = answer[position]
        end: int | None = None
        if position in block_quotes:
            span = _inner(answer, position, block_quotes[position])
            spans.append(span)
            position = block_quotes[position]
            continue
        if character == '"' or (character == "'" and _opens(answer, position)):
            end = _closing_straight(answer, position)
        elif character in _PAIRS and (character != "»" or _opens(answer, position)):
            end = _closing_paired(answer, position)
        if end is not None:
            spans.append((position + 1, end))
            position = end
        position += 1
    return spans


def _inner(answer: str, start: int, end: int) -> tuple[int, int]:
    """A block quote without quotation marks that enclose all of it."""
    text = answer[start:end].rstrip()
    opening, closing = text[:1], text[-1:]
    if len(text) > 2 and (closing in _PAIRS.get(opening, "") or opening == closing == '"'):
        return start + 1, start + len(text) - 1
    return start, start + len(text)


def _opens(answer: str, position: int) -> bool:
    before = answer[position - 1] if position else " "
    after = answer[position + 1] if position + 1 < len(answer) else " "
    return not after.isspace() and not _WORD_CHARACTER.match(before)


def _closes(answer: str, position: int) -> bool:
    after = answer[position + 1] if position + 1 < len(answer) else " "
    is_joined = bool(_WORD_CHARACTER.match(after)) and not _CJK_CHARACTER.match(after)
    return not answer[position - 1].isspace() and not is_joined


def _closing_straight(answer: str, start: int) -> int | None:
    """The mark that closes the straight one at `start`, other pairs inside left alone."""
    mark = answer[start]
    depth = 0
    for position in range(start + 1, len(answer)):
        if answer.startswith("\n\n", position):
            return None
        if answer[position] != mark:
            continue
        if mark == '"' and _opens(answer, position) and not _closes(answer, position):
            depth += 1
        elif mark == '"' or _closes(answer, position):
            if depth == 0:
                return position
            depth -= 1
    return None


def _closing_paired(answer: str, start: int) -> int | None:
    opening = answer[start]
    closing = _PAIRS[opening]
    depth = 0
    for position in range(start + 1, len(answer)):
        character = answer[position]
        if character in closing and (opening != "‘" or _closes(answer, position)):
            if depth == 0:
                return position
            depth -= 1
        elif character == opening:
            depth += 1
    return None
