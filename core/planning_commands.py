"""`lectern plan` and `lectern check`: what fits, and what could be set up better. No torch is loaded."""

import argparse
from dataclasses import asdict, replace
from typing import Any

from core.cancel import CancelToken
from core.console import Console
from core.errors import DoesNotFitError, LecternError, ModelTooLargeError
from core.paths import cache_dir, models_dir
from core.planning.assessment import Shortfall, context_limit
from core.planning.geometry import ModelGeometry
from core.planning.layers import LayerKind
from core.planning.loading import is_stopped, memory_shortfalls, plan_loading
from core.planning.machine_probe import probe_machine
from core.planning.models import find_geometry
from core.planning.needs import needs_of
from core.planning.own_memory import own_ram_bytes, without_own
from core.planning.planner import Plan
from core.planning.planner import plan as make_plan
from core.planning.profiles import Profile, load_profile
from core.planning.reach import Engine
from core.planning.request import PlanRequest
from core.planning.system_check import check_system
from core.planning.system_facts import Finding, Severity
from core.planning.system_probe import probe_system
from core.settings import EngineSettings
from core.units import format_duration, format_size

_PLACE_WORDS = {"vram": "GPU memory", "ram": "Host memory", "disk": "Disk"}


def plan(options: argparse.Namespace, console: Console, _cancel: CancelToken) -> int:
    """Print what a model and a context take on a machine; the exit code says whether that fits."""
    profile = load_profile(options.profile)
    geometry = find_geometry(options.model or profile.recommended_model, models_dir(options.cache_dir))
    machine = profile.machine or probe_machine(options.cache_dir or cache_dir())
    result = make_plan(machine, geometry, request_of(options, profile, geometry))
    console.finish(plan_text(result, geometry), plan_fields(result, geometry, profile))
    return 0 if result.fits else DoesNotFitError.exit_code


def check(options: argparse.Namespace, console: Console, _cancel: CancelToken) -> None:
    """Print what could be set up better for a plan on this machine, with the command that mends it."""
    profile = load_profile(options.profile)
    geometry = find_geometry(options.model or profile.recommended_model, models_dir(options.cache_dir))
    folder = options.cache_dir or cache_dir()
    machine = probe_machine(folder)
    request = request_of(options, profile, geometry)
    if not machine.gpus:
        request = replace(request, gpu_ids=(), quantization="none")
    request = replace(request, gpu_ids=tuple(i for i in request.gpu_ids if i < len(machine.gpus)))
    result = make_plan(machine, geometry, request)
    engine = profile.engine
    needs = needs_of(result, machine, engine.cpu_memory_strategy, engine.cpu_memory_policy)
    findings = check_system(probe_system(folder), needs)
    for finding in findings:
        console.record("finding", _finding_text(finding), asdict(finding))
    counts = {
        severity.value: sum(finding.severity is severity for finding in findings) for severity in Severity
    }
    console.finish(
        f"Looked at with {result.model} and {result.request.context:,} tokens in mind. Nothing was changed.",
        {"findings": [asdict(finding) for finding in findings], "counts": counts, "model": result.model},
    )


def _finding_text(finding: Finding) -> str:
    lines = [f"{finding.severity.value.upper():<8} {finding.name}: {finding.what}"]
    lines += [f"         {finding.why}"] if finding.why else []
    lines += [f"         $ {finding.command}"] if finding.command else []
    return "\n".join(lines)


def require_room(settings: EngineSettings, num_tokens: int, console: Console, *, is_forced: bool) -> None:
    """Ask the planner before a model is loaded. Raises `ModelTooLargeError` with numbers and offers.

    Where the planner does not know the model, or is overruled, it only says what it thinks. What it cannot
    plan at all is the engine's to judge.
    """
    try:
        geometry = find_geometry(settings.model, models_dir(settings.cache_root))
        machine = without_own(probe_machine(settings.cache_root or cache_dir()), own_ram_bytes())
        plan = plan_loading(machine, geometry, settings, num_tokens)
    except LecternError:
        return
    short = memory_shortfalls(plan)
    if not short:
        return
    figures = " ".join(_shortfall_text(found, plan) for found in short)
    words = f"{plan.model} with {plan.request.context:,} tokens or more. {figures}"
    if is_stopped(plan) and not is_forced:
        offers = " ".join([*plan.advice, "--force loads it anyway."])
        raise ModelTooLargeError("The model does not fit this machine", f"{words} {offers}")
    console.note(f"The model may not fit this machine: {words}")


def request_of(options: argparse.Namespace, profile: Profile, geometry: ModelGeometry) -> PlanRequest:
    """The profile's choices, those of the command line before them. Raises `UsageError`."""
    engine = profile.engine
    chosen = PlanRequest(
        context=1,
        num_documents=options.documents,
        quantization=_first(options.quantization, engine.quantization),
        codec=_first(options.kv_compression, engine.kv_compression),
        kv_dtype=_first(options.kv_dtype, engine.kv_dtype),
        cache_device=_first(options.kv_cache_device, engine.kv_cache_device),
        mode=options.mode,
        hot_budget_bytes=_first(options.kv_hot_budget, engine.kv_hot_budget),
        active_window=_first(options.kv_active_window, engine.kv_active_window),
        prefill_chunk=engine.prefill_chunk,
        expert_budget_bytes=options.expert_budget,
        rope_scaling=options.rope_scaling,
        sharding=_first(options.kv_sharding_strategy, engine.kv_sharding_strategy),
        gpu_ids=_first(options.gpu_ids, engine.gpu_ids),
    )
    wanted = _first(options.context, None if options.model else profile.recommended_context)
    return replace(chosen, context=_first(wanted, context_limit(geometry, chosen) or 8192))


