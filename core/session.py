"""Documents that a model has read, and the conversations about them."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import torch

from core.cancel import CancelToken
from core.document_caches.shelf import CacheShelf
from core.documents.layout import Document, with_unique_names
from core.documents.page_range import PageRange
from core.documents.quote_index import QuoteIndex
from core.documents.token_map import map_tokens, render_for_model, require_text
from core.errors import DamagedCacheError, DocumentsTooLargeError, DoesNotFitError, LecternError
from core.events import CacheOutcome, PageRef, Progress, Stage
from core.evidence import EvidenceMap
from core.generation.failure import releasing_on_failure
from core.generation.prefill import prefill
from core.generation.runner import ModelRunner
from core.kv.cache import TieredCache
from core.kv.codec import nominal_bits_per_value
from core.kv.sparse import SparseSettings
from core.kv.store import KvStore
from core.kv.window import WindowSettings
from core.kv_division import longest_context
from core.memory_check import require_host_memory
from core.models.loader import LoadedModel
from core.models.rope_scaling import stretch_factor
from core.prefix_cache import PrefixCache
from core.prefix_identity import JsonObject, model_identity, prefix_identity
from core.settings import EngineSettings
from core.too_long import Excess, too_long

SYSTEM_PROMPT = (
    "You answer questions about the document that the user gives you. Its pages begin with [page N]. "
    "Answer from the document only, in the language of the question. Quote the words that prove your "
    'answer in "quotation marks" and name their page as [page N].'
)
"""What the model is told; the document itself comes as data in the user's turn."""

MIN_ANSWER_TOKENS = 64


@dataclass(frozen=True)
class EngineParts:
    """What a session works with; made once by the engine, shared by all its sessions.

    Without a `shelf` nothing that is read is kept on the disk.
    """

    loaded: LoadedModel
    runner: ModelRunner
    store: KvStore
    settings: EngineSettings
    shelf: CacheShelf | None = None

    @cached_property
    def _model_identity(self) -> JsonObject | None:
        return model_identity(self.loaded)

    def identity_of(self, token_ids: Sequence[int]) -> JsonObject | None:
        """What the KV of these tokens depends on; None where nothing is kept on the disk."""
        if self.shelf is None or self._model_identity is None:
            return None
        return prefix_identity(self, self._model_identity, token_ids)

    @property
    def kv_dtype(self) -> torch.dtype:
        return self.store.settings.dtype or self.loaded.model.dtype

    @property
    def max_seq_len(self) -> int:
        """The longest sequence, in tokens: the model's own limit or the user's lower one."""
        return longest_context(self.settings, self.loaded)


