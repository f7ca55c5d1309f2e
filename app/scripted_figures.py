"""The figures of the scripted engine."""

from collections.abc import Mapping, Sequence

from core.documents.attended import attended_passage
from core.documents.layout import Document
from core.documents.sizes import DocumentSizes
from core.events import CacheOutcome, EvidencePage, Metrics, PartProgress, Progress, Stage

CONTEXT = 8192
AROUND_TOKENS = 128
BYTES_PER_TOKEN = 23_040
HOT_TOKENS = 1024
STEPS_A_PART = 8
_PART_TOKENS, _NOTES_TOKENS = 6144, 256
_PASSAGE_CHARACTERS = 130


def sizes_of(
    documents: Sequence[Document], num_tokens: int, limit: int, stretch: int | None, memory_bytes: int
) -> DocumentSizes:
    """All documents are `num_tokens` together, equally many on each page with text."""
    num_pages = sum(page.has_text for document in documents for page in document.pages)
    each = num_tokens // max(1, num_pages)
    return DocumentSizes(
        model="starter",
        page_tokens=tuple(tuple(each * page.has_text for page in one.pages) for one in documents),
        heading_tokens=(0,) * len(documents),
        around_tokens=AROUND_TOKENS,
        limit=limit,
        context_length=CONTEXT,
        stretch=stretch,
        section_budget=CONTEXT - 4 * AROUND_TOKENS,
        num_sections=num_pages,
        kv_bytes_per_token=BYTES_PER_TOKEN,
        memory_bytes=memory_bytes,
    )


def evidence_of(document: Document, shares: Mapping[int, float]) -> tuple[EvidencePage, ...]:
    """What stands in the middle of each of these pages is what was looked at."""
    found = []
    for page_index, mass in shares.items():
        page = document.pages[page_index]
        middle = len(page.text) // 2
        passage = attended_passage(page, middle, middle + _PASSAGE_CHARACTERS)
        assert passage is not None, "a page with text is looked at"
        found.append(
            EvidencePage(
                *(document.name, page_index, mass, page.label),
                *(passage.text, passage.start, passage.end, passage.rects),
            )
        )
    return tuple(found)


def part_progress(step: int, num_parts: int) -> Progress:
    """The state of a summary in parts after so many steps, of which each part has `STEPS_A_PART`."""
    done, within = divmod(step, STEPS_A_PART)
    num_reading = STEPS_A_PART // 2
    left_s = 4.0 * (num_parts * STEPS_A_PART - step) if done else None
    part = None
    if 0 < within <= num_reading:
        read = within * _PART_TOKENS // num_reading
        part = PartProgress(read, _PART_TOKENS, False, within / STEPS_A_PART, rate=410.0)
    elif within:
        written = (within - num_reading) * _NOTES_TOKENS // num_reading
        part = PartProgress(written, _NOTES_TOKENS, True, within / STEPS_A_PART)
    return Progress(Stage.READING_TOKENS, done, num_parts, "parts", eta_s=left_s, part=part)


def metrics_of(num_read: int, num_tokens: int, elapsed_s: float) -> Metrics:
    cold_bytes = max(0, num_read - HOT_TOKENS) * BYTES_PER_TOKEN
    return Metrics(
        prompt_tokens=num_read + 16,
        new_tokens=num_tokens,
        prefill_tokens=0,
        prefill_tokens_per_s=None,
        ttft_s=elapsed_s / max(1, num_tokens),
        tokens_per_s=num_tokens / elapsed_s,
        hot_bytes_peak=HOT_TOKENS * BYTES_PER_TOKEN,
        cold_bytes=cold_bytes,
        disk_bytes=0,
        host_to_device_bytes_per_token=float(cold_bytes),
        device_to_host_bytes_per_token=float(BYTES_PER_TOKEN),
        cache=CacheOutcome.HIT,
    )
