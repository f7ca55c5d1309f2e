"""The plan that users see: an assessment, the largest context, and the nearest changes that would help."""

from dataclasses import dataclass, replace

from core.planning.advice import Change, advise, fitting_changes
from core.planning.assessment import Assessment, assess, context_limit, reach_with
from core.planning.geometry import ModelGeometry
from core.planning.machine import Machine
from core.planning.reach import EngineReach
from core.planning.request import PlanRequest


@dataclass(frozen=True)
class Plan:
    """What a model with a context takes on a machine.

    `kv_bytes_per_token` is what grows with the context, uncompressed, as stored in the KV dtype.
    `max_context` is the longest context that has room on the machine and in the model, 0 if none has.
    `advice` names, in words for the user, the nearest changes that make it fit or make it faster; `changes`
    are those that make it fit, for a front end that can make them.
    """

    model: str
    machine: str
    reach: EngineReach
    kv_bytes_per_token: int
    assessment: Assessment
    max_context: int
    advice: tuple[str, ...]
    changes: tuple[Change, ...] = ()

    @property
    def request(self) -> PlanRequest:
        return self.assessment.request

    @property
    def places(self) -> dict[str, dict[str, int]]:
        return self.assessment.places

    @property
    def fits(self) -> bool:
        return self.assessment.fits


def plan(machine: Machine, geometry: ModelGeometry, request: PlanRequest) -> Plan:
    """Raises `UsageError` if the request asks for a device that the machine does not have."""
    assessment = assess(machine, geometry, request)
    longest = max_context(machine, geometry, request)
    changes = tuple(fitting_changes(machine, geometry, request, assessment))
    value_bytes = 4 if request.kv_dtype == "float32" else 2
    return Plan(
        model=geometry.name,
        machine=machine.name,
        reach=reach_with(geometry, request),
        kv_bytes_per_token=geometry.kv_bytes_per_token(value_bytes),
        assessment=assessment,
        max_context=longest,
        advice=tuple(advise(machine, geometry, request, assessment, changes, longest)),
        changes=changes,
    )


def max_context(machine: Machine, geometry: ModelGeometry, request: PlanRequest) -> int:
    """The longest context that fits under the same choices: whole blocks, or the model's own limit."""
    limit = context_limit(geometry, request)
    step = assess(machine, geometry, request).request.block_tokens or 1

    def fits(num_tokens: int) -> bool:
        return assess(machine, geometry, replace(request, context=num_tokens)).has_room

    if limit and fits(limit):
        return limit
    low, high = 0, limit // step
    while low < high:
        middle = (low + high + 1) // 2
        if fits(middle * step):
            low = middle
        else:
            high = middle - 1
    return low * step
