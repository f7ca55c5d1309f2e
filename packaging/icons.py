"""Draws the program's icon, which is a vector graphic, in the sizes and formats that systems ask for."""

from __future__ import annotations

import struct
from pathlib import Path

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QRectF, Qt
from PySide6.QtGui import QImage, QPainter
from PySide6.QtSvg import QSvgRenderer

PNG_SIZES = (16, 24, 32, 48, 64, 128, 256, 512)
_ICO_SIZES = (16, 24, 32, 48, 64, 128, 256)
_PNG_IN_ICO = 256
_INK = b"currentColor"
_ACCENT = b"#2f6fde"


def svg(root: Path) -> bytes:
    """The icon with a colour of its own, since no style sheet gives it one outside the window."""
    return (root / "resources" / "icons" / "lectern.svg").read_bytes().replace(_INK, _ACCENT)


def png(root: Path, size: int) -> bytes:
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    _image(root, size).save(buffer, "PNG")  # type: ignore[call-overload]
    return bytes(buffer.data().data())


def write_ico(root: Path, path: Path) -> None:
    """A Windows icon: plain bitmaps, which every reader knows, and the largest size as PNG."""
    pictures = [png(root, size) if size == _PNG_IN_ICO else _bitmap(root, size) for size in _ICO_SIZES]
    offset = 6 + 16 * len(pictures)
    entries = b""
    for size, picture in zip(_ICO_SIZES, pictures, strict=True):
        side = size % 256  # 0 stands for 256
        entries += struct.pack("<BBBBHHII", side, side, 0, 0, 1, 32, len(picture), offset)
        offset += len(picture)
    path.write_bytes(struct.pack("<HHH", 0, 1, len(pictures)) + entries + b"".join(pictures))


def _image(root: Path, size: int) -> QImage:
    image = QImage(size, size, QImage.Format.Format_ARGB32)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    QSvgRenderer(QByteArray(svg(root))).render(painter, QRectF(0, 0, size, size))
    painter.end()
    return image


def _bitmap(root: Path, size: int) -> bytes:
    """A device-independent bitmap as icons hold it: rows from the bottom up, and a mask without a hole."""
    image = _image(root, size)
    rows = bytes(image.constBits())  # blue, green, red, alpha
    pixels = b"".join(rows[row * 4 * size : (row + 1) * 4 * size] for row in reversed(range(size)))
    mask = bytes(-(-size // 32) * 4 * size)
    header = struct.pack("<IiiHHIIiiII", 40, size, 2 * size, 1, 32, 0, len(pixels) + len(mask), 0, 0, 0, 0)
    return header + pixels + mask
