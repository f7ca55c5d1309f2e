"""The catalogue's models with what each can do on a machine: how long, how fast. All of it is estimated."""

from dataclasses import dataclass, replace
from typing import Any

from core.catalogue.bundled import CatalogueEntry
from core.planning.assessment import assess
from core.planning.geometry import ModelGeometry
from core.planning.loading import memory_shortfalls, plan_loading
from core.planning.machine import Machine
from core.planning.models import geometry_of
from core.planning.planner import Plan
from core.planning.profile_settings import settings_of
from core.planning.profiles import Profile
from core.planning.reach import Engine
from core.planning.request import PlanRequest
from core.planning.weights import weight_sizes
from core.settings import QUANTIZATIONS, EngineSettings
from core.units import format_duration, format_size

READING_TOKENS = 180_000
"""The length of a long document, for which times are told."""


@dataclass(frozen=True)
class Speed:
    """Seconds for reading `num_tokens` and for one token of an answer after them, by mode; estimated."""

    num_tokens: int
    prefill_s: float
    exact_token_s: float
    sparse_token_s: float


@dataclass(frozen=True)
class CataloguePlan:
    """What one model of the catalogue does on a machine.

    `download_bytes` is counted from the parameters in the type they are published in. `plan` asks for the
    native context in exact mode; `speed` is for what fits of it, at most `READING_TOKENS`, None if nothing
    does.
    """

    entry: CatalogueEntry
    native_context: int
    download_bytes: int
    plan: Plan
    speed: Speed | None
    num_parameters: int
    stored_quantization: str | None

    @property
    def quantizations(self) -> tuple[str, ...]:
        """What `--quantization` can be for it: weights that come in few bits stay as they are."""
        return QUANTIZATIONS if self.stored_quantization is None else QUANTIZATIONS[:1]

    @property
    def can_run(self) -> bool:
        return self.speed is not None

    @property
    def text(self) -> str:
        """One line for people."""
        if self.plan.reach.engine is Engine.UNSUPPORTED:
            return f"the engine cannot run it: {self.plan.reach.reason}"
        if self.speed is None:
            return _does_not_fit(self.plan)
        longest = self.plan.max_context
        fits = f"fits at {longest:,} tokens" if self.plan.fits else f"fits up to {longest:,} tokens"
        return (
            f"{fits}, about {_about(self.speed.prefill_s)} to read {self.speed.num_tokens:,} tokens, about "
            f"{_rate(self.speed.exact_token_s)} tok/s exact, {_rate(self.speed.sparse_token_s)} tok/s sparse"
        )

    @property
    def fields(self) -> dict[str, Any]:
        """The same for scripts."""
        speed = self.speed
        return {
            "name": self.entry.name,
            "title": self.entry.title,
            "hub_id": self.entry.hub_id,
            "licence": self.entry.licence,
            "native_context": self.native_context,
            "num_parameters": self.num_parameters,
            "stored_quantization": self.stored_quantization,
            "quantizations": list(self.quantizations),
            "fits": self.plan.fits,
            "max_context": self.plan.max_context if self.can_run else 0,
            "engine": self.plan.reach.engine.value,
            "advice": list(self.plan.advice),
            "estimates": {
                "is_estimate": True,
                "download_bytes": self.download_bytes,
                "tokens": speed.num_tokens if speed else None,
                "prefill_s": round(speed.prefill_s, 3) if speed else None,
                "exact_s_per_token": round(speed.exact_token_s, 5) if speed else None,
                "sparse_s_per_token": round(speed.sparse_token_s, 5) if speed else None,
            },
        }


def plan_entry(entry: CatalogueEntry, machine: Machine, profile: Profile) -> CataloguePlan:
    """What the choices of `profile` give on `machine`. Raises `ModelError`, `UsageError`."""
    geometry = geometry_of(entry)
    settings: EngineSettings = settings_of(profile, {}, len(machine.gpus))
    plan = plan_loading(machine, geometry, settings, keeps_on_disk=True)
    is_runnable = plan.max_context > 0 and plan.reach.engine is not Engine.UNSUPPORTED
    return CataloguePlan(
        entry=entry,
        native_context=geometry.native_context,
        download_bytes=weight_sizes(geometry, PlanRequest(context=1), has_gpu=True).device_bytes,
        plan=plan,
        speed=_speed(machine, geometry, plan) if is_runnable else None,
        num_parameters=geometry.parameters.total,
        stored_quantization=geometry.stored_quantization,
    )


def _speed(machine: Machine, geometry: ModelGeometry, plan: Plan) -> Speed:
    num_tokens = min(READING_TOKENS, plan.max_context)
    request = replace(plan.request, context=num_tokens)
    exact, sparse = (
        assess(machine, geometry, replace(request, mode=mode)).estimate for mode in ("exact", "sparse")
    )
    return Speed(num_tokens, exact.prefill_s, exact.per_token_s, sparse.per_token_s)


def _does_not_fit(plan: Plan) -> str:
    words = "does not fit"
    short = memory_shortfalls(plan)
    if short:
        place = "GPU memory" if short[0].place == "vram" else "memory"
        words += f": {format_size(short[0].over)} of {place} too much"
    return f"{words}. {plan.changes[0].words}." if plan.changes else words


def _about(seconds: float) -> str:
    """To the minute, from one minute on."""
    if seconds < 60:
        return f"{max(1, round(seconds))} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 60 else format_duration(minutes * 60)


def _rate(token_s: float) -> str:
    rate = 1 / token_s if token_s > 0 else 0.0
    return f"{rate:.0f}" if rate >= 10 else f"{rate:.1f}"
