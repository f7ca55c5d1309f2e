"""Every text that `core` can say to a user of the window, with `{names}` in place of what varies.

A test compares them with the source of `core`. The first argument of QT_TRANSLATE_NOOP is the context of the
translation; lupdate needs it spelled out.
"""

from app.core_templates.answers import ANSWERS
from app.core_templates.cache import CACHE
from app.core_templates.documents import DOCUMENTS
from app.core_templates.downloads import DOWNLOADS
from app.core_templates.findings import FINDINGS
from app.core_templates.library import LIBRARY
from app.core_templates.limits import LIMITS
from app.core_templates.models import MODELS
from app.core_templates.plans import PLANS
from app.core_templates.program import PROGRAM
from app.core_templates.reviews import REVIEWS
from app.core_templates.reworded import REWORDED_PAIRS

UNEXPECTED_TITLE = "Something went wrong in Lectern"
UNEXPECTED_MESSAGE = "The step was not finished; your document is unchanged. The details are in the log file."

PARTS = frozenset({"by_hand", "extra", "fallback", "hint", "memory", "others", "reason", "what", "where"})
"""The names whose values are texts of `core` themselves."""

TEMPLATES = tuple(
    str(text)
    for text in (
        *PROGRAM,
        *DOCUMENTS,
        *ANSWERS,
        *MODELS,
        *CACHE,
        *DOWNLOADS,
        *LIMITS,
        *PLANS,
        *FINDINGS,
        *LIBRARY,
        *REVIEWS,
    )
)

REWORDED = {said: str(words) for said, words in REWORDED_PAIRS}
"""What is said otherwise in a window, which has no options to type."""
