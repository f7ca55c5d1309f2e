"""The text of an answer: rendered from its Markdown, as tall as it needs to be, selectable, inert."""

import itertools
import math
from collections.abc import Sequence

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import (
    QFont,
    QResizeEvent,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QWheelEvent,
)
from PySide6.QtWidgets import QFrame, QSizePolicy, QTextEdit, QWidget

from app import theme
from app.chat_view.markdown import BlockKind, MarkdownBlock, Span, parse_markdown
from app.theme import SPACE, Type

_LINE_HEIGHT_PERCENT = 130.0
_INDENT = SPACE.l


class AnswerText(QTextEdit):
    """Shows Markdown. Nothing in it can be clicked, fetched or opened."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._source = ""
        self._blocks: tuple[MarkdownBlock, ...] = ()
        self.setReadOnly(True)
        self.setAcceptDrops(False)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.document().setUndoRedoEnabled(False)
        self.document().setDocumentMargin(0)
        self.setTabStopDistance(_INDENT)
        self.document().documentLayout().documentSizeChanged.connect(self._on_document_size_changed)
        self._fit()

    @property
    def source(self) -> str:
        """The Markdown that is shown."""
        return self._source

    def show_markdown(self, text: str) -> None:
        self._source = text
        self._render()

    def sizeHint(self) -> QSize:
        return QSize(200, self.height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.PaletteChange, QEvent.Type.FontChange) and self._source:
            self._render(is_new_look=True)

    def _render(self, *, is_new_look: bool = False) -> None:
        """Write what has changed: in a stream that is the last block or two."""
        blocks = parse_markdown(self._source)
        pairs = zip(self._blocks, blocks, strict=False)
        num_same = sum(1 for _ in itertools.takewhile(lambda pair: pair[0] == pair[1], pairs))
        write_markdown(self.document(), blocks, 0 if is_new_look else num_same)
        self._blocks = blocks
        self._fit()

    def _fit(self) -> None:
        height = max(1, math.ceil(self.document().size().height()))
        if height != self.height():
            self.setFixedHeight(height)

    def _on_document_size_changed(self, *_: object) -> None:
        self._fit()


def write_markdown(document: QTextDocument, blocks: Sequence[MarkdownBlock], num_kept: int = 0) -> None:
    """Make `blocks` the document's content, of which the first `num_kept` are there already.

    Only text, fonts and colours are ever set.
    """
    document.setDefaultFont(theme.font())
    cursor = QTextCursor(document)
    cursor.beginEditBlock()
    if num_kept:
        kept = document.findBlockByNumber(num_kept - 1)
        cursor.setPosition(kept.position() + kept.length() - 1)
    cursor.movePosition(QTextCursor.MoveOperation.End, QTextCursor.MoveMode.KeepAnchor)
    cursor.removeSelectedText()
    for number, block in enumerate(blocks[num_kept:], num_kept):
        block_format = _block_format(block, is_first=number == 0)
        if number == 0:
            cursor.setBlockFormat(block_format)
        else:
            cursor.insertBlock(block_format)
        if block.marker:
            cursor.insertText(f"{block.marker}\t", _char_format(Span(""), block))
        for span in block.spans:
            cursor.insertText(span.text.replace("\n", "\u2028"), _char_format(span, block))
    cursor.endEditBlock()


def _block_format(block: MarkdownBlock, *, is_first: bool) -> QTextBlockFormat:
    result = QTextBlockFormat()
    result.setLineHeight(_LINE_HEIGHT_PERCENT, QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
    if not is_first:
        result.setTopMargin(SPACE.xs if block.kind is BlockKind.ITEM else SPACE.s)
    if block.kind is BlockKind.ITEM:
        result.setLeftMargin(_INDENT * (block.level + 1))
        result.setTextIndent(-_INDENT)
    elif block.kind is BlockKind.QUOTE:
        result.setLeftMargin(SPACE.m)
    elif block.kind is BlockKind.CODE:
        result.setBackground(theme.color("surface_raised"))
        result.setLeftMargin(SPACE.xs)
    return result


def _char_format(span: Span, block: MarkdownBlock) -> QTextCharFormat:
    result = QTextCharFormat()
    is_heading = block.kind is BlockKind.HEADING
    font = theme.font(
        Type.title if is_heading and block.level <= 2 else Type.body,
        QFont.Weight.DemiBold if span.is_bold or is_heading else QFont.Weight.Normal,
    )
    if span.is_code:
        font = theme.fixed_font()
        result.setBackground(theme.color("surface_raised"))
    font.setItalic(span.is_italic)
    result.setFont(font)
    role = "text_muted" if block.kind is BlockKind.QUOTE else "text"
    result.setForeground(theme.color(role))
    return result
