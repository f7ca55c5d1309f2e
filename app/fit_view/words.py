"""What plans and choices are called in the window."""

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QCoreApplication

from app.fit_view.memory_bar import Segment

_GROUPS: Mapping[str, Sequence[str]] = {
    "weights": ("weights",),
    "cold": ("cold KV", "slab rounding (at most)"),
    "hot": ("hot KV", "sparse digests", "chosen KV", "windows and states"),
    "work": ("unsealed KV", "prefill workspace", "staging slots", "questions at once"),
    "program": ("program", "CUDA context", "allocator"),
    "experts": ("experts",),
}
"""The parts that are drawn, each with the items of a plan that it sums up."""


def segments_of(items: Mapping[str, int]) -> list[Segment]:
    """A plan's items as parts of a bar; together they are all of its bytes."""
    names = _group_names()
    sizes = {group: sum(items.get(item, 0) for item in members) for group, members in _GROUPS.items()}
    rest = sum(items.values()) - sum(sizes.values())
    found = [Segment(names[group], size, place) for place, (group, size) in enumerate(sizes.items()) if size]
    return [*found, Segment(names["rest"], rest, len(_GROUPS))] if rest else found


def _group_names() -> dict[str, str]:
    return {
        "weights": QCoreApplication.translate("PlanWords", "Weights"),
        "cold": QCoreApplication.translate("PlanWords", "Cache"),
        "hot": QCoreApplication.translate("PlanWords", "Hot window"),
        "work": QCoreApplication.translate("PlanWords", "Work space"),
        "program": QCoreApplication.translate("PlanWords", "Program"),
        "experts": QCoreApplication.translate("PlanWords", "Experts"),
        "rest": QCoreApplication.translate("PlanWords", "Other"),
    }


def codec_names() -> dict[str, str]:
    return {
        "none": QCoreApplication.translate("PlanWords", "none (16 bits)"),
        "int8": QCoreApplication.translate("PlanWords", "int8 (8 bits)"),
        "k8v4": QCoreApplication.translate("PlanWords", "k8v4 (keys 8, values 4 bits)"),
        "int4": QCoreApplication.translate("PlanWords", "int4 (4 bits)"),
    }


def mode_names() -> dict[str, str]:
    return {
        "exact": QCoreApplication.translate("PlanWords", "exact"),
        "sparse": QCoreApplication.translate("PlanWords", "sparse"),
        "window": QCoreApplication.translate("PlanWords", "window"),
    }


def mode_sentence(mode: str) -> str:
    """What a mode does, for somebody who hears of it for the first time."""
    sentences = {
        "exact": QCoreApplication.translate(
            "PlanWords", "Each word of an answer looks at the whole text. Nothing is left out."
        ),
        "sparse": QCoreApplication.translate(
            "PlanWords",
            "The whole text is read; each word of an answer looks at the parts that seem to matter most. "
            "Faster with long documents, and the answer says that it was made so.",
        ),
        "window": QCoreApplication.translate(
            "PlanWords",
            "Only the beginning and the newest part of the text are in view. Fastest; what stands between "
            "is not seen.",
        ),
    }
    return sentences[mode]


def per_token_words(seconds: float) -> str:
    if seconds < 1:
        return QCoreApplication.translate("PlanWords", "{count} ms").format(count=f"{seconds * 1000:.0f}")
    return QCoreApplication.translate("PlanWords", "{count} s").format(count=f"{seconds:.1f}")


def duration_words(seconds: float) -> str:
    """A length of time in the window's language: `8 s`, `12 min`, `1 h 05 min`."""
    whole = max(1, round(seconds))
    if whole < 60:
        return QCoreApplication.translate("PlanWords", "{count} s").format(count=whole)
    minutes = round(whole / 60)
    if minutes < 60:
        return QCoreApplication.translate("PlanWords", "{count} min").format(count=minutes)
    words = QCoreApplication.translate("PlanWords", "{hours} h {minutes} min")
    return words.format(hours=minutes // 60, minutes=f"{minutes % 60:02d}")
