"""The first look at what a page paints: fast, and enough to tell whether a closer one is needed.

Imported inside the worker process only: it is called by MuPDF for every operation of a page.
"""

from typing import Any, NamedTuple

from core.documents.ink import PAINT_CALLS, STATE_CALLS, TEXT_CALLS, Ink, InkKind, InkLog, run
from core.documents.raw_page import Box

_MAX_STROKES_HEARD = 100


class Paints(NamedTuple):
    """The first look at a page: what may cover, underlie or cut text, and whether some is not painted.

    `has_odd_text` tells of text that is mixed with what lies under it, or masked; `has_unheard` of lines too
    many to be looked at.
    """

    inks: list[Ink]
    has_unpainted_text: bool
    has_clips: bool
    has_odd_text: bool = False
    has_unheard: bool = False


def paints_of(display_list: Any, area: Box | None = None) -> Paints:
    """The paint and the images of a page; clips and text are left out, which makes it fast.

    Of a part, `area`, only what touches it counts. `text_number` tells only whether any text was painted
    before.
    """
    log = _QuickLog(
        [
            *PAINT_CALLS,
            *STATE_CALLS,
            *TEXT_CALLS,
            "stroke_path",
            "clip_path",
            "clip_stroke_path",
            "clip_image_mask",
        ]
    )
    run(display_list, log, area)
    paint = [ink for ink in log.inks if ink.kind in (InkKind.PAINT, InkKind.IMAGE)]
    return Paints(paint, len(paint) < len(log.inks), log.has_clips, log.has_odd_text, log.has_unheard)


class _QuickLog(InkLog):
    """Measures neither painted text nor clips, hears of the first alone: `text_number` stays 1 after it."""

    has_clips = False
    has_odd_text = False
    has_unheard = False
    _num_strokes = 0
    _is_masked = False

    def fill_text(self, *_: Any) -> None:
        self._leave_text()

    def stroke_text(self, *_: Any) -> None:
        self._leave_text()

    def stroke_path(self, *operands: Any) -> None:
        self._num_strokes += 1
        if self._num_strokes >= _MAX_STROKES_HEARD:
            self.has_unheard = True
            self.use_virtual_stroke_path(False)
        super().stroke_path(*operands)

    def begin_group(self, *operands: Any) -> None:
        super().begin_group(*operands)
        self._hear_text()

    def begin_mask(self, *operands: Any) -> None:
        super().begin_mask(*operands)
        self._hear_text()

    def end_mask(self, *operands: Any) -> None:
        super().end_mask(*operands)
        self._is_masked = True
        self._hear_text()

    def clip_path(self, *_: Any) -> None:
        self.has_clips = True
        self.use_virtual_clip_path(False)

    def clip_stroke_path(self, *_: Any) -> None:
        self.has_clips = True

    def clip_image_mask(self, *_: Any) -> None:
        self.has_clips = True

    @property
    def _is_odd_state(self) -> bool:
        return self._is_masked or super()._is_odd_state

    def _hear_text(self) -> None:
        if self._is_odd_state:
            self.use_virtual_fill_text(True)
            self.use_virtual_stroke_text(True)

    def _leave_text(self) -> None:
        self.text_number = 1
        self.has_odd_text = self.has_odd_text or self._is_odd_state
        self.use_virtual_fill_text(False)
        self.use_virtual_stroke_text(False)
