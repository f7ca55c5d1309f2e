"""Changes that would make a model fit, in the window's words, and the choices that make them."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from PySide6.QtCore import QCoreApplication

from app.preferences import MemoryChoices
from core.planning.advice import Change
from core.planning.planner import Plan
from core.planning.request import PlanRequest
from core.units import format_size


@dataclass(frozen=True)
class Offer:
    """`memory` are the choices that it stands for, None if it cannot be chosen in the window."""

    words: str
    memory: MemoryChoices | None = None


def offers_of(plan: Plan, memory: MemoryChoices) -> list[Offer]:
    """What would make `plan` fit, nearest first; `memory` is what is chosen now."""
    found = [_offer(change, plan.request, memory) for change in plan.changes]
    offers = [offer for offer in found if offer is not None]
    if not plan.fits and plan.max_context:
        words = QCoreApplication.translate("Offers", "Up to {count} tokens fit as things are.")
        offers.append(Offer(words.format(count=f"{plan.max_context:,}")))
    return offers


def _offer(change: Change, before: PlanRequest, memory: MemoryChoices) -> Offer | None:
    after = change.request
    parts, others = list(_simple_parts(before, after)), list(_other_parts(before, after))
    if others:
        return Offer(others[0]) if len(others) == 1 and not parts else None
    if not parts:
        return None
    chosen = replace(memory, codec=after.codec if after.codec != before.codec else memory.codec)
    chosen = replace(chosen, mode=after.mode)
    if _lowers_budget(before, after):
        chosen = replace(chosen, hot_budget_bytes=after.hot_budget_bytes, active_window=0)
    joint = QCoreApplication.translate("Offers", " and ", "between two changes")
    return Offer(joint.join(parts), chosen)


def _lowers_budget(before: PlanRequest, after: PlanRequest) -> bool:
    return after.hot_budget_bytes is not None and after.hot_budget_bytes < (before.hot_budget_bytes or 0)


def _simple_parts(before: PlanRequest, after: PlanRequest) -> Iterator[str]:
    if after.codec != before.codec:
        yield QCoreApplication.translate("Offers", "Store the cache in {codec}").format(codec=after.codec)
    if _lowers_budget(before, after):
        yield QCoreApplication.translate("Offers", "Lower the hot budget to {size}").format(
            size=format_size(after.hot_budget_bytes or 0)
        )
    if after.mode != before.mode:
        yield QCoreApplication.translate("Offers", "Read everything for each word part (exact mode)")


def _other_parts(before: PlanRequest, after: PlanRequest) -> Iterator[str]:
    """What a profile or the command line can do and these settings cannot."""
    if after.quantization != before.quantization:
        words = QCoreApplication.translate(
            "Offers", "A profile that quantises the weights to {name} would fit."
        )
        yield words.format(name=after.quantization)
    if after.expert_budget_bytes != before.expert_budget_bytes:
        yield QCoreApplication.translate(
            "Offers", "Asked on the command line, it can keep its experts in host memory."
        )
    if after.prefill_chunk != before.prefill_chunk:
        words = QCoreApplication.translate(
            "Offers", "A profile that reads in chunks of {count} tokens would fit."
        )
        yield words.format(count=f"{after.prefill_chunk:,}")
    if after.sharding != before.sharding:
        yield QCoreApplication.translate(
            "Offers", "A profile that spreads the layers over all GPUs would fit."
        )
