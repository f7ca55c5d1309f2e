"""Finds what a PDF carries beside its pages: attachments, scripts, forms that only another program can show.

Imported inside the worker process only.
"""

import re
from typing import Any

from core.documents.file_names import shown_name
from core.documents.layers import has_layers_off
from core.documents.messages import PdfFacts
from core.documents.own_glyphs import may_show_nothing
from core.documents.pdf_strings import LITERAL, string_text

_MAX_OBJECTS = 200_000
_CLEAR = re.compile(r"/(?:ca|CA) ?(?:(?:0|0?\.0\d*)(?=[\s/>])|\d+ \d+ R)")
_ACTION = re.compile(r"/S ?/(JavaScript|Launch|ImportData|SubmitForm|Rendition|GoToE)\b|/JS ?[(<\d]")
_FILE = re.compile(r"/EF ?<<|/EF \d")
_FILE_NAMES = (re.compile(rf"/UF ?({LITERAL})", re.DOTALL), re.compile(rf"/F ?({LITERAL})", re.DOTALL))
_MAX_NAME_LENGTH = 80


def facts_of(pdf: Any) -> PdfFacts:
    """Looks at every object of an open PDF once; a file with absurdly many counts as suspicious."""
    num_objects = int(pdf.xref_length())
    attachments: list[str] = []
    has_actions, may_be_clear = False, num_objects > _MAX_OBJECTS
    for xref in range(1, min(num_objects, _MAX_OBJECTS)):
        try:
            source = str(pdf.xref_object(xref, compressed=True))
        except Exception:  # noqa: BLE001 - a broken object can raise anything and holds no facts
            continue
        has_actions = has_actions or bool(_ACTION.search(source))
        may_be_clear = may_be_clear or bool(_CLEAR.search(source))
        if not may_be_clear and "/Type3" in source:
            may_be_clear = may_show_nothing(pdf, source)
        attachments += _file_names(source)
    return PdfFacts(tuple(attachments), has_actions, may_be_clear, _is_xfa(pdf), has_layers_off(pdf))


def _file_names(source: str) -> list[str]:
    """The names of the files that an object of the PDF embeds."""
    count = len(_FILE.findall(source))
    if not count:
        return []
    found = next((names for names in (p.findall(source) for p in _FILE_NAMES) if len(names) >= count), [])
    names = [shown_name(string_text(literal))[:_MAX_NAME_LENGTH] for literal in found[:count]]
    return names + ["?"] * (count - len(names))


def _is_xfa(pdf: Any) -> bool:
    try:
        return str(pdf.xref_get_key(pdf.pdf_catalog(), "AcroForm/XFA")[0]) not in ("null", "undefined")
    except Exception:  # noqa: BLE001 - a broken catalogue can raise anything; then there is no form either
        return False
