"""What the program and its document worker process say to each other; plain values, picklable."""

from dataclasses import dataclass

from core.documents.layout import DocumentWarning, OutlineEntry, Page
from core.documents.page_range import PageRange
from core.errors import LecternError


@dataclass(frozen=True, slots=True)
class Recognition:
    """Pages whose text is missing or damaged are to be read with text recognition.

    `data_folder` holds the language data of `language`, several joined by `+`. Only `pages` are recognised,
    None for all. Results are kept in `kept_in` and taken from there; None keeps none.
    """

    data_folder: str
    language: str
    pages: PageRange | None = None
    kept_in: str | None = None


@dataclass(frozen=True, slots=True)
class PdfFacts:
    """What a PDF carries beside its pages.

    `may_be_clear`: some paint leaves no trace. `is_xfa`: the pages may be mere placeholders of a form.
    """

    attachments: tuple[str, ...] = ()
    has_actions: bool = False
    may_be_clear: bool = False
    is_xfa: bool = False
    has_layers_off: bool = False


@dataclass(frozen=True, slots=True)
class Opened:
    """The file is open: tickets for any of `page_indices` may follow, and are answered in turn."""

    sha256: str
    page_indices: tuple[int, ...]
    labels: tuple[str, ...]
    outline: tuple[OutlineEntry, ...]
    warnings: tuple[DocumentWarning, ...]
    facts: PdfFacts


@dataclass(frozen=True, slots=True)
class ReadRequest:
    """Open the file; a `PageTicket` will follow for each page in `page_indices` (0-based; None for all).

    Pages are read with the function at `extractor`.

    `extractor` is an import path, `package.module:function`, of a function that takes an open
    `PdfFile`, a page index and a label, and returns a `PageRead`. The one at `recogniser` takes a `PdfPage`
    and a `Recognition` and returns the `RawLine`s that it sees; it is called if there is a `recognition`.
    `known` is what another process found in the same file: it is not looked for again.
    """

    path: str
    password: str | None
    page_indices: tuple[int, ...] | None
    extractor: str
    recognition: Recognition | None = None
    recogniser: str = ""
    known: Opened | None = None


@dataclass(frozen=True, slots=True)
class RenderRequest:
    """`clip` is (x0, y0, x1, y1) in points as displayed, None for the whole page."""

    path: str
    password: str | None
    page_index: int
    zoom: float
    clip: tuple[float, float, float, float] | None
    max_pixels: int


@dataclass(frozen=True, slots=True)
class PageSizesRequest:
    """How large the pages are, without reading them."""

    path: str
    password: str | None


@dataclass(frozen=True, slots=True)
class PageRead:
    """One page. `hyphens` are the offsets in its text of hyphens that ended a printed line.

    After each of them stands one blank or newline: whether they stay is decided once all pages are known.
    """

    page: Page
    hyphens: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Recognising:
    """The text of a page is being recognised, which takes long; `read` is the page without that.

    The `PageRead` of the same page follows.
    """

    read: PageRead


@dataclass(frozen=True, slots=True)
class RenderedImage:
    """`rgb` holds `height` rows of `stride` bytes; a row is `width` pixels of 3 bytes."""

    width: int
    height: int
    stride: int
    rgb: bytes


@dataclass(frozen=True, slots=True)
class PageSizes:
    """(width, height) of every page in points as displayed; (0, 0) for a page that is damaged."""

    sizes: tuple[tuple[float, float], ...]


@dataclass(frozen=True, slots=True)
class Failed:
    """The request cannot be served; the worker waits for the next one."""

    error: LecternError


PageTicket = int | None
"""A page of the file that is open, by its 0-based index; None is the end of the request."""
Request = ReadRequest | RenderRequest | PageSizesRequest
Answer = Opened | PageRead | Recognising | RenderedImage | PageSizes | Failed
