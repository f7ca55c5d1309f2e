"""What a document is once it has been read: pages, blocks, lines and the boxes of their words.

Coordinates are points with the origin at the top left of the page as a reader sees it: rotation,
CropBox and UserUnit are already applied. `page_index` is 0-based; `label` is what is printed on the page.
"""

import bisect
import itertools
from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import overload

from core.documents.file_state import FileState


@dataclass(frozen=True, slots=True)
class BBox:
    """A rectangle in points, origin top left, x to the right, y downwards."""

    x0: float
    y0: float
    x1: float
    y1: float

    def union(self, other: "BBox") -> "BBox":
        return BBox(
            min(self.x0, other.x0),
            min(self.y0, other.y0),
            max(self.x1, other.x1),
            max(self.y1, other.y1),
        )

    def __reduce__(self) -> tuple[type["BBox"], tuple[float, float, float, float]]:
        return BBox, (self.x0, self.y0, self.x1, self.y1)


@dataclass(frozen=True, slots=True)
class Fragment:
    """The characters `[start, end)` of the page's text and where they are printed.

    A word is one fragment; a word that a line-end hyphen split is two. Characters of scripts
    without blanks (Chinese, Japanese …) are one fragment each.
    """

    start: int
    end: int
    bbox: BBox


@dataclass(frozen=True, slots=True)
class FragmentTable(Sequence[Fragment]):
    """Fragments in 24 bytes each; a `Fragment` is built when it is asked for.

    `starts` and `ends` are array("I"), the coordinates array("f"), all of the same length.
    """

    starts: "array[int]"
    ends: "array[int]"
    x0: "array[float]"
    y0: "array[float]"
    x1: "array[float]"
    y1: "array[float]"

    @classmethod
    def of(cls, fragments: Iterable[Fragment]) -> "FragmentTable":
        items = tuple(fragments)
        boxes = [item.bbox for item in items]
        return cls(
            array("I", [item.start for item in items]),
            array("I", [item.end for item in items]),
            array("f", [box.x0 for box in boxes]),
            array("f", [box.y0 for box in boxes]),
            array("f", [box.x1 for box in boxes]),
            array("f", [box.y1 for box in boxes]),
        )

    def __len__(self) -> int:
        return len(self.starts)

    @overload
    def __getitem__(self, index: int) -> Fragment: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Fragment, ...]: ...
    def __getitem__(self, index: int | slice) -> Fragment | tuple[Fragment, ...]:
        if isinstance(index, slice):
            return tuple(self[i] for i in range(*index.indices(len(self))))
        box = BBox(self.x0[index], self.y0[index], self.x1[index], self.y1[index])
        return Fragment(self.starts[index], self.ends[index], box)


@dataclass(frozen=True, slots=True)
class Line:
    """The characters `[start, end)` of the page's text that stand in one printed line."""

    start: int
    end: int
    bbox: BBox

    def __reduce__(self) -> tuple[type["Line"], tuple[int, int, BBox]]:
        return Line, (self.start, self.end, self.bbox)


@dataclass(frozen=True, slots=True)
class Block:
    """A paragraph-like group of lines, in reading order within `Page.blocks`."""

    lines: tuple[Line, ...]
    bbox: BBox

    @property
    def start(self) -> int:
        return self.lines[0].start

    @property
    def end(self) -> int:
        return self.lines[-1].end

    def __reduce__(self) -> tuple[type["Block"], tuple[tuple[Line, ...], BBox]]:
        return Block, (self.lines, self.bbox)


class WarningKind(StrEnum):
    """What can be wrong with a page or a document without making it unreadable."""

    SCAN = "scan"
    BLANK = "blank"
    GARBLED_TEXT = "garbled_text"
    UNREADABLE_PAGE = "unreadable_page"
    REPAIRED = "repaired"
    COPY_NOT_PERMITTED = "copy_not_permitted"
    HIDDEN_TEXT = "hidden_text"
    OCR_LAYER = "ocr_layer"
    COMMENTS = "comments"
    XFA_FORM = "xfa_form"
    ATTACHMENTS = "attachments"
    ACTIVE_CONTENT = "active_content"
    FILE_CHANGED = "file_changed"


