"""Parts of an answer as JSON text, which is read for ever: fields are added, never renamed."""

import json
from collections.abc import Sequence
from dataclasses import asdict, fields
from typing import Any

from core.documents.citations import Citation
from core.documents.layout import BBox
from core.documents.passages import ClosestPassage
from core.documents.quote_index import PageRect
from core.events import CacheOutcome, EvidencePage, Metrics


def citations_to_json(citations: Sequence[Citation]) -> str:
    return _dump([asdict(citation) for citation in citations])


def citations_from_json(text: str) -> tuple[Citation, ...]:
    """Citations that cannot be understood are left out."""
    values = _load(text)
    found = (_citation(value) for value in values) if isinstance(values, list) else ()
    return tuple(citation for citation in found if citation is not None)


def passage_to_json(passage: ClosestPassage | None) -> str:
    return _dump(None if passage is None else asdict(passage))


def passage_from_json(text: str) -> ClosestPassage | None:
    """None if there is none or if it cannot be understood."""
    value = _load(text)
    try:
        return ClosestPassage(
            document=str(value["document"]),
            page_index=int(value["page_index"]),
            page_label=str(value["page_label"]),
            text=str(value["text"]),
            score=float(value["score"]),
            rects=_rects(value["rects"]),
        )
    except (LookupError, TypeError, ValueError):
        return None


def evidence_to_json(evidence: Sequence[EvidencePage]) -> str:
    return _dump([asdict(page) for page in evidence])


def evidence_from_json(text: str) -> tuple[EvidencePage, ...]:
    """Pages that cannot be understood are left out."""
    values = _load(text)
    found = (_evidence_page(value) for value in values) if isinstance(values, list) else ()
    return tuple(page for page in found if page is not None)


def warnings_to_json(warnings: Sequence[str]) -> str:
    return _dump(list(warnings))


def warnings_from_json(text: str) -> tuple[str, ...]:
    values = _load(text)
    return tuple(map(str, values)) if isinstance(values, list) else ()


def metrics_to_json(metrics: Metrics | None) -> str:
    return _dump(None if metrics is None else asdict(metrics))


def metrics_from_json(text: str) -> Metrics | None:
    """None if there are none or if figures are missing that a newer program wants."""
    value = _load(text)
    try:
        known = {field.name: value[field.name] for field in fields(Metrics) if field.name in value}
        return Metrics(**{**known, "cache": CacheOutcome(known["cache"])})
    except (LookupError, TypeError, ValueError):
        return None


def token_ids_to_json(token_ids: Sequence[int]) -> str:
    return _dump(list(token_ids))


def token_ids_from_json(text: str) -> tuple[int, ...]:
    """None of them if one cannot be understood: a part of an answer is another answer."""
    values = _load(text)
    is_whole = isinstance(values, list) and all(isinstance(value, int) and value >= 0 for value in values)
    return tuple(values) if is_whole else ()


def _citation(value: Any) -> Citation | None:
    try:
        return Citation(
            document=str(value["document"]),
            page_index=int(value["page_index"]),
            page_label=str(value["page_label"]),
            quote=str(value["quote"]),
            verified=bool(value["verified"]),
            score=float(value["score"]),
            rects=_rects(value["rects"]),
            start=int(value["start"]),
            end=int(value["end"]),
        )
    except (LookupError, TypeError, ValueError):
        return None


def _evidence_page(value: Any) -> EvidencePage | None:
    try:
        page = EvidencePage(
            document=str(value["document"]),
            page_index=int(value["page_index"]),
            mass=float(value["mass"]),
            page_label=str(value["page_label"]),
            passage=str(value["passage"]),
            start=int(value["start"]),
            end=int(value["end"]),
            rects=_rects(value["rects"]),
        )
    except (LookupError, TypeError, ValueError):
        return None
    return page if page.page_index >= 0 and 0 < page.mass <= 1 else None


def _rects(values: Any) -> tuple[PageRect, ...]:
    return tuple(PageRect(int(value["page_index"]), _bbox(value["bbox"])) for value in values)


def _bbox(value: Any) -> BBox:
    return BBox(*(float(value[name]) for name in ("x0", "y0", "x1", "y1")))


def _dump(value: Any) -> str:
    """ASCII, so that half a surrogate pair that a model wrote can be stored too."""
    return json.dumps(value, separators=(",", ":"))


def _load(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return None
