"""The bundled sample document and the questions whose answers stand in it."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from core.errors import DocumentError
from core.paths import RESOURCES_DIR

SAMPLES_DIR = RESOURCES_DIR / "samples"


@dataclass(frozen=True)
class SampleQuestion:
    """`expected` stands in the text of page `page_index`, line breaks aside."""

    text: str
    expected: str
    page_index: int


@dataclass(frozen=True)
class Sample:
    path: Path
    title: str
    questions: tuple[SampleQuestion, ...]


def default_sample(folder: Path = SAMPLES_DIR) -> Sample:
    """The sample that is opened when no document is named; `DocumentError` if it is not there."""
    index_path = folder / "samples.json"
    try:
        entry = json.loads(index_path.read_text(encoding="utf-8"))["samples"][0]
        sample = _parse(folder, entry)
    except (OSError, ValueError, LookupError, TypeError) as error:
        raise DocumentError(
            "No sample document",
            f"{index_path} cannot be read ({error}). Reinstall Lectern, or name a document.",
        ) from error
    if not sample.path.is_file():
        raise DocumentError(
            "No sample document", f"{sample.path} is missing. Reinstall Lectern, or name a document."
        )
    return sample


def _parse(folder: Path, entry: Any) -> Sample:
    questions = tuple(
        SampleQuestion(text=item["question"], expected=item["expected"], page_index=int(item["page_index"]))
        for item in entry["questions"]
    )
    return Sample(path=folder / entry["file"], title=entry["title"], questions=questions)
