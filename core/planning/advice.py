"""The nearest changes that make a plan fit or make it faster; each is tried before it is given."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from core.errors import UsageError
from core.planning.assessment import Assessment, assess, context_limit, reach_with
from core.planning.geometry import ModelGeometry
from core.planning.machine import Machine
from core.planning.reach import Engine
from core.planning.request import PlanRequest
from core.settings import KV_CODECS, RopeScaling
from core.units import format_size

_SMALLEST_CHUNK = 128
_SLOW_TOKEN_S = 1.0
_WORTH_CHANGING_SHARE = 0.85
_WORTH_CHANGING_S = 0.1
_MOST_ADVICE = 5
_EXPERT_BUDGET_BYTES = 2 << 30
_EXPERTS_CAN_MOVE = (None, "mxfp4", "mxfp8", "fp8")
_ROPE_STEPS = (2.0, 4.0, 8.0)
_LOSS = "answers may differ slightly"


@dataclass(frozen=True)
class Change:
    """A request that differs in one or two choices, and those as a sentence's beginning with the options."""

    request: PlanRequest
    words: str


def fitting_changes(
    machine: Machine, geometry: ModelGeometry, request: PlanRequest, now: Assessment
) -> list[Change]:
    """What would make it fit, nearest change first; two at once only where none suffices."""
    if now.fits or reach_with(geometry, request).engine is Engine.UNSUPPORTED:
        return []
    found = [
        change
        for change in _single_changes(machine, geometry, request, now)
        if _fits(machine, geometry, change.request)
    ]
    return found or [
        change
        for change in _double_changes(machine, geometry, request)
        if _fits(machine, geometry, change.request)
    ]


def advise(
    machine: Machine,
    geometry: ModelGeometry,
    request: PlanRequest,
    now: Assessment,
    changes: Sequence[Change],
    max_context: int,
) -> list[str]:
    """Sentences, nearest change first; none if it fits and nothing would make it much faster."""
    if geometry.reach.engine is Engine.UNSUPPORTED:
        return [f"Choose another model: the engine cannot run this one, because {geometry.reach.reason}."]
    if reach_with(geometry, request).engine is Engine.UNSUPPORTED:
        return ["Leave --rope-scaling out: the positions of this model cannot be stretched."]
    if now.fits:
        return [*_faster(machine, geometry, request, now), *_disk_notes(machine, now)]
    found = [f"{change.words}: then it fits." for change in changes]
    if max_context:
        found.append(
            f"Read at most {max_context:,} tokens (--max-seq-len {max_context}): that fits as things are."
        )
    return found[:_MOST_ADVICE] or ["Choose a smaller model, or a machine with more memory."]


def _single_changes(
    machine: Machine, geometry: ModelGeometry, request: PlanRequest, now: Assessment
) -> Iterator[Change]:
    yield from _longer_context(geometry, request, now)
    if now.over("vram"):
        yield from _less_vram(machine, geometry, request, now)
    codecs = _codecs(request)
    yield from [change for change in codecs if _fits(machine, geometry, change.request)][:1]
    yield from _weights(machine, geometry, request)
    if len(machine.gpus) > 1 and request.sharding == "none":
        yield Change(
            replace(request, sharding="layer_wise", gpu_ids=()),
            f"Spread the layers over all {len(machine.gpus)} GPUs (--kv-sharding-strategy layer_wise)",
        )
    if request.num_documents > 1:
        fewer = replace(request, num_documents=request.num_documents - 1)
        yield Change(fewer, "Keep one document fewer open")


def _double_changes(machine: Machine, geometry: ModelGeometry, request: PlanRequest) -> Iterator[Change]:
    for codec in _codecs(request) if request.hot_budget_bytes else ():
        smaller = _largest_fitting_budget(machine, geometry, codec.request)
        if smaller is not None:
            yield _with_budget(codec.request, smaller, f"{codec.words} and lower")
            break
    for first in (*_weights(machine, geometry, request), *_stretched(geometry, request)):
        for second in _codecs(first.request):
            if _fits(machine, geometry, second.request):
                words = f"{first.words} and {second.words[0].lower()}{second.words[1:]}"
                yield Change(second.request, words)
                break


def _longer_context(geometry: ModelGeometry, request: PlanRequest, now: Assessment) -> Iterator[Change]:
    if now.over("context"):
        yield from _stretched(geometry, request)


def _stretched(geometry: ModelGeometry, request: PlanRequest) -> Iterator[Change]:
    """Where the configuration does not scale positions itself already."""
    if geometry.rope is not None or not geometry.has_rope or request.rope_scaling is not None:
        return
    for factor in _ROPE_STEPS:
        scaling = RopeScaling("yarn", factor)
        longer = replace(request, rope_scaling=scaling)
        if context_limit(geometry, longer) >= request.context > context_limit(geometry, request):
            yield Change(longer, f"Stretch the model's positions (--rope-scaling {scaling})")
            return


