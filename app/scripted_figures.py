"""The figures of the scripted engine."""

from collections.abc import Sequence

from core.documents.layout import Document
from core.documents.sizes import DocumentSizes
from core.events import CacheOutcome, Metrics

CONTEXT = 8192
AROUND_TOKENS = 128
BYTES_PER_TOKEN = 23_040
HOT_TOKENS = 1024


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
