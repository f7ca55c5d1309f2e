"""One page of an open file: its text as readers see it, what is hidden from them, and its picture.

Coordinates that leave this file are points as displayed: CropBox, rotation and UserUnit are applied.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import cached_property, partial
from typing import Any

import pymupdf as _pymupdf  # type: ignore[import-untyped,unused-ignore]

from core.documents.drawn_traces import Traces
from core.documents.first_look import Look, Style, look_needed
from core.documents.glyphs import glyphs_of
from core.documents.hidden import MIN_SIZE, Ground, IsTraced, hidden_runs, is_text_over_scan, words_of
from core.documents.hidden_places import HiddenPlaces
from core.documents.ink import Glyph, ink_of
from core.documents.layout import BBox, Comment, HiddenReason, HiddenText
from core.documents.messages import RenderedImage
from core.documents.normalize import RIGHT_TO_LEFT, needs_characters
from core.documents.page_extras import comments_of, with_fields
from core.documents.paints import paints_of
from core.documents.picture import Picture
from core.documents.raw_lines import character_lines, needs_exact_boxes, with_upright_columns, word_lines
from core.documents.raw_page import Box, RawLine, RawPage, bounds, quarter_turn, turned, turned_box
from core.documents.text_page import drawn_list, styles_of, text_page
from core.documents.text_quality import text_quality

pymupdf: Any = _pymupdf
mupdf: Any = pymupdf.mupdf

_POINTS_PER_INCH = 72


class PdfPage:
    """One loaded page. Methods raise whatever PyMuPDF raises on a damaged page."""

    def __init__(self, page: Any, may_be_clear: bool = False, is_laid_out: bool = False) -> None:
        """`may_be_clear` tells that the file can paint text without leaving a trace.

        `is_laid_out` tells that the page is of our making: a word may be longer than its line.
        """
        self._page = page
        self._is_laid_out = is_laid_out
        self._may_be_clear = may_be_clear
        self._found: Any = None
        rect = page.rect
        self.width = float(rect.width)
        self.height = float(rect.height)

    def read(self, expects_characters: bool = False) -> RawPage:
        """The text of the page: words, or single characters where the script needs them.

        `expects_characters` saves the first look at pages that are likely to need them.
        """
        rotation = self._page.rotation
        with self._upright(rotation) as box:
            look = _Look(self._page, box, self._may_be_clear, self._is_laid_out)
            raw = look.read(expects_characters, is_turned=rotation != 0)
            self._found = look.text_page
        lines, hidden = raw.lines, raw.hidden
        matrix = quarter_turn(rotation, box)
        if matrix is not None:
            lines = [turned(line, matrix) for line in lines]
            hidden = [replace(text, bbox=BBox(*turned_box(_flat(text.bbox), matrix))) for text in hidden]
        return replace(raw, width=self.width, height=self.height, lines=lines, hidden=hidden)

    def plain_text(self) -> str:
        """All that is written on the page, hidden or not, in the order of the content stream."""
        found = self._found or text_page(partial(_run, self._page), (0.0, 0.0, self.width, self.height))
        return str(found.extractText())

    def comments(self) -> tuple[Comment, ...]:
        """The notes that people added; they are no part of the page's text."""
        return comments_of(self._page)

    def with_fields(self, lines: list[RawLine]) -> tuple[list[RawLine], list[RawLine]]:
        """The lines, those of form fields beside their labels, and the values that they do not show."""
        return with_fields(self._page, lines)

    @contextmanager
    def _upright(self, rotation: int) -> Iterator[Box]:
        """The page without its rotation, and its box."""
        if not rotation:
            yield (0.0, 0.0, self.width, self.height)
            return
        self._page.set_rotation(0)
        try:
            rect = self._page.rect
            yield (0.0, 0.0, float(rect.width), float(rect.height))
        finally:
            self._page.set_rotation(rotation)

    def image_share(self) -> float | None:
        """The share of the page's area that images cover, 0 to 1; None if damage keeps them from showing."""
        pymupdf.TOOLS.reset_mupdf_warnings()
        shown = self._page.get_bboxlog()
        if not shown and pymupdf.TOOLS.mupdf_warnings() and self._page.get_images():
            return None
        area = 0.0
        for kind, (x0, y0, x1, y1), *_ in shown:
            if kind in ("fill-image", "fill-imgmask"):
                width = min(x1, self.width) - max(x0, 0.0)
                height = min(y1, self.height) - max(y0, 0.0)
                area += max(0.0, width) * max(0.0, height)
        return min(1.0, area / max(1.0, self.width * self.height))

    def render(self, zoom: float, clip: Box | None, max_pixels: int) -> RenderedImage:
        """The page, or the part of it in `clip` (points), as RGB; never more than `max_pixels`."""
        area = pymupdf.Rect(clip) & self._page.rect if clip else self._page.rect
        if area.is_empty:
            raise ValueError("nothing of the page lies in the clip")
        zoom = min(zoom, (max_pixels / (area.width * area.height)) ** 0.5)
        zoom = min(zoom, max_pixels / max(area.width, area.height))
        pixmap = self._page.get_pixmap(
            matrix=pymupdf.Matrix(zoom, zoom), clip=area if clip else None, alpha=False
        )
        return RenderedImage(pixmap.width, pixmap.height, pixmap.stride, bytes(pixmap.samples))

    def recognised_words(
        self, language: str, data_folder: str, dpi: int, max_pixels: int, turn: int = 0
    ) -> list[RawLine]:
        """What text recognition sees on the page, notes aside; at `dpi` unless that is over `max_pixels`.

        It is shown the page turned by `turn`, a multiple of 90 degrees clockwise; the boxes are those of the
        page as displayed.
        """
        zoom = min(dpi / _POINTS_PER_INCH, (max_pixels / (self.width * self.height)) ** 0.5)
        matrix = pymupdf.Matrix(zoom, zoom).prerotate(turn)
        pixmap = self._page.get_pixmap(matrix=matrix, alpha=False, annots=False)
        data = pixmap.pdfocr_tobytes(compress=False, language=language, tessdata=data_folder)
        with pymupdf.open(stream=data, filetype="pdf") as recognised:
            page = recognised.load_page(0)
            turned_width = self.height if turn % 180 else self.width
            scale = turned_width / float(page.rect.width)
            text_page = page.get_textpage()
            lines = word_lines(text_page.extractWORDS())
            if needs_exact_boxes(lines):
                lines = list(character_lines(text_page.extractRAWDICT()["blocks"]))
            lines = [turned(line, (scale, 0.0, 0.0, scale, 0.0, 0.0)) for line in lines]
        box = (0.0, 0.0, turned_width, self.width if turn % 180 else self.height)
        back = quarter_turn((360 - turn) % 360, box)
        return lines if back is None else [turned(line, back) for line in lines]


