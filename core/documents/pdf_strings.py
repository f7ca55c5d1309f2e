"""Strings as they stand in the source of a PDF: `(text)` with escapes, or `<hexadecimal>`."""

import re

LITERAL = r"\((?:\\.|[^\\)])*\)|<[0-9A-Fa-f\s]*>"
_ESCAPE = re.compile(r"\\([0-7]{1,3}|.)", re.DOTALL)
_UTF16_MARK = b"\xfe\xff"


def string_bytes(literal: str) -> bytes:
    """The bytes that a literal of either form stands for."""
    if literal.startswith("<"):
        digits = "".join(literal[1:-1].split())
        return bytes.fromhex(digits + "0" * (len(digits) % 2))
    return _ESCAPE.sub(_unescaped, literal[1:-1]).encode("latin-1", "replace")


def string_text(literal: str) -> str:
    """The text of a literal; U+FFFD for what is none."""
    data = string_bytes(literal)
    if data.startswith(_UTF16_MARK):
        return data[2:].decode("utf-16-be", "replace")
    return data.decode("utf-8") if _is_utf8(data) else data.decode("latin-1")


def _is_utf8(data: bytes) -> bool:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _unescaped(escape: re.Match[str]) -> str:
    code = escape[1]
    if code[0] in "01234567":
        return chr(int(code, 8) & 0xFF)
    return {"n": "\n", "r": "\r", "t": "\t", "b": "\b", "f": "\f"}.get(code, code)