class HiddenReason(StrEnum):
    """Why a reader does not see a text that is in the file."""

    INVISIBLE = "invisible"
    SAME_COLOUR = "same_colour"
    COVERED = "covered"
    TINY = "tiny"
    OFF_PAGE = "off_page"
    LAYER_OFF = "layer_off"


@dataclass(frozen=True, slots=True)
class HiddenText:
    """Text that a reader of the page does not see. It is no part of `Page.text`."""

    text: str
    reason: HiddenReason
    bbox: BBox


@dataclass(frozen=True, slots=True)
class Comment:
    """A note that somebody added to the page: no part of the document's own text."""

    author: str
    text: str
    bbox: BBox


@dataclass(frozen=True, slots=True)
class DocumentWarning:
    """A fact about the document that its reader must know; `page_index` is None for the whole document."""

    kind: WarningKind
    message: str
    page_index: int | None = None


@dataclass(frozen=True, slots=True)
class Page:
    """One page: normalised text in reading order, and the map from its characters to boxes.

    `fragments` are sorted by `start`, do not overlap, and cover every character that is no white space.
    `hidden` and `comments` are no part of `text`. `running` are the ranges `[start, end)` of lines that come
    again on other pages (heads, feet, page numbers), in order; `repeated` are those of them that an earlier
    page has word for word.
    """

    page_index: int
    label: str
    width: float
    height: float
    text: str
    blocks: tuple[Block, ...]
    fragments: Sequence[Fragment]
    warnings: tuple[DocumentWarning, ...] = ()
    hidden: tuple[HiddenText, ...] = ()
    comments: tuple[Comment, ...] = ()
    running: tuple[tuple[int, int], ...] = ()
    repeated: tuple[tuple[int, int], ...] = ()

    @property
    def has_text(self) -> bool:
        return bool(self.text.strip())

    def boxes(self, start: int, end: int) -> tuple[BBox, ...]:
        """The boxes of the characters `[start, end)`, one for each printed line that they touch."""
        first = bisect.bisect_right(self.fragments, start, key=lambda fragment: fragment.end)
        merged: list[BBox] = []
        line_ends = self._line_ends()
        last_line = -1
        for fragment in self.fragments[first:]:
            if fragment.start >= end:
                break
            line = bisect.bisect_right(line_ends, fragment.start)
            if line == last_line:
                merged[-1] = merged[-1].union(fragment.bbox)
            else:
                merged.append(fragment.bbox)
                last_line = line
        return tuple(merged)

    def _line_ends(self) -> list[int]:
        return [line.end for block in self.blocks for line in block.lines]


@dataclass(frozen=True, slots=True)
class OutlineEntry:
    """One entry of the document's own table of contents; `level` starts at 1."""

    level: int
    title: str
    page_index: int | None


@dataclass(frozen=True, slots=True)
class Document:
    """A document that has been read in full. `sha256` is the digest of the file's bytes.

    `file_state` is what the file looked like then (`core.documents.file_state`).
    """

    path: str
    name: str
    sha256: str
    pages: tuple[Page, ...]
    outline: tuple[OutlineEntry, ...] = ()
    warnings: tuple[DocumentWarning, ...] = ()
    file_state: FileState | None = None

    @property
    def num_pages(self) -> int:
        return len(self.pages)

    @property
    def has_text(self) -> bool:
        return any(page.has_text for page in self.pages)

    @property
    def all_warnings(self) -> tuple[DocumentWarning, ...]:
        """The document's own warnings, then those of its pages in order."""
        return self.warnings + tuple(w for page in self.pages for w in page.warnings)


def are_same(some: Sequence[Document], others: Sequence[Document]) -> bool:
    """Whether these are the very same: documents hold a million words and never change."""
    return len(some) == len(others) and all(a is b for a, b in zip(some, others, strict=True))


def with_unique_names(documents: Sequence[Document]) -> tuple[Document, ...]:
    """Documents whose names tell them apart: the second `lease.pdf` becomes `lease.pdf (2)`.

    Names that are unique already stay as they are.
    """
    taken: set[str] = set()
    result = []
    for document in documents:
        numbered = (f"{document.name} ({number})" for number in itertools.count(2))
        name = next(name for name in itertools.chain([document.name], numbered) if name not in taken)
        taken.add(name)
        result.append(document if name == document.name else replace(document, name=name))
    return tuple(result)
