"""All that a front end can ask of the engine: open a model, open documents, converse, close.

Everything here runs in the thread that calls it; the window calls it from its engine thread. Work that
takes long comes as an iterator of events and takes a `CancelToken`.
"""

import gc
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Self

import torch

from core.attention.tiered import register
from core.cancel import CancelToken
from core.catalogue.locate import locate_model
from core.conversation import Conversation
from core.devices import compute_devices, undivided_note
from core.document_caches.shelf import CacheShelf
from core.documents.layout import Document, with_unique_names
from core.documents.notices import selection_note
from core.documents.page_range import PageRange
from core.documents.sizes import DocumentSizes
from core.events import Progress, Stage
from core.generation.runner import ModelRunner
from core.kv.store import KvStore
from core.kv_division import (
    kv_division,
    kv_settings,
    kv_store,
    longest_context,
    require_context,
    require_window_fits,
)
from core.measuring import measure
from core.models.loader import LoadOptions, load_model, prepare_files
from core.models.quiet import silence_transformers
from core.models.steady_rope import is_held_elsewhere
from core.paths import document_caches_dir, models_dir
from core.review.question import Question
from core.review.reviewer import Review
from core.section_reading import SectionReader
from core.session import DocumentSession, EngineParts
from core.settings import EngineSettings, SamplingSettings
from core.settings_change import Effect, changed_fields, effect_of

_USUAL_THREADS = torch.get_num_threads()
_HOT_SIZE = frozenset({"hot_budget_bytes", "active_window", "max_seq_len", "kv_cache_device"})
"""The settings that choose how large the hot tier is."""


class Engine:
    """A loaded model with its tiers. `close` frees them; sessions and conversations are closed first."""

    def __init__(self, parts: EngineParts) -> None:
        self.parts = parts

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def open_document(self, documents: Sequence[Document], pages: PageRange | None = None) -> DocumentSession:
        """Documents as one prefix; computes nothing yet. Raises as `DocumentSession` does."""
        named = with_unique_names(documents)
        note = selection_note(named, pages) if pages is not None else None
        return DocumentSession(self.parts, named, pages, (note,) if note is not None else ())

    def read_sections(self, documents: Sequence[Document], budget_tokens: int | None = None) -> SectionReader:
        """Documents of any length, of which each question reads only the sections that it is about."""
        return SectionReader(self.parts, documents, budget_tokens)

    def measure(self, documents: Sequence[Document], before: DocumentSizes | None = None) -> DocumentSizes:
        """How long the documents, whose names differ, are for this model; `before` are earlier sizes."""
        return measure(self.parts, documents, before)

    def converse(self, session: DocumentSession) -> Conversation:
        """A new conversation about a session's documents."""
        return Conversation(session)

    def review(
        self,
        session: DocumentSession,
        questions: Iterable[Question],
        sampling: SamplingSettings,
        cancel: CancelToken,
    ) -> Review:
        """Many questions about a session's documents at once: iterate over the result for its events."""
        return Review(session, questions, sampling, cancel)

    def longest_sequence(self, settings: EngineSettings) -> int:
        """The most tokens that a sequence may have with other settings."""
        return longest_context(settings, self.parts.loaded)

    def effect_of(self, settings: EngineSettings) -> Effect:
        """What `change` to `settings` would cost with this model; `LOAD_AGAIN` is beyond it.

        Raises `UsageError` for settings that contradict each other or the model, `DeviceError` for a GPU
        that there is not.
        """
        loaded = self.parts.loaded
        compute_devices(settings)
        if is_held_elsewhere(loaded.model.config, self.parts.max_seq_len, self.longest_sequence(settings)):
            return Effect.LOAD_AGAIN
        effect = effect_of(self.parts.settings, settings)
        if effect is not Effect.LOAD_AGAIN:
            require_context(settings, loaded)
            require_window_fits(settings, loaded)
        return effect

    def change(self, settings: EngineSettings) -> None:
        """Work with other settings and the same weights. Raises as `effect_of` does, nothing changes then.

        After `READ_AGAIN` the tiers are new: sessions are closed before and opened anew. Otherwise those that
        are open go on when each `use`s the new `parts`.
        """
        effect = self.effect_of(settings)
        assert effect is not Effect.LOAD_AGAIN, "other weights are loaded by open_model()"
        before, parts = self.parts.settings, replace(self.parts, settings=settings)
        if effect is Effect.READ_AGAIN:
            parts.store.check_integrity()
            _give_up_hot(parts.store)
            parts = replace(
                parts,
                runner=ModelRunner(parts.loaded.model),
                store=kv_store(settings, parts.loaded),
                shelf=_shelf(settings),
            )
        elif effect is Effect.AT_ONCE:
            _divide_anew(parts, changed_fields(before, settings))
        if settings.threads != before.threads:
            torch.set_num_threads(settings.threads or _USUAL_THREADS)
        self.parts = parts

    def close(self) -> None:
        """Assert that every block was given back and no expert was lost."""
        self.parts.store.check_integrity()
        if self.parts.loaded.experts is not None:
            self.parts.loaded.experts.check_integrity()


