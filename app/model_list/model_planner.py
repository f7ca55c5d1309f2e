"""Plans for all models, made away from the window's thread; only the latest question counts."""

from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import QObject, Signal

from app.background import Background
from app.engine_choices import profile_of
from app.model_list.model_item import ModelItem, model_items
from core.paths import models_dir
from core.planning.machine import Machine


@dataclass(frozen=True)
class ModelQuestion:
    """What the models do on `machine` with the profile of this name."""

    profile: str
    machine: Machine


@dataclass(frozen=True)
class ModelAnswer:
    question: ModelQuestion
    items: tuple[ModelItem, ...]


class ModelPlanner(QObject):
    """A question that is being answered or was answered last is not asked again before `look_again`."""

    answered = Signal(object)

    def __init__(self, background: Background, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._background = background
        self._question: ModelQuestion | None = None

    def look_again(self) -> None:
        """Forget what was found out; the next question is answered anew."""
        self._question = None

    def ask(self, question: ModelQuestion) -> None:
        if question != self._question:
            self._question = question
            self._background.run(partial(_answer, question), self._on_answered)

    def _on_answered(self, answer: ModelAnswer) -> None:
        if answer.question == self._question:
            self.answered.emit(answer)


def _answer(question: ModelQuestion) -> ModelAnswer:
    return ModelAnswer(question, model_items(question.machine, profile_of(question.profile), models_dir()))
