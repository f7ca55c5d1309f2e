"""Brings files into one session: one after the other, with passwords, without what cannot be read."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from PySide6.QtCore import QObject, Signal

from app.document_service import DocumentService
from app.error_router import ErrorRouter
from app.recent_files import RecentFiles
from core.documents.layout import Document, with_unique_names
from core.errors import LecternError, PasswordRequiredError, WrongPasswordError
from core.events import Progress, Stage


@dataclass
class _Opening:
    """Files on their way into one session."""

    waiting: list[str]
    recognised: Collection[str] = ()
    is_again: bool = False
    opened: list[Document] = field(default_factory=list)


class Opener(QObject):
    """Every `open` ends in `documents_opened` (perhaps with none), unless it is stopped.

    `pages_known` carries the page sizes of the first file, long before its text has been read.
    """

    documents_opened = Signal(object)
    pages_known = Signal(str, object)
    password_wanted = Signal(str, bool)
    progressed = Signal(object)

    def __init__(
        self,
        documents: DocumentService,
        router: ErrorRouter,
        recent: RecentFiles,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._documents, self._router, self._recent = documents, router, recent
        self._opening: _Opening | None = None
        documents.reading_progressed.connect(self._on_reading_progressed)
        documents.pages_known.connect(self._on_pages_known)
        documents.document_opened.connect(self._on_document_opened)
        documents.open_failed.connect(self._on_open_failed)

    @property
    def is_busy(self) -> bool:
        return self._opening is not None

    def open(self, paths: Sequence[str], recognised: Collection[str] = (), *, is_again: bool = False) -> None:
        """Open these files, in place of those that are being opened.

        Those in `recognised` are read with text recognition where they need it. `is_again` asks for no
        password that was given before.
        """
        self._opening = _Opening(list(dict.fromkeys(paths)), recognised, is_again)
        self._open_next()

    def give_password(self, path: str, password: str | None) -> None:
        """The answer to `password_wanted`; None leaves the file out."""
        if self._opening is None or self._opening.waiting[:1] != [path]:
            return
        if password is None:
            self._opening.waiting.pop(0)
            self._open_next()
        else:
            self._documents.open(path, password, recognises=path in self._opening.recognised)

    def stop(self) -> None:
        """Forget about the files; nothing more is heard of them."""
        if self._opening is not None:
            self._opening = None
            self._documents.cancel()

    def _open_next(self) -> None:
        opening = self._opening
        if opening is None:
            return
        if opening.waiting:
            path = opening.waiting[0]
            recognises = path in opening.recognised
            self._documents.open(path, None, recognises=recognises, is_again=opening.is_again)
        else:
            self._opening = None
            self.documents_opened.emit(with_unique_names(opening.opened))

    def _on_reading_progressed(self, _path: str, done: int, total: int) -> None:
        if self._opening is not None:
            self.progressed.emit(Progress(Stage.READING_PAGES, done, total, "pages"))

    def _on_pages_known(self, path: str, sizes: object) -> None:
        if self._opening is not None and not self._opening.opened:
            self.pages_known.emit(path, sizes)

    def _on_document_opened(self, document: Document) -> None:
        if self._opening is None or not self._opening.waiting:
            return
        self._opening.waiting.pop(0)
        self._opening.opened.append(document)
        self._recent.add(document.path)
        self._open_next()

    def _on_open_failed(self, path: str, error: LecternError) -> None:
        if self._opening is None or not self._opening.waiting:
            return
        if isinstance(error, PasswordRequiredError | WrongPasswordError):
            self.password_wanted.emit(path, isinstance(error, WrongPasswordError))
            return
        self._opening.waiting.pop(0)
        self._router.route(error)
        self._open_next()
