"""The little Markdown that answers use, as values. Links, images and HTML stay the characters they are."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum


class BlockKind(StrEnum):
    PARAGRAPH = "paragraph"
    HEADING = "heading"
    ITEM = "item"
    QUOTE = "quote"
    CODE = "code"
    RULE = "rule"


@dataclass(frozen=True)
class Span:
    """Characters in one style."""

    text: str
    is_bold: bool = False
    is_italic: bool = False
    is_code: bool = False


@dataclass(frozen=True)
class MarkdownBlock:
    """One block. `level` is that of a heading (1 to 6) or of a list item (0 is the outermost); `marker` is
    what stands before a list item."""

    kind: BlockKind
    spans: tuple[Span, ...]
    level: int = 0
    marker: str = ""


_MAX_STYLED_CHARACTERS = 4000
_FENCE = re.compile(r"\s{0,3}(```+|~~~+)")
_HEADING = re.compile(r"\s{0,3}(#{1,6})\s+(.*?)\s*#*\s*")
_RULE = re.compile(r"\s{0,3}(?:-{3,}|\*{3,}|_{3,})\s*")
_ITEM = re.compile(r"(\s*)([-*+]|\d{1,3}[.)])\s+(.*)")
_QUOTE = re.compile(r"\s{0,3}>\s?(.*)")
_TABLE_ROW = re.compile(r"\s*\|.*\|\s*")
_STYLED = re.compile(
    r"(?P<tick>`+)(?P<code>.+?)(?P=tick)"
    r"|(?P<strong>\*\*|__)(?=\S)(?P<bold>.+?)(?<=\S)(?P=strong)"
    r"|(?<![\w*_])(?P<emphasis>[*_])(?=[^\s*_])(?P<italic>[^*_]+?)(?<=\S)(?P=emphasis)(?![\w*_])",
    re.DOTALL,
)


def parse_markdown(text: str) -> tuple[MarkdownBlock, ...]:
    """The blocks of `text`; half-written markup of a stream that goes on is shown as it stands."""
    lines = text.replace("\r\n", "\n").split("\n")
    return tuple(_blocks(lines))


def _blocks(lines: list[str]) -> Iterator[MarkdownBlock]:
    at = 0
    while at < len(lines):
        line = lines[at]
        fence = _FENCE.match(line)
        if fence:
            end = _end_of_fence(lines, at, fence[1])
            yield _code(lines[at + 1 : end])
            at = end + 1
        elif _TABLE_ROW.fullmatch(line):
            end = next((i for i in range(at, len(lines)) if not _TABLE_ROW.fullmatch(lines[i])), len(lines))
            yield _code(lines[at:end])
            at = end
        elif not line.strip():
            at += 1
        elif single := _single_line(line):
            yield single
            at += 1
        else:
            end = next((i for i in range(at + 1, len(lines)) if _ends_paragraph(lines[i])), len(lines))
            yield MarkdownBlock(BlockKind.PARAGRAPH, parse_spans("\n".join(lines[at:end]).strip()))
            at = end


def _end_of_fence(lines: list[str], at: int, fence: str) -> int:
    return next((i for i in range(at + 1, len(lines)) if lines[i].strip().startswith(fence)), len(lines))


def _code(lines: list[str]) -> MarkdownBlock:
    return MarkdownBlock(BlockKind.CODE, (Span("\n".join(lines), is_code=True),))


def _single_line(line: str) -> MarkdownBlock | None:
    """A block that is one line by its own mark."""
    if match := _HEADING.fullmatch(line):
        return MarkdownBlock(BlockKind.HEADING, parse_spans(match[2]), level=len(match[1]))
    if _RULE.fullmatch(line):
        return MarkdownBlock(BlockKind.RULE, ())
    if match := _ITEM.fullmatch(line):
        marker = "•" if match[2] in "-*+" else match[2]
        return MarkdownBlock(BlockKind.ITEM, parse_spans(match[3]), min(len(match[1]) // 2, 4), marker)
    if match := _QUOTE.fullmatch(line):
        return MarkdownBlock(BlockKind.QUOTE, parse_spans(match[1]))
    return None


def _ends_paragraph(line: str) -> bool:
    return (
        not line.strip()
        or _FENCE.match(line) is not None
        or _TABLE_ROW.fullmatch(line) is not None
        or _single_line(line) is not None
    )


def parse_spans(text: str, *, is_bold: bool = False) -> tuple[Span, ...]:
    """The styles within one block; a block that is longer than any paragraph has none."""
    if len(text) > _MAX_STYLED_CHARACTERS:
        return (Span(text, is_bold),)
    spans: list[Span] = []
    at = 0
    for match in _STYLED.finditer(text):
        if match.start() > at:
            spans.append(Span(text[at : match.start()], is_bold))
        if match["code"] is not None:
            spans.append(Span(match["code"], is_bold, is_code=True))
        elif match["bold"] is not None:
            spans += parse_spans(match["bold"], is_bold=True)
        else:
            spans.append(Span(match["italic"], is_bold, is_italic=True))
        at = match.end()
    if at < len(text):
        spans.append(Span(text[at:], is_bold))
    return tuple(spans)
