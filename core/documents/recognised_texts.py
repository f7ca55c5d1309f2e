"""What text recognition found on pages, kept on the disk: a page is recognised once."""

import contextlib
import gzip
import json
import os
import shutil
from pathlib import Path
from typing import Any

from core.documents.raw_page import RawLine

_FORMAT = 1
_MAX_BYTES = 256 << 20


class RecognisedTexts:
    """The kept pages of one file. `root` holds a folder for each file, named by its `sha256`.

    `engine` stands for all that a result depends on beside the page. What cannot be read or written is
    passed over: the page is recognised again. The files used longest ago go first when `root` has grown
    beyond `max_bytes`.
    """

    def __init__(self, root: Path, sha256: str, engine: str, max_bytes: int = _MAX_BYTES) -> None:
        self._root, self._engine, self._max_bytes = root, engine, max_bytes
        self._folder = root / sha256
        with contextlib.suppress(OSError):
            os.utime(self._folder)

    def get(self, page_index: int) -> list[RawLine] | None:
        """The lines of the page; None if they are not kept, or damaged."""
        try:
            content = json.loads(gzip.decompress(self._path(page_index).read_bytes()))
            if content["format"] != _FORMAT:
                return None
            return [_line(values) for values in content["lines"]]
        except (OSError, EOFError, ValueError, KeyError, TypeError):
            return None

    def put(self, page_index: int, lines: list[RawLine]) -> None:
        content = {"format": _FORMAT, "lines": [_values(line) for line in lines]}
        path = self._path(page_index)
        part = path.with_suffix(f".{os.getpid()}.part")
        with contextlib.suppress(OSError):
            if not self._folder.exists():
                self._make_room()
                self._folder.mkdir(parents=True)
            part.write_bytes(gzip.compress(json.dumps(content).encode()))
            part.replace(path)

    def _path(self, page_index: int) -> Path:
        return self._folder / f"{page_index}-{self._engine}.json.gz"

    def _make_room(self) -> None:
        if not self._root.exists():
            return
        folders = sorted(self._root.iterdir(), key=lambda folder: folder.stat().st_mtime, reverse=True)
        num_bytes = 0
        for folder in folders:
            num_bytes += sum(file.stat().st_size for file in folder.iterdir())
            if num_bytes > self._max_bytes:
                shutil.rmtree(folder, ignore_errors=True)


def _values(line: RawLine) -> list[Any]:
    return [line.block, line.texts, line.x0, line.y0, line.x1, line.y1, line.blanks, line.is_vertical]


def _line(values: list[Any]) -> RawLine:
    block, texts, x0, y0, x1, y1, blanks, is_vertical = values
    if any(len(column) != len(texts) for column in (x0, y0, x1, y1)):
        raise ValueError("columns of different lengths")
    kept_blanks = None if blanks is None else tuple(blanks)
    places = tuple(x0), tuple(y0), tuple(x1), tuple(y1)
    return RawLine(block, tuple(texts), *places, kept_blanks, bool(is_vertical))