def plan_fields(plan: Plan, geometry: ModelGeometry, profile: Profile) -> dict[str, Any]:
    """The plan for scripts."""
    estimate = plan.assessment.estimate
    return {
        "model": plan.model,
        "profile": profile.name,
        "context": plan.request.context,
        "kv_bytes_per_token": plan.kv_bytes_per_token,
        "places": plan.places,
        "fits": plan.fits,
        "over": [{**asdict(short), "over": short.over} for short in plan.assessment.shortfalls],
        "max_context": plan.max_context,
        "advice": list(plan.advice),
        "engine": plan.reach.engine.value,
        "geometry": _geometry_fields(geometry),
        "settings": _settings_fields(plan.request),
        "estimates": {
            "is_estimate": True,
            "prefill_s": round(estimate.prefill_s, 3),
            "s_per_token": round(estimate.per_token_s, 5),
            "copy_s": round(estimate.copy_s, 5),
            "decode_kv_s": round(estimate.decode_kv_s, 5),
            "read_kv_s": round(estimate.read_kv_s, 5),
            "weights_s": round(estimate.weights_s, 5),
        },
    }


def plan_text(plan: Plan, geometry: ModelGeometry) -> str:
    """The plan for people: a table of what lies where, then the verdict and what would help."""
    documents = plan.request.num_documents
    times = f" × {documents}" if documents > 1 else ""
    lines = [
        f"{plan.model}, {plan.request.context:,} tokens{times}, {plan.machine}",
        f"{_layers_text(geometry)}; {format_size(plan.kv_bytes_per_token)} of KV a token, uncompressed",
        "",
    ]
    for place, items in plan.places.items():
        if any(items.values()):
            lines += _table(_PLACE_WORDS[place], items)
    if plan.reach.engine is Engine.UNKNOWN:
        lines.append("Whether the engine can run this model is found out when it is opened.")
    lines += ["Fits." if plan.fits else "Does not fit:"]
    lines += [f"  {_shortfall_text(short, plan)}" for short in plan.assessment.shortfalls]
    lines.append(f"Largest context: {plan.max_context:,} tokens.")
    estimate = plan.assessment.estimate
    lines.append(
        f"Estimated: {format_duration(estimate.prefill_s)} to read all of it, "
        f"{_seconds(estimate.per_token_s)} for each word part of an answer at that length."
    )
    return "\n".join([*lines, *(f"- {advice}" for advice in plan.advice)])


def _table(heading: str, items: dict[str, int]) -> list[str]:
    rows = [(item, size) for item, size in items.items() if size]
    total = sum(size for _, size in rows)
    return [
        f"{heading:<28}{format_size(total):>12}",
        *(f"  {item:<26}{format_size(size):>12}" for item, size in rows),
        "",
    ]


def _shortfall_text(short: Shortfall, plan: Plan) -> str:
    if short.place == "engine":
        return f"The engine cannot run this model: {plan.reach.reason}."
    if short.place == "context":
        return f"The model reads {short.usable:,} tokens; {short.needed:,} were asked for."
    place = _PLACE_WORDS[short.place] + (f" of {short.device}" if short.device else "")
    return (
        f"{place}: {format_size(short.over)} too much ({format_size(short.needed)} needed, "
        f"{format_size(short.usable)} usable)."
    )


def _layers_text(geometry: ModelGeometry) -> str:
    parts = [f"{len(geometry.growing_layers)} of {len(geometry.layers)} layers grow ({geometry.attention})"]
    for kind in LayerKind:
        count = geometry.num_layers(kind)
        if count and kind is not LayerKind.FULL:
            parts.append(f"{count} {kind.value.replace('_', ' ')}")
    return ", ".join(parts)


def _geometry_fields(geometry: ModelGeometry) -> dict[str, Any]:
    return {
        "model_type": geometry.model_type,
        "attention": geometry.attention,
        "num_layers": len(geometry.layers),
        "layers": {kind.value: count for kind in LayerKind if (count := geometry.num_layers(kind))},
        "num_moe_layers": sum(layer.is_moe for layer in geometry.layers),
        "num_parameters": geometry.parameters.total,
        "native_context": geometry.native_context,
        "rope_scaling": geometry.rope.kind if geometry.rope else None,
    }


def _settings_fields(request: PlanRequest) -> dict[str, Any]:
    fields = asdict(request)
    fields["rope_scaling"] = str(request.rope_scaling) if request.rope_scaling else None
    return fields


def _seconds(seconds: float) -> str:
    return f"{seconds * 1000:.0f} ms" if seconds < 1 else f"{seconds:.1f} s"


def _first(*values: Any) -> Any:
    """The first that is not None; None if all are."""
    return next((value for value in values if value is not None), None)
