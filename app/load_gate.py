"""Asks the planner in the engine's thread, before a model is loaded that has no room."""

import logging
from collections.abc import Sequence

from app.probes import Probes
from core.catalogue.locate import locate_model
from core.documents.layout import Document
from core.documents.reading_choice import EVERYTHING, ReadingChoice
from core.errors import DoesNotFitError, LecternError, ModelTooLargeError
from core.paths import models_dir
from core.planning.assessment import Shortfall
from core.planning.loading import is_stopped, least_tokens_read, memory_shortfalls, plan_loading
from core.planning.models import find_geometry
from core.planning.planner import Plan
from core.settings import EngineSettings
from core.units import format_size

_log = logging.getLogger(__name__)


class LoadGate:
    """`allowed` names models that the user wants to load whatever the planner says."""

    def __init__(self, probes: Probes, allowed: frozenset[str] = frozenset()) -> None:
        self.allowed = allowed
        self._probes = probes

    def check(
        self,
        settings: EngineSettings,
        documents: Sequence[Document],
        reading: ReadingChoice = EVERYTHING,
    ) -> DoesNotFitError | None:
        """Raise `ModelTooLargeError` if there is no room; the words of a warning where that is not sure.

        What cannot be planned is the engine's to judge.
        """
        if settings.model in self.allowed:
            return None
        folder = models_dir(settings.cache_root)
        try:
            locate_model(settings.model, folder)
            geometry = find_geometry(settings.model, folder)
            num_tokens = least_tokens_read(documents, reading)
            plan = plan_loading(self._probes.machine(), geometry, settings, num_tokens)
        except LecternError as error:
            _log.info("no plan for %s: %s", settings.model, error)
            return None
        short = memory_shortfalls(plan)
        if is_stopped(plan):
            raise _too_large(plan, short[0])
        return _may_be_too_large(plan, short[0]) if short else None


def _too_large(plan: Plan, short: Shortfall) -> ModelTooLargeError:
    needed, usable = format_size(short.needed), format_size(short.usable)
    if short.place == "vram":
        message = f"{plan.model} needs {needed} of GPU memory; {usable} of it can be used now."
    else:
        message = f"{plan.model} needs {needed} of memory; {usable} of it can be used now."
    return ModelTooLargeError("The model does not fit this machine", message)


def _may_be_too_large(plan: Plan, short: Shortfall) -> DoesNotFitError:
    return DoesNotFitError(
        "The model may not fit this machine",
        f"{plan.model} seems to need {format_size(short.needed)}; {format_size(short.usable)} can be used "
        "now. Its kind is not known well enough to stop it, so it is being loaded.",
    )
