"""Questions about what fits, answered away from the window's thread; only the latest one counts."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import QObject, Signal

from app.background import Background
from app.probes import Probes
from core.errors import LecternError
from core.paths import models_dir
from core.planning.geometry import ModelGeometry
from core.planning.loading import plan_loading
from core.planning.machine import Machine
from core.planning.models import find_geometry
from core.planning.needs import needs_of
from core.planning.planner import Plan
from core.planning.system_check import check_system
from core.planning.system_facts import Finding, SystemFacts
from core.settings import EngineSettings


@dataclass(frozen=True)
class FitQuestion:
    """`num_tokens` is the context to plan for, None the longest that the model reads.

    `machine` stands in for the one at hand.
    """

    settings: EngineSettings
    num_tokens: int | None = None
    machine: Machine | None = None


@dataclass(frozen=True)
class FitAnswer:
    """`error` says why there is no plan; then `plan` and what depends on it are missing."""

    question: FitQuestion
    machine: Machine
    geometry: ModelGeometry | None = None
    plan: Plan | None = None
    findings: tuple[Finding, ...] = ()
    error: LecternError | None = None


@dataclass(frozen=True)
class _Looked:
    machine: Machine
    facts: SystemFacts


class FitPlanner(QObject):
    """While a question is being answered, later ones wait; of those the last one is taken."""

    answered = Signal(object)

    def __init__(self, background: Background, probes: Probes, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._background, self._probes = background, probes
        self._looked: _Looked | None = None
        self._geometries: dict[str, ModelGeometry] = {}
        self._waiting: FitQuestion | None = None
        self._is_busy = False

    def look_again(self) -> None:
        """Forget what was found out about the machine and its models."""
        self._looked = None
        self._geometries = {}

    def ask(self, question: FitQuestion) -> None:
        self._waiting = question
        self._answer_next()

    def _answer_next(self) -> None:
        if self._is_busy or self._waiting is None:
            return
        question, self._waiting = self._waiting, None
        self._is_busy = True
        work: Callable[[], tuple[FitAnswer, _Looked]] = partial(
            _answer, question, self._looked, self._probes, self._geometries
        )
        self._background.run(work, self._on_answered)

    def _on_answered(self, result: tuple[FitAnswer, _Looked]) -> None:
        answer, self._looked = result
        self._is_busy = False
        if self._waiting is None:
            self.answered.emit(answer)
        self._answer_next()


def _answer(
    question: FitQuestion, looked: _Looked | None, probes: Probes, geometries: dict[str, ModelGeometry]
) -> tuple[FitAnswer, _Looked]:
    settings = question.settings
    looked = looked or _Looked(probes.machine(), probes.system(False))
    machine = question.machine or looked.machine
    try:
        geometry = geometries.get(settings.model)
        if geometry is None:
            geometry = find_geometry(settings.model, models_dir(settings.cache_root))
            geometries[settings.model] = geometry
        plan = plan_loading(machine, geometry, settings, question.num_tokens)
    except LecternError as error:
        return FitAnswer(question, machine, error=error), looked
    needs = needs_of(plan, machine, settings.cpu_memory_strategy, settings.cpu_memory_policy)
    findings = check_system(looked.facts, needs) if question.machine is None else ()
    return FitAnswer(question, machine, geometry, plan, findings), looked