class DocumentSession:
    """One or more documents as a frozen prefix: read once, asked as often as wanted.

    Raises `DocumentError` if no page has text and `DocumentsTooLargeError`, with the numbers, if the text
    does not fit the model or the machine. Nothing is ever cut.
    """

    def __init__(
        self,
        parts: EngineParts,
        documents: Sequence[Document],
        pages: PageRange | None,
        notes: Sequence[str] = (),
    ) -> None:
        """`notes` stand under every answer."""
        self.parts = parts
        self.notes = tuple(notes)
        self.documents = with_unique_names(documents)
        self.wanted = pages
        require_text(documents, pages)
        model_text = render_for_model(self.documents, pages)
        tokenizer = parts.loaded.tokenizer
        self.frame = tokenizer.frame(SYSTEM_PROMPT)
        document_ids, self.token_map = map_tokens(model_text, tokenizer.encode_data)
        self.prefix_ids = tokenizer.encode_frame(self.frame.before_document) + document_ids
        self.require_length(parts.max_seq_len)
        read = {span.document_index for span in self.token_map.page_spans}
        names = [document.name for index, document in enumerate(self.documents) if index in read]
        identity = parts.identity_of(self.prefix_ids)
        self._disk = PrefixCache(parts.loaded, parts.shelf, identity, names, self.num_prefix_tokens)
        self._num_reopened = 0
        self._prefix: TieredCache | None = self._start()
        try:
            self._require_memory()
        except LecternError:
            self.close()
            raise

    @property
    def num_prefix_tokens(self) -> int:
        return len(self.prefix_ids)

    @property
    def num_cached_tokens(self) -> int:
        """How much of the prefix has been computed so far."""
        return self._prefix.num_tokens if self._prefix is not None else 0

    @property
    def cache_outcome(self) -> CacheOutcome:
        """What a question asked now would find."""
        if self.num_cached_tokens == self.num_prefix_tokens:
            return CacheOutcome.HIT
        return CacheOutcome.RESUMED if self.num_cached_tokens else CacheOutcome.MISS

    def read(self, cancel: CancelToken) -> Iterator[Progress]:
        """Compute what is missing of the prefix, with progress after each chunk.

        A cancel raises `CancelledError` and keeps the chunks that are done: the next call goes on there. So
        does memory that ends for good (`DoesNotFitError`), after all that can be given up was.
        """
        if self._prefix is None:
            self._prefix = self._start()
        if self._num_reopened:
            done, self._num_reopened = self._num_reopened, 0
            yield Progress(Stage.READ_BEFORE, done, self.num_prefix_tokens, "tokens")
        try:
            yield from self._read(self._prefix, cancel)
        except DamagedCacheError:
            self.forget_disk()
            yield from self._read(self._prefix, cancel)

    def forget_disk(self) -> None:
        """What came from the disk was damaged: none of it is used any more, the next `read` starts anew."""
        if self._prefix is not None:
            self._disk.forget(self._prefix)
            self.parts.store.expect(self.num_prefix_tokens)

    @property
    def disk_bytes_written(self) -> int:
        """What this session has written so far."""
        return self._disk.num_bytes_written

    def finish_writing(self) -> None:
        """Wait until what was read is on the disk."""
        self._disk.drain()

    def take_notes(self) -> tuple[str, ...]:
        """What the user should know about keeping the documents and has not been told yet."""
        return self._disk.take_notes()

    @property
    def disk_bytes(self) -> int:
        """What the documents take on the disk, so that they need not be read again."""
        return self._disk.disk_bytes

    def branch(self, after: TieredCache | None = None) -> TieredCache:
        """A sequence that continues after the documents, which must have been read.

        It continues `after` instead, a sequence that began here, and decodes as the mode is now.
        """
        assert self._prefix is not None, "read() comes before branch()"
        if after is None:
            return self._prefix.branch()
        cache = after.branch()
        cache.decode_like(self._prefix)
        return cache

    def use(self, parts: EngineParts) -> None:
        """Go on with other settings and the same tiers; what was read stays read.

        Raises `DoesNotFitError`, and changes nothing, if the longest sequence is too short for the text then.
        """
        assert parts.store is self.parts.store, "what was read is in the tiers of before"
        self.require_length(parts.max_seq_len)
        is_complete = self.num_cached_tokens == self.num_prefix_tokens
        if parts.settings.prefill_chunk != self.parts.settings.prefill_chunk and not is_complete:
            self._disk.close()  # what is kept repeats to the bit only in the same chunks
        self.parts = parts

    def require_length(self, limit: int) -> None:
        """Raise `DoesNotFitError` if the documents and a short answer are more than `limit` tokens."""
        if self.num_prefix_tokens + MIN_ANSWER_TOKENS > limit:
            raise _too_long(self, limit)

    def close(self) -> None:
        """Free the prefix; conversations keep what they still hold. What was read is on the disk then."""
        self._drop_prefix()

    def page_refs(self, *, read: bool) -> tuple[PageRef, ...]:
        """The pages that are in the model's text (or, with `read=False`, those that are not)."""
        in_text = {(span.document_index, span.page_index) for span in self.token_map.page_spans}
        return tuple(
            PageRef(document.name, page.page_index, page.label)
            for index, document in enumerate(self.documents)
            for page in document.pages
            if ((index, page.page_index) in in_text) is read
        )

    @cached_property
    def quote_index(self) -> QuoteIndex:
        """The pages that were read, searchable for quotes; made at the first answer."""
        read: dict[str, list[int]] = {document.name: [] for document in self.documents}
        for page in self.page_refs(read=True):
            read[page.document].append(page.page_index)
        return QuoteIndex(self.documents, read)

    @cached_property
    def evidence(self) -> EvidenceMap:
        """Which pages the answers looked at."""
        return EvidenceMap(self, self._disk)

    def _follow_mode(self, prefix: TieredCache) -> None:
        settings = self.parts.settings
        wanted = SparseSettings(budget=settings.sparse_budget) if settings.mode == "sparse" else None
        if prefix.sparse_settings == wanted:
            return
        prefix.decode_exactly()
        if wanted is not None:
            self._disk.decode_sparsely(prefix, wanted)

    def _start(self) -> TieredCache:
        """The prefix as far as it is on the disk, an empty one if it is not."""
        parts = self.parts
        prefix = TieredCache(parts.loaded.model.config, parts.store)
        self._num_reopened = prefix.num_tokens if self._disk.open(prefix) else 0
        size = parts.store.settings.block_tokens
        parts.store.expect(self.num_prefix_tokens - self._num_reopened // size * size)
        return prefix

    def _read(self, prefix: TieredCache, cancel: CancelToken) -> Iterator[Progress]:
        settings = self.parts.settings
        if settings.mode == "window":
            prefix.attend_within(WindowSettings(settings.window_tokens))
        with releasing_on_failure(self._drop_prefix):
            try:
                for progress in prefill(
                    self.parts.runner,
                    prefix,
                    self.prefix_ids,
                    chunk_tokens=settings.prefill_chunk,
                    cancel=cancel,
                ):
                    self._disk.record(prefix)
                    yield progress
            finally:
                self._disk.pause(prefix)
            self._follow_mode(prefix)

    def _drop_prefix(self) -> None:
        self._disk.close()
        if self._prefix is not None:
            self._prefix.close()
            self._prefix = None

    def _require_memory(self) -> None:
        needed = self.num_prefix_tokens + MIN_ANSWER_TOKENS - self.num_cached_tokens
        bits = nominal_bits_per_value(self.parts.settings.kv_compression, self.parts.kv_dtype)
        kv_bytes = math.ceil(self.parts.loaded.reach.kv_values_per_token * bits / 8 * needed)
        try:
            require_host_memory(kv_bytes, f"The cache of {self.num_prefix_tokens:,} tokens")
        except DoesNotFitError as error:
            raise DocumentsTooLargeError(error.title, error.message) from error


def _are_read(session: DocumentSession) -> list[bool]:
    """Of each page that has text, whether it was chosen."""
    chosen = {(span.document_index, span.page_index) for span in session.token_map.page_spans}
    return [
        (number, page.page_index) in chosen
        for number, document in enumerate(session.documents)
        for page in document.pages
        if page.has_text
    ]


def _too_long(session: DocumentSession, limit: int) -> DoesNotFitError:
    tokens = session.num_prefix_tokens
    spans = session.token_map.page_spans
    budget = limit - MIN_ANSWER_TOKENS - (tokens - session.token_map.num_tokens)
    needed = tokens + MIN_ANSWER_TOKENS
    loaded = session.parts.loaded
    is_scaled = session.parts.settings.rope_scaling is not None
    return too_long(
        Excess(
            len(spans),
            tokens,
            needed,
            limit,
            loaded.context_length,
            loaded.name,
            session.token_map.num_fitting_pages(budget),
            num_documents=len({span.document_index for span in spans}),
            are_chosen=any(not read for read in _are_read(session)),
            stretch=None if is_scaled else stretch_factor(loaded.model.config, needed),
        )
    )