def _less_vram(
    machine: Machine, geometry: ModelGeometry, request: PlanRequest, now: Assessment
) -> Iterator[Change]:
    budget = request.hot_budget_bytes or 0
    smaller = _largest_fitting_budget(machine, geometry, request) if budget else None
    if smaller is not None:
        yield _with_budget(request, smaller, "Lower")
    if request.mode == "sparse":
        yield Change(replace(request, mode="exact"), "Read everything for each word part (--mode exact)")
    chunk = request.prefill_chunk
    while (chunk := chunk // 2) >= _SMALLEST_CHUNK:
        shorter = replace(request, prefill_chunk=chunk)
        if _fits(machine, geometry, shorter):
            yield Change(shorter, f"Read in chunks of {chunk} tokens instead of {now.request.prefill_chunk}")
            return


def _with_budget(request: PlanRequest, budget: int, verb: str) -> Change:
    return Change(
        replace(request, hot_budget_bytes=budget, active_window=None),
        f"{verb} the hot budget to {format_size(budget)} (--kv-hot-budget {budget >> 20}M)",
    )


def _largest_fitting_budget(machine: Machine, geometry: ModelGeometry, request: PlanRequest) -> int | None:
    """In whole MiB, by halving the interval; None if even an empty hot tier does not fit."""

    def fits(num_mib: int) -> bool:
        return _fits(machine, geometry, replace(request, hot_budget_bytes=num_mib << 20, active_window=None))

    low, high = 0, (request.hot_budget_bytes or 0) >> 20
    if not fits(0):
        return None
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if fits(middle) else (low, middle - 1)
    return low << 20


def _codecs(request: PlanRequest) -> list[Change]:
    """Every stronger codec, mildest first."""
    stronger = KV_CODECS[KV_CODECS.index(request.codec) + 1 :]
    return [
        Change(replace(request, codec=codec), f"Store the KV in {codec} (--kv-compression {codec})")
        for codec in stronger
    ]


def _weights(machine: Machine, geometry: ModelGeometry, request: PlanRequest) -> list[Change]:
    """Fewer bits for the weights, or experts in host memory; both need a GPU."""
    changes: list[Change] = []
    if not machine.gpus:
        return changes
    if request.quantization == "none" and request.expert_budget_bytes is None:
        if geometry.stored_quantization is None:
            changes += [
                Change(replace(request, quantization=name), f"Quantise the weights (--quantization {name})")
                for name in ("int8", "nf4")
            ]
        if geometry.parameters.experts and geometry.stored_quantization in _EXPERTS_CAN_MOVE:
            changes.append(
                Change(
                    replace(request, expert_budget_bytes=_EXPERT_BUDGET_BYTES),
                    "Keep the experts in host memory (--expert-budget 2G)",
                )
            )
    return changes


def _faster(machine: Machine, geometry: ModelGeometry, request: PlanRequest, now: Assessment) -> list[str]:
    """A codec whose sum of copying and turning back is smaller, and sparse mode where exact is slow."""
    advice = []
    codec = fastest_codec(machine, geometry, request)
    if codec != request.codec:
        seconds = assess(machine, geometry, replace(request, codec=codec)).estimate.per_token_s
        if _is_worth_it(seconds, now.estimate.per_token_s):
            advice.append(
                f"With --kv-compression {codec} a word part would take about {seconds:.2f} s instead of "
                f"{now.estimate.per_token_s:.2f} s (estimates); {_LOSS}."
            )
    if request.mode == "exact" and now.estimate.per_token_s > _SLOW_TOKEN_S:
        sparse = assess(machine, geometry, replace(request, mode="sparse"))
        if sparse.fits and _is_worth_it(sparse.estimate.per_token_s, now.estimate.per_token_s):
            advice.append(
                f"With --mode sparse a word part would take about {sparse.estimate.per_token_s:.2f} s "
                f"instead of {now.estimate.per_token_s:.2f} s (estimates); {_LOSS}."
            )
    return advice


def _disk_notes(machine: Machine, now: Assessment) -> list[str]:
    needed, free = sum(now.places["disk"].values()), machine.disk_free_bytes
    if free is None or needed <= free:
        return []
    words = (
        f"Free {format_size(needed - free)} on disk or choose another folder (--cache-dir): the document "
        f"cache of {format_size(needed)} cannot be kept and would be computed again each time."
    )
    return [words]


def _is_worth_it(seconds: float, now_seconds: float) -> bool:
    return seconds < min(_WORTH_CHANGING_SHARE * now_seconds, now_seconds - _WORTH_CHANGING_S)


def fastest_codec(machine: Machine, geometry: ModelGeometry, request: PlanRequest) -> str:
    """Of the codecs that fit, the one whose whole sum a token is smallest; the mildest of equal ones."""
    candidates = [
        (assessment.estimate.per_token_s, index, codec)
        for index, codec in enumerate(KV_CODECS)
        if (assessment := _tried(machine, geometry, replace(request, codec=codec))) is not None
        and assessment.fits
    ]
    return min(candidates)[2] if candidates else request.codec


def _fits(machine: Machine, geometry: ModelGeometry, request: PlanRequest) -> bool:
    assessment = _tried(machine, geometry, request)
    return assessment is not None and assessment.fits


def _tried(machine: Machine, geometry: ModelGeometry, request: PlanRequest) -> Assessment | None:
    """None if the choices contradict each other, as an active window and a smaller hot budget do."""
    try:
        return assess(machine, geometry, request)
    except UsageError:
        return None
