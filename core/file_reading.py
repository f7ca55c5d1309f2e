"""How commands read their files: with text recognition where it is asked for, and what is said without it."""

import argparse
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from core.cancel import CancelToken
from core.console import Console
from core.documents.language_data import find_language_data
from core.documents.layout import Document, WarningKind
from core.documents.messages import Recognition
from core.documents.notices import name_pages
from core.documents.reading_choice import EVERYTHING, ReadingChoice, ReadingKind
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
        reading: ReadingChoice = EVERYTHING,
    ) -> None:
        """Only pages that `reading` has read are recognised.

        Raises `UsageError` if `--ocr-language` names no languages.
        """
        self._options, self._console, self._cancel, self._reading = options, console, cancel, reading
        self._recognition: Recognition | None = None
        self._missing: DocumentError | None = None
        if options.ocr or options.ocr_language is not None:
            self._look_for_language_data()

    def read(self, paths: Sequence[Path]) -> list[Document]:
        """The documents. Raises `DocumentError` if all that is wanted of them needs data that is missing."""
        documents = [self._read(path, self._recognition_of(index)) for index, path in enumerate(paths)]
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
            str(data.folder), data.name, kept_in=None if kept_in is None else str(kept_in)
        )

    def _recognition_of(self, document_index: int) -> Recognition | None:
        if self._recognition is None or self._reading.kind is not ReadingKind.PAGES:
            return self._recognition
        return replace(self._recognition, pages=self._reading.range_of(document_index))

    def _read(self, path: Path, recognition: Recognition | None) -> Document:
        with DocumentWorker() as worker:
            return worker.read(
                path,
                self._options.password,
                on_progress=self._on_progress,
                cancel=self._cancel,
                recognition=recognition,
            )

    def _on_progress(self, done: int, total: int) -> None:
        self._console.event(Progress(Stage.READING_PAGES, done, total, "pages"))

    def _tell_unrecognised(self, documents: Sequence[Document], missing: DocumentError) -> None:
        needed = [(one, self._unrecognised(index, one)) for index, one in enumerate(documents)]
        if not any(indices for _, indices in needed):
            return
        pages = [(index, page) for index, one in enumerate(documents) for page in one.pages]
        if not any(page.has_text and self._is_wanted(index, page.page_index) for index, page in pages):
            raise missing
        for document, indices in needed:
            if indices:
                self._console.note(
                    f"{document.name}: {name_pages(indices)} could not be recognised. {missing.message}"
                )

    def _unrecognised(self, document_index: int, document: Document) -> list[int]:
        return [
            warning.page_index
            for warning in document.all_warnings
            if warning.kind in _TO_RECOGNISE
            and warning.page_index is not None
            and self._is_wanted(document_index, warning.page_index)
        ]

    def _is_wanted(self, document_index: int, page_index: int) -> bool:
        return page_index in self._reading.range_of(document_index)