def open_model(
    settings: EngineSettings,
    on_progress: Callable[[Progress], None] | None = None,
    cancel: CancelToken | None = None,
) -> Engine:
    """Find, fetch, convert and load the model that `settings` name.

    Raises `ModelError` if it is missing, damaged or out of the engine's reach, `DeviceError` if a GPU is
    asked for that there is not, `DoesNotFitError` if the weights do not fit.
    """
    report = on_progress or _ignore
    silence_transformers()
    register()
    if settings.threads is not None:
        torch.set_num_threads(settings.threads)
    devices = compute_devices(settings)
    if devices[0].type == "cuda":
        torch.cuda.set_device(devices[0])
    folder_of_models = models_dir(settings.cache_root)
    location = locate_model(settings.model, folder_of_models)
    cancel = cancel or CancelToken()
    folder = prepare_files(location, folder_of_models, report, cancel)
    cancel.raise_if_cancelled()
    report(Progress(Stage.LOADING_MODEL, 0, 1, "model"))
    options = LoadOptions.of(settings, devices)
    loaded = load_model(folder, location.name, devices[0], _compute_dtype(devices), options)
    note = undivided_note(settings, devices)
    if note is not None:
        loaded = replace(loaded, notes=(*loaded.notes, note))
    report(Progress(Stage.LOADING_MODEL, 1, 1, "model"))
    require_context(settings, loaded)
    store = kv_store(settings, loaded)
    return Engine(EngineParts(loaded, ModelRunner(loaded.model), store, settings, _shelf(settings)))


def _shelf(settings: EngineSettings) -> CacheShelf | None:
    if not settings.document_caches:
        return None
    return CacheShelf(document_caches_dir(settings.cache_root), settings.cache_quota_bytes)


def release_memory() -> None:
    """Give what closed engines have left back to the system, so that a look at it tells the truth."""
    gc.collect()
    if torch.cuda.is_initialized():
        torch.cuda.empty_cache()


def _compute_dtype(devices: Sequence[torch.device]) -> torch.dtype:
    """bf16 on GPUs that have it, fp16 where one is older; fp32 on CPUs, where half products are slow."""
    if devices[0].type == "cpu":
        return torch.float32
    return torch.bfloat16 if all(map(_has_bf16, devices)) else torch.float16


def _has_bf16(device: torch.device) -> bool:
    with torch.cuda.device(device):
        return bool(torch.cuda.is_bf16_supported())


def _divide_anew(parts: EngineParts, changed: frozenset[str]) -> None:
    """Divide the hot tier as `parts` ask; its size is found anew only if it was asked for otherwise."""
    settings, loaded, store = parts.settings, parts.loaded, parts.store
    if changed & _HOT_SIZE:
        _give_up_hot(store)
        kv, shards = kv_division(settings, loaded)
    else:
        kv, shards = kv_settings(settings, loaded), store.shards
        kv = replace(kv, hot_budget_bytes=store.settings.hot_budget_bytes)
    store.divide_anew(kv, shards)


def _give_up_hot(store: KvStore) -> None:
    """Let go of all of the hot tier: the next one is measured by what is free."""
    for layer in store.layers:
        layer.give_up_hot()
    release_memory()


def _ignore(_progress: Progress) -> None:
    return
