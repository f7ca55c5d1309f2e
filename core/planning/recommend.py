"""Which model of the catalogue to propose for a machine, from what each of them does there."""

from collections.abc import Sequence

from core.planning.catalogue import READING_TOKENS, CataloguePlan
from core.planning.models import STARTER_MODEL
from core.planning.profiles import Profile
from core.planning.reach import Engine

_LEAST_CONTEXT = 16_384
_LEAST_READING_RATE = 30.0
_LEAST_ANSWERING_RATE = 2.0
"""In tokens a second, answers in the faster of the modes: slower than this is no fun."""


def recommended(
    plans: Sequence[CataloguePlan], profile: Profile, disk_free_bytes: int | None
) -> CataloguePlan | None:
    """The profile's own model where it runs, else the largest one that is quick enough.

    Models that take long documents go before larger ones that do not. Gated models, the starter and what has
    no room on the disk (None if that is not known) are never proposed. None if nothing is left.
    """
    fitting = [
        planned
        for planned in plans
        if _is_possible(planned) and (disk_free_bytes is None or planned.download_bytes < disk_free_bytes)
    ]
    for planned in fitting:
        if planned.entry.name == profile.recommended_model:
            return planned
    return max(filter(_is_quick, fitting), key=_worth, default=None)


def _is_possible(planned: CataloguePlan) -> bool:
    is_known = planned.plan.reach.engine is Engine.SUPPORTED
    is_open = not planned.entry.is_gated and planned.entry.name != STARTER_MODEL
    return planned.can_run and is_known and is_open


def _is_quick(planned: CataloguePlan) -> bool:
    speed = planned.speed
    if speed is None or planned.plan.max_context < _LEAST_CONTEXT:
        return False
    reading_rate = speed.num_tokens / max(speed.prefill_s, 1e-9)
    answering_rate = 1 / max(min(speed.exact_token_s, speed.sparse_token_s), 1e-9)
    return reading_rate >= _LEAST_READING_RATE and answering_rate >= _LEAST_ANSWERING_RATE


def _worth(planned: CataloguePlan) -> tuple[bool, int]:
    return planned.plan.max_context >= READING_TOKENS, planned.download_bytes
