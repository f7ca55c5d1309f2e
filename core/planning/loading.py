"""The planner asked before the engine: is there room for a model and the documents that wait for it?"""

import math
from collections.abc import Sequence

from core.documents.layout import Document
from core.documents.page_range import PageRange
from core.documents.reading_choice import ReadingChoice, ReadingKind
from core.documents.sections import DEFAULT_BUDGET_TOKENS
from core.planning.assessment import Shortfall, context_limit
from core.planning.geometry import ModelGeometry
from core.planning.machine import Machine
from core.planning.planner import Plan, plan
from core.planning.reach import Engine
from core.planning.request import PlanRequest
from core.settings import EngineSettings

_MOST_CHARACTERS_A_TOKEN = 6
_ANSWER_TOKENS = 64
_USUAL_CONTEXT = 8192
_MEMORY = ("vram", "ram")


def least_tokens(documents: Sequence[Document], pages: PageRange | None = None) -> int:
    """So many tokens the documents and an answer are at least, whatever the tokeniser."""
    num_characters = sum(
        len(page.text)
        for document in documents
        for page in document.pages
        if pages is None or page.page_index in pages.of_document(document.name)
    )
    return math.ceil(num_characters / _MOST_CHARACTERS_A_TOKEN) + _ANSWER_TOKENS


def least_tokens_read(documents: Sequence[Document], reading: ReadingChoice) -> int:
    """As `least_tokens`, for what is to be read of the documents."""
    if reading.kind is ReadingKind.SECTIONS:
        return min(least_tokens(documents), DEFAULT_BUDGET_TOKENS)
    return least_tokens(documents, reading.selection(documents))


def request_of_settings(
    settings: EngineSettings,
    machine: Machine,
    context: int,
    *,
    keeps_on_disk: bool = False,
) -> PlanRequest:
    """What the settings ask of the planner. Devices that `machine` lacks are left for the engine to refuse.

    `multi_gpu` is planned as layers divided among GPUs, as the engine does it.
    """
    is_multi = settings.kv_cache_device == "multi_gpu"
    return PlanRequest(
        context=context,
        quantization=settings.quantization if machine.gpus else "none",
        codec=settings.kv_compression,
        kv_dtype=settings.kv_dtype,
        cache_device="auto" if is_multi or not machine.gpus else settings.kv_cache_device,
        mode=settings.mode,
        sparse_budget=settings.sparse_budget,
        hot_budget_bytes=settings.hot_budget_bytes,
        active_window=settings.active_window,
        prefill_chunk=settings.prefill_chunk,
        block_tokens=settings.block_tokens,
        expert_budget_bytes=settings.expert_budget_bytes,
        rope_scaling=settings.rope_scaling,
        sharding="layer_wise" if settings.is_layer_wise else "none",
        gpu_ids=tuple(index for index in settings.gpu_ids or () if index < len(machine.gpus)),
        keeps_on_disk=keeps_on_disk,
    )


def plan_loading(
    machine: Machine,
    geometry: ModelGeometry,
    settings: EngineSettings,
    num_tokens: int | None = None,
    *,
    keeps_on_disk: bool = False,
) -> Plan:
    """The plan for `settings` and a context of `num_tokens`, None for the longest that may be read.

    Raises `UsageError` if the settings contradict each other.
    """
    limit = context_limit(geometry, request_of_settings(settings, machine, 1)) or num_tokens or _USUAL_CONTEXT
    if settings.max_seq_len is not None:
        limit = min(limit, settings.max_seq_len)
    context = max(1, min(limit, num_tokens or limit))
    request = request_of_settings(settings, machine, context, keeps_on_disk=keeps_on_disk)
    return plan(machine, geometry, request)


def memory_shortfalls(plan: Plan) -> tuple[Shortfall, ...]:
    """What is missing in memory, if anything: the largest first. Contexts and architectures are the
    engine's to refuse, with the exact figures."""
    short = [found for found in plan.assessment.shortfalls if found.place in _MEMORY]
    return tuple(sorted(short, key=lambda found: found.over, reverse=True))


def is_stopped(plan: Plan) -> bool:
    """Whether loading must not begin: memory is missing for a model that the engine is known to run.

    The bytes of an architecture that is not known may be others than the planner thinks.
    """
    return bool(memory_shortfalls(plan)) and plan.reach.engine is Engine.SUPPORTED
