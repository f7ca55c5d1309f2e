"""How long documents are for a loaded model, so that a user can choose what of them is read."""

from collections.abc import Sequence
from dataclasses import replace

from core.documents.layout import Document, Page
from core.documents.reading_choice import EVERYTHING
from core.documents.sections import find_sections, max_section_tokens
from core.documents.sizes import DocumentSizes
from core.documents.token_map import document_heading, render_for_model
from core.errors import DoesNotFitError
from core.kv.codec import nominal_bits_per_value
from core.memory_check import usable_host_bytes
from core.models.rope_scaling import stretch_factor
from core.section_reading import SectionReader
from core.session import MIN_ANSWER_TOKENS, SYSTEM_PROMPT, EngineParts


def measure(
    parts: EngineParts, documents: Sequence[Document], before: DocumentSizes | None = None
) -> DocumentSizes:
    """The sizes of the documents, whose names differ; `before` are those that this model found earlier."""
    tokenizer = parts.loaded.tokenizer
    several = len(documents) > 1
    headings = (len(tokenizer.encode_data(document_heading(one))) if several else 0 for one in documents)
    scaling, context = parts.settings.rope_scaling, parts.loaded.context_length
    kv_bits = nominal_bits_per_value(parts.settings.kv_compression, parts.kv_dtype)
    sizes = DocumentSizes(
        model=parts.loaded.name,
        page_tokens=before.page_tokens if before is not None else _page_tokens(parts, documents),
        heading_tokens=tuple(headings),
        around_tokens=len(tokenizer.encode_frame(tokenizer.frame(SYSTEM_PROMPT).before_document))
        + MIN_ANSWER_TOKENS,
        limit=parts.max_seq_len,
        context_length=context if scaling is None else int(context / scaling.factor),
        stretch=None if scaling is None else round(scaling.factor),
        section_budget=_section_budget(parts, documents),
        num_sections=0,
        kv_bytes_per_token=parts.loaded.reach.kv_values_per_token * kv_bits / 8,
        memory_bytes=usable_host_bytes() + parts.store.cold_bytes,
    )
    if sizes.fits(EVERYTHING):
        return sizes
    needed = sizes.needed_tokens(EVERYTHING)
    if scaling is None and needed > context:
        sizes = replace(sizes, stretch=stretch_factor(parts.loaded.model.config, needed))
    return replace(sizes, num_sections=_num_sections(documents, sizes))


def _page_tokens(parts: EngineParts, documents: Sequence[Document]) -> tuple[tuple[int, ...], ...]:
    """What each page costs as `DocumentSession` reads it, its marker included."""
    encode = parts.loaded.tokenizer.encode_data
    counts = []
    for document in documents:
        text = render_for_model([document])
        costs = {span.page_index: len(encode(text.text[span.start : span.end])) for span in text.page_spans}
        counts.append(tuple(costs.get(page.page_index, 0) for page in document.pages))
    return tuple(counts)


def _section_budget(parts: EngineParts, documents: Sequence[Document]) -> int:
    try:
        return SectionReader(parts, documents).budget_tokens("", parts.settings.sampling)
    except DoesNotFitError:
        return 0


def _num_sections(documents: Sequence[Document], sizes: DocumentSizes) -> int:
    costs = {
        id(page): cost
        for document, counts in zip(documents, sizes.page_tokens, strict=True)
        for page, cost in zip(document.pages, counts, strict=True)
    }

    def count(page: Page) -> int:
        return costs[id(page)]

    return len(find_sections(documents, count, max_section_tokens(sizes.section_budget)))
