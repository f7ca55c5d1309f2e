"""What a model of the catalogue is and does, in the window's language."""

from PySide6.QtCore import QCoreApplication

from app.core_texts import translated
from app.fit_view.words import duration_words
from app.model_list.model_item import ModelItem
from core.planning.catalogue import CataloguePlan, Speed
from core.planning.loading import memory_shortfalls
from core.planning.planner import Plan
from core.planning.reach import Engine
from core.units import format_size


def title_words(item: ModelItem) -> str:
    if item.is_starter:
        return QCoreApplication.translate("ModelWords", "Starter ({title})").format(title=item.entry.title)
    return item.entry.title


def fact_words(item: ModelItem) -> str:
    """Licence, size and length."""
    words = QCoreApplication.translate("ModelWords", "{licence} · {size} · reads up to {count} tokens")
    return words.format(
        licence=item.entry.licence,
        size=format_size(item.size_bytes),
        count=f"{item.plan.native_context:,}",
    )


def gate_words() -> str:
    return QCoreApplication.translate(
        "ModelWords",
        "Its publisher wants to be asked first: accept the terms on the model's page and set HF_TOKEN.",
    )


def plan_words(planned: CataloguePlan) -> str:
    """What the model does on the machine that it is planned for; times and rates are estimated."""
    plan = planned.plan
    if plan.reach.engine is Engine.UNSUPPORTED:
        words = QCoreApplication.translate("ModelWords", "The engine cannot run it: {reason}")
        return words.format(reason=translated(plan.reach.reason))
    if planned.speed is None:
        return _shortfall_words(plan)
    fits = (
        QCoreApplication.translate("ModelWords", "Fits with all {count} tokens")
        if plan.fits
        else QCoreApplication.translate("ModelWords", "Fits with up to {count} tokens")
    )
    return " · ".join([fits.format(count=f"{plan.max_context:,}"), *_speed_words(planned.speed)])


def _speed_words(speed: Speed) -> list[str]:
    reading = QCoreApplication.translate("ModelWords", "about {time} to read {count} tokens")
    answering = QCoreApplication.translate("ModelWords", "about {exact} tokens/s exact, {sparse} sparse")
    return [
        reading.format(time=duration_words(speed.prefill_s), count=f"{speed.num_tokens:,}"),
        answering.format(exact=_rate(speed.exact_token_s), sparse=_rate(speed.sparse_token_s)),
    ]


def _shortfall_words(plan: Plan) -> str:
    short = memory_shortfalls(plan)
    if not short:
        return QCoreApplication.translate("ModelWords", "Does not fit this computer")
    words = (
        QCoreApplication.translate("ModelWords", "Does not fit: {size} of GPU memory are missing")
        if short[0].place == "vram"
        else QCoreApplication.translate("ModelWords", "Does not fit: {size} of memory are missing")
    )
    return words.format(size=format_size(short[0].over))


def _rate(token_s: float) -> str:
    rate = 1 / token_s if token_s > 0 else 0.0
    return f"{rate:.0f}" if rate >= 10 else f"{rate:.1f}"
