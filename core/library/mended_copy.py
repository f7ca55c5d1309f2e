"""A copy of a damaged database that SQLite agrees to look into: with a header that fits the file's length.

The header's layout is that of the SQLite file format, version 3: https://www.sqlite.org/fileformat.html
"""

import shutil
import struct
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from core.library.schema import APPLICATION_ID

MAGIC = b"SQLite format 3\0"
COPY_MARK = ".salvage-"
_HEADER_BYTES = 100
_DEFAULT_PAGE_BYTES = 4096
_VERSION_NUMBER = 3_040_000


@contextmanager
def mended_copy(source: Path) -> Iterator[Path]:
    """The copy lies beside `source`, with its log, and is removed in the end."""
    with tempfile.TemporaryDirectory(dir=source.parent, prefix=source.name + COPY_MARK) as folder:
        copy = Path(folder) / source.name
        shutil.copyfile(source, copy)
        log = source.with_name(source.name + "-wal")
        if log.exists():
            shutil.copyfile(log, copy.with_name(copy.name + "-wal"))
        with copy.open("r+b") as file:
            header = file.read(_HEADER_BYTES)
            page_bytes = _page_bytes(header)
            if page_bytes is None:
                header, page_bytes = _default_header(), _DEFAULT_PAGE_BYTES
            num_pages = max(1, -(-copy.stat().st_size // page_bytes))
            file.truncate(num_pages * page_bytes)
            file.seek(0)
            file.write(_with_num_pages(header, num_pages))
        yield copy


def _page_bytes(header: bytes) -> int | None:
    """None if this is no header."""
    if len(header) < _HEADER_BYTES or not header.startswith(MAGIC):
        return None
    (value,) = struct.unpack_from(">H", header, 16)
    page_bytes = 65_536 if value == 1 else int(value)
    return page_bytes if page_bytes >= 512 and page_bytes & (page_bytes - 1) == 0 else None


def _with_num_pages(header: bytes, num_pages: int) -> bytes:
    """`header` with the length that the file has; the count is valid if both change counters agree."""
    changed = bytearray(header)
    struct.pack_into(">I", changed, 28, num_pages)
    changed[92:96] = changed[24:28]
    return bytes(changed)


def _default_header() -> bytes:
    """That of a library: pages of 4,096 bytes, a write-ahead log, UTF-8."""
    header = bytearray(_HEADER_BYTES)
    header[:16] = MAGIC
    struct.pack_into(">H6B", header, 16, _DEFAULT_PAGE_BYTES, 2, 2, 0, 64, 32, 32)
    struct.pack_into(">4I", header, 44, 4, 0, 0, 1)
    struct.pack_into(">I", header, 68, APPLICATION_ID)
    struct.pack_into(">I", header, 96, _VERSION_NUMBER)
    return bytes(header)
