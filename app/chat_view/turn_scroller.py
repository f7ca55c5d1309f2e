"""Where in the conversation the reader is: at the answer that grows, or at an earlier one."""

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtWidgets import QScrollArea, QWidget

from app.chat_view.turn_view import TurnStatus, TurnView
from app.theme import SPACE, running_app

_BOTTOM_SLACK = 24
_READ_SHARE = 1 / 3
"""So far down the window stands what is being read."""


class TurnScroller(QObject):
    """Keeps the end in view while an answer grows, unless the reader has scrolled away.

    The reader is at the last turn, until scrolling, the keyboard or a click leads to another.
    `evidence_chosen` carries the pages that the answer there looked at, none while it is being written.
    """

    evidence_chosen = Signal(object)

    def __init__(self, area: QScrollArea, turns: Sequence[TurnView], parent: QObject | None = None) -> None:
        """`turns` is the list that the caller changes."""
        super().__init__(parent)
        self._area, self._turns = area, turns
        self._follows = True
        self._read: TurnView | None = None
        bar = area.verticalScrollBar()
        bar.rangeChanged.connect(self._on_range_changed)
        bar.valueChanged.connect(self._on_value_changed)
        running_app().focusChanged.connect(self._on_focus_changed)

    def follow(self, turn: TurnView) -> None:
        """A new turn, whose answer comes."""
        self._follows = True
        self.read(turn)

    def go_to(self, turn: TurnView) -> None:
        """Bring the turn into view once everything has its place."""
        self._follows = False
        self.read(turn)
        QTimer.singleShot(0, partial(self._scroll_to, turn))

    def look_at(self, turn: TurnView) -> None:
        """The reader opens something of this turn; an answer that grows further down does not lead away."""
        self._follows = self._follows and turn is self._turns[-1]
        self.read(turn)

    def read(self, turn: TurnView | None) -> None:
        """The reader is at this turn now; None where there is none."""
        self._read = turn
        self.renew()

    def renew(self) -> None:
        """The answer that is read may be another one now."""
        turn = self._read
        is_written = turn is not None and turn.status not in (TurnStatus.WAITING, TurnStatus.STREAMING)
        self.evidence_chosen.emit(turn.evidence.pages if turn is not None and is_written else ())

    @property
    def _is_at_end(self) -> bool:
        bar = self._area.verticalScrollBar()
        return bar.value() >= bar.maximum() - _BOTTOM_SLACK

    def _turn_in_view(self) -> TurnView:
        line = self._area.verticalScrollBar().value() + _READ_SHARE * self._area.viewport().height()
        above = [turn for turn in self._turns if turn.y() <= line]
        if self._is_at_end or not above:
            return self._turns[-1 if self._is_at_end else 0]
        return above[-1]

    def _scroll_to(self, turn: TurnView) -> None:
        if turn in self._turns:
            self._area.verticalScrollBar().setValue(turn.y() - SPACE.l)
            self._follows = False
            self._go_over(turn)

    def _scroll_to_end(self) -> None:
        bar = self._area.verticalScrollBar()
        bar.setValue(bar.maximum())

    def _go_over(self, turn: TurnView) -> None:
        if turn is not self._read:
            self.read(turn)

    def _on_value_changed(self, _value: int) -> None:
        self._follows = self._is_at_end
        if self._turns:
            self._go_over(self._turn_in_view())

    def _on_range_changed(self, _minimum: int, _maximum: int) -> None:
        if self._follows:
            QTimer.singleShot(0, self._scroll_to_end)

    def _on_focus_changed(self, _old: QWidget | None, new: QWidget | None) -> None:
        for turn in self._turns:
            if new is not None and turn.isAncestorOf(new):
                self._go_over(turn)
