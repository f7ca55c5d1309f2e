"""How commands read their files: with text recognition where it is asked for, and what is said without it."""

import argparse
from collections.abc import Sequence
from pathlib import Path

from core.cancel import CancelToken
from core.console import Console
from core.documents.language_data import find_language_data
from core.documents.layout import Document, WarningKind
from core.documents.messages import Recognition
from core.documents.notices import name_pages
from core.documents.page_range import PageRange
from core.documents.worker import DocumentWorker
from core.errors import DocumentError
from core.events import Progress, Stage
from core.paths import recognised_texts_dir

_TO_RECOGNISE = frozenset({WarningKind.SCAN, WarningKind.GARBLED_TEXT})


class FileReader:
    """Reads files as the options say. Without the language data that `--ocr` needs it reads what has text."""

    def __init__(
        self,
        options: argparse.Namespace,
        console: Console,
        cancel: CancelToken,
        pages: PageRange | None = None,
    ) -> None:
        """Raises `UsageError` if `--ocr-language` names no languages."""
        self._options, self._console, self._cancel, self._pages = options, console, cancel, pages
        self._recognition: Recognition | None = None
        self._missing: DocumentError | None = None
        if options.ocr or options.ocr_language is not None:
            self._look_for_language_data()

    def read(self, paths: Sequence[Path]) -> list[Document]:
        """The documents. Raises `DocumentError` if all that is wanted of them needs data that is missing."""
        documents = [self._read(path) for path in paths]
        if self._missing is not None:
            self._tell_unrecognised(documents, self._missing)
        return documents

    def _look_for_language_data(self) -> None:
        options = self._options
        kept_in = None if getattr(options, "no_cache", False) else recognised_texts_dir(options.cache_dir)
        try:
            data = find_language_data(options.ocr_language)
        except DocumentError as error:
            self._missing = error
            return
        self._recognition = Recognition(
            str(data.folder), data.name, self._pages, None if kept_in is None else str(kept_in)
        )

    def _read(self, path: Path) -> Document:
        with DocumentWorker() as worker:
            return worker.read(
                path,
                self._options.password,
                on_progress=self._on_progress,
                cancel=self._cancel,
                recognition=self._recognition,
            )

    def _on_progress(self, done: int, total: int) -> None:
        self._console.event(Progress(Stage.READING_PAGES, done, total, "pages"))

    def _tell_unrecognised(self, documents: Sequence[Document], missing: DocumentError) -> None:
        needed = [(document, self._unrecognised(document)) for document in documents]
        if not any(indices for _, indices in needed):
            return
        if not any(page.has_text and self._is_wanted(page.page_index) for d in documents for page in d.pages):
            raise missing
        for document, indices in needed:
            if indices:
                self._console.note(
                    f"{document.name}: {name_pages(indices)} could not be recognised. {missing.message}"
                )

    def _unrecognised(self, document: Document) -> list[int]:
        return [
            warning.page_index
            for warning in document.all_warnings
            if warning.kind in _TO_RECOGNISE
            and warning.page_index is not None
            and self._is_wanted(warning.page_index)
        ]

    def _is_wanted(self, page_index: int) -> bool:
        return self._pages is None or page_index in self._pages
