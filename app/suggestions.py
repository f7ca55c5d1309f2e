"""Questions to begin with."""

from collections.abc import Sequence
from pathlib import Path

from core.documents.layout import Document
from core.errors import LecternError
from core.samples import default_sample

_NUM_SUGGESTIONS = 3


def suggestions_for(documents: Sequence[Document]) -> tuple[str, ...]:
    """Known for the sample only."""
    try:
        sample = default_sample()
    except LecternError:
        return ()
    if len(documents) != 1 or Path(documents[0].path) != sample.path:
        return ()
    return tuple(question.text for question in sample.questions[:_NUM_SUGGESTIONS])
