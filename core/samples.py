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
    return all_samples(folder)[0]


def all_samples(folder: Path = SAMPLES_DIR) -> tuple[Sample, ...]:
    """Every bundled sample; `DocumentError` if there is none or a file is missing."""
    index_path = folder / "samples.json"
    try:
        entries = json.loads(index_path.read_text(encoding="utf-8"))["samples"]
        samples = tuple(_parse(folder, entry) for entry in [entries[0], *entries[1:]])
    except (OSError, ValueError, LookupError, TypeError) as error:
        raise DocumentError(
            "No sample document",
            f"{index_path} cannot be read ({error}). Reinstall Lectern, or name a document.",
        ) from error
    missing = [sample.path for sample in samples if not sample.path.is_file()]
    if missing:
        raise DocumentError(
            "No sample document", f"{missing[0]} is missing. Reinstall Lectern, or name a document."
        )
    return samples


def _parse(folder: Path, entry: Any) -> Sample:
    questions = tuple(
        SampleQuestion(text=item["question"], expected=item["expected"], page_index=int(item["page_index"]))
        for item in entry["questions"]
    )
    return Sample(path=folder / entry["file"], title=entry["title"], questions=questions)
