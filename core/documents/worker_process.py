"""The process in which PyMuPDF lives: answers requests from a pipe until the other end is gone."""

import contextlib
import faulthandler
import gc
import hashlib
import importlib
import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Callable
from multiprocessing.connection import Connection
from pathlib import Path
from typing import TYPE_CHECKING

from core.documents.file_names import shown_name
from core.documents.file_state import FileState
from core.documents.memory_limit import is_out_of_memory, limit_memory, too_large
from core.documents.messages import (
    Answer,
    Failed,
    Opened,
    PageRead,
    PageSizes,
    PageSizesRequest,
    PageTicket,
    ReadRequest,
    Recognising,
    RenderRequest,
    Request,
)
from core.documents.unreadable import unreadable_page
from core.errors import DocumentError, LecternError

if TYPE_CHECKING:
    from core.documents.mupdf import PdfFile

# Pages are many small tuples that live for a moment; collecting among them costs a third of the time.
_GARBAGE_THRESHOLD = 200_000

Extractor = Callable[["PdfFile", int, str], PageRead]


def serve(connection: Connection, hard_limit_s: float) -> None:
    """Serve requests. A single page or request that takes longer than `hard_limit_s` ends the process."""
    _detach_streams()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    limit_memory()
    threading.Thread(target=_die_with_parent, daemon=True).start()
    from core.documents import mupdf

    mupdf.silence()
    gc.freeze()
    gc.set_threshold(_GARBAGE_THRESHOLD)
    server = _Server(connection, hard_limit_s)
    while True:
        try:
            request: Request = connection.recv()
        except (EOFError, OSError):
            return
        server.answer(request)


def _detach_streams() -> None:
    """MuPDF, and whatever it loads, prints to the C streams: give it empty ones."""
    null = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(null, stream)
    os.close(null)
    sys.stdout = sys.stderr = Path(os.devnull).open("w")  # noqa: SIM115 - open until the process ends


def _die_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(0)


class _Server:
    def __init__(self, connection: Connection, hard_limit_s: float) -> None:
        self._connection = connection
        self._hard_limit_s = hard_limit_s
        self._rendered: tuple[str, str | None, FileState | None, PdfFile] | None = None

    def answer(self, request: Request) -> None:
        try:
            if isinstance(request, ReadRequest):
                self._read(request)
            elif isinstance(request, RenderRequest):
                self._render(request)
            else:
                self._measure(request)
        except LecternError as error:
            self._send(Failed(error))
        except Exception as error:  # noqa: BLE001 - a damaged file can raise anything at any call
            self._send(Failed(_unexpected(request, error)))
        finally:
            faulthandler.cancel_dump_traceback_later()

    def _send(self, answer: Answer) -> None:
        self._connection.send(answer)

    def _start_clock(self) -> None:
        # Runs without the interpreter's lock, so that it ends even a loop inside MuPDF.
        faulthandler.dump_traceback_later(self._hard_limit_s, exit=True, file=sys.stderr)

    def _read(self, request: ReadRequest) -> None:
        from core.documents.mupdf import PdfFile, release_memory
        from core.documents.recognition import PageRecogniser

        self._start_clock()
        module, _, name = request.extractor.partition(":")
        extract: Extractor = getattr(importlib.import_module(module), name)
        known = request.known
        pdf = PdfFile(request.path, request.password, None if known is None else known.facts)
        try:
            opened = known or _opened(pdf, request)
            self._send(opened)
            recogniser = None
            if request.recognition is not None:
                recogniser = PageRecogniser(request, request.recognition, opened.sha256)
            while (page_index := self._next_ticket()) is not None:
                self._start_clock()
                read = _read_page(pdf, extract, page_index, opened.labels[page_index])
                if recogniser is not None and recogniser.is_needed(pdf, read.page):
                    self._send(Recognising(read))
                    self._start_clock()
                    read = recogniser.recognised(pdf, read)
                self._send(read)
        finally:
            pdf.close()
            release_memory()

    def _next_ticket(self) -> PageTicket:
        faulthandler.cancel_dump_traceback_later()
        try:
            ticket: PageTicket = self._connection.recv()
        except (EOFError, OSError):
            return None
        return ticket

    def _render(self, request: RenderRequest) -> None:
        self._start_clock()
        page = self._open_for_rendering(request).page(request.page_index)
        self._send(page.render(request.zoom, request.clip, request.max_pixels))

    def _measure(self, request: PageSizesRequest) -> None:
        self._start_clock()
        self._close_rendered()  # the file may have changed since it was opened
        pdf = self._open_for_rendering(request)
        self._send(PageSizes(tuple(_page_size(pdf, page_index) for page_index in range(pdf.num_pages))))

    def _open_for_rendering(self, request: RenderRequest | PageSizesRequest) -> "PdfFile":
        from core.documents.mupdf import PdfFile

        state = FileState.of(request.path)
        if self._rendered is not None:
            if self._rendered[:3] == (request.path, request.password, state):
                return self._rendered[3]
            self._close_rendered()
        pdf = PdfFile(request.path, request.password)
        self._rendered = (request.path, request.password, state, pdf)
        return pdf

    def _close_rendered(self) -> None:
        if self._rendered is not None:
            self._rendered[3].close()
            self._rendered = None


def _opened(pdf: "PdfFile", request: ReadRequest) -> Opened:
    from core.documents.file_warnings import file_warnings
    from core.documents.page_labels import page_labels

    wanted = request.page_indices
    indices = tuple(range(pdf.num_pages)) if wanted is None else wanted
    if any(not 0 <= index < pdf.num_pages for index in indices):
        raise DocumentError(
            "No such page", f"The document has {pdf.num_pages} pages; ask for pages 1 to {pdf.num_pages}."
        )
    with Path(request.path).open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    labels = page_labels(pdf.label_rules(), pdf.num_pages)
    return Opened(digest, indices, labels, pdf.outline(), file_warnings(pdf), pdf.facts)


def _read_page(pdf: "PdfFile", extract: Extractor, page_index: int, label: str) -> PageRead:
    try:
        return extract(pdf, page_index, label)
    except Exception as error:  # noqa: BLE001 - a damaged page can raise anything
        reason = "it is damaged"
        if is_out_of_memory(error):
            reason = "it needs more memory than there is"
        return unreadable_page(page_index, label, reason)


def _page_size(pdf: "PdfFile", page_index: int) -> tuple[float, float]:
    try:
        page = pdf.page(page_index)
    except Exception:  # noqa: BLE001 - a damaged page can raise anything
        return 0.0, 0.0
    return page.width, page.height


def _unexpected(request: Request, error: Exception) -> LecternError:
    name = shown_name(request.path)
    if is_out_of_memory(error):
        return too_large(name)
    detail = ""
    with contextlib.suppress(Exception):
        detail = str(error)
    return DocumentError(
        "Cannot be read",
        f"“{name}” could not be read ({detail or type(error).__name__}). It is probably damaged; "
        "open it in another PDF program and save a copy.",
    )