class _Look:
    """One look at an upright page: first a quick one, a closer one only where text could be hidden."""

    def __init__(self, page: Any, box: Box, may_be_clear: bool, is_laid_out: bool) -> None:
        self._page = page
        self._is_laid_out = is_laid_out
        self._display_list = page.get_displaylist()
        self._box = box
        self._may_be_clear = may_be_clear
        self.text_page = text_page(drawn_list(self._display_list), box)

    def read(self, expects_characters: bool, is_turned: bool) -> RawPage:
        """On a page that is turned, only single characters tell which way a line without blanks runs."""
        lines = [] if expects_characters else word_lines(self.text_page.extractWORDS())
        is_exact = expects_characters or needs_exact_boxes(lines)
        if is_turned and not is_exact:
            is_exact = any(needs_characters("".join(line.texts)) for line in lines)
        if is_exact:
            if expects_characters or any(RIGHT_TO_LEFT.search("".join(line.texts)) for line in lines):
                # A display list forgets directions.
                self.text_page = text_page(partial(_run, self._page), self._box)
            lines = self._character_lines(None)
        hidden: list[HiddenText] = []
        is_checked, is_ocr = True, False
        try:
            look = self._look_needed(lines)
            if look is not Look.NONE:
                is_ocr, places, hidden = self._look_closer(look is Look.COLORS)
                if places is not None:
                    left = None if is_exact else places.without(lines)
                    lines = self._character_lines(places) if left is None else left
                if is_ocr:
                    lines, unseen = self._on_the_scan(lines)
                    hidden += unseen
        except Exception:  # noqa: BLE001 - a page that cannot be checked is shown with a warning
            is_checked = False
        lines, outside = self._inside(lines)
        text = " ".join([" ".join(line.texts) for line in lines])
        return RawPage(
            self._box[2],
            self._box[3],
            lines,
            is_exact and needs_characters(text),
            [*hidden, *outside],
            is_ocr,
            is_checked,
            quality=text_quality(text),
        )

    def _character_lines(self, places: HiddenPlaces | None) -> list[RawLine]:
        blocks = self.text_page.extractRAWDICT()["blocks"]
        lines = list(character_lines(blocks, None if places is None else places.holds))
        return with_upright_columns(lines)

    def _look_needed(self, lines: list[RawLine]) -> Look:
        if not lines:
            return Look.NONE
        if self._may_be_clear:
            return Look.COLORS
        return look_needed(lines, self._styles, partial(paints_of, self._display_list))

    @cached_property
    def _styles(self) -> list[Style]:
        return styles_of(self.text_page)

    def _look_closer(self, with_colors: bool) -> tuple[bool, HiddenPlaces | None, list[HiddenText]]:
        inks = ink_of(self._display_list, with_colors)
        if is_text_over_scan(inks, self._box):
            return True, None, []
        has_tiny_text = any(size < MIN_SIZE for size, _ in self._styles)
        ground = Ground(inks, self._is_blank, self._traces_of, has_tiny_text)
        if not ground.suspects:
            return False, None, []
        seen: list[Glyph] = []
        hidden: list[tuple[list[Glyph], HiddenReason]] = []
        reason: HiddenReason | None = None
        last = -1
        for word in words_of(glyphs_of(self._display_list, ground.suspects)):
            if not word[0].text.isspace() or word[0].text_number != last:
                reason = ground.word_reason(word)
            last = word[0].text_number
            if reason is None:
                seen += word
            else:
                hidden.append((word, reason))
        if not hidden:
            return False, None, []
        words = [word for word, _ in hidden]
        seen += glyphs_of(self._display_list, ground.beside(words))
        runs = hidden_runs((glyph, reason) for word, reason in hidden for glyph in word)
        return False, HiddenPlaces(words, seen), runs

    def _is_blank(self, box: Box) -> bool:
        return self._picture.is_blank(box)

    def _traces_of(self, text_numbers: set[int]) -> IsTraced:
        return Traces(self._display_list, self._box, text_numbers).is_traced

    @cached_property
    def _picture(self) -> Picture:
        return Picture(self._display_list, self._box)

    def _on_the_scan(self, lines: list[RawLine]) -> tuple[list[RawLine], list[HiddenText]]:
        """Lines that stand where the scan shows something, and the others."""
        blank = {id(line) for line in lines if self._picture.is_blank(line.bbox)}
        kept = [line for line in lines if id(line) not in blank]
        return kept, [
            HiddenText(" ".join(line.texts), HiddenReason.INVISIBLE, BBox(*line.bbox))
            for line in lines
            if id(line) in blank
        ]

    def _inside(self, lines: list[RawLine]) -> tuple[list[RawLine], list[HiddenText]]:
        """The lines on the page, and what stands beside it."""
        if not lines:
            return lines, []
        x0, y0, x1, y1 = bounds(lines)
        if x0 >= 0 and y0 >= 0 and x1 <= self._box[2] and y1 <= self._box[3]:
            return lines, []
        kept, outside = [], []
        for line in lines:
            if self._is_laid_out and self._is_on_page((line.x0[0], line.bbox[1], line.x0[0], line.bbox[3])):
                kept.append(line)
                continue
            inner, outer = line.split(self._is_on_page)
            if inner is not None:
                kept.append(inner)
            if outer is not None:
                text = " ".join(outer.texts)
                outside.append(HiddenText(text, HiddenReason.OFF_PAGE, BBox(*outer.bbox)))
        return kept, outside

    def _is_on_page(self, box: Box) -> bool:
        x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
        return 0 <= x <= self._box[2] and 0 <= y <= self._box[3]


def _flat(box: BBox) -> Box:
    return box.x0, box.y0, box.x1, box.y1


def _run(page: Any, device: Any) -> None:
    mupdf.fz_run_page(page.this, device, mupdf.FzMatrix(), mupdf.FzCookie())
