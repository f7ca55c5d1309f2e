"""The name of a file as it can be shown: any bytes that the file system allows, but printable and short."""

from pathlib import Path

_MAX_LENGTH = 120


def shown_name(path: str | Path) -> str:
    """The last part of `path`; what is no text becomes U+FFFD, what cannot be printed a blank."""
    name = Path(path).name.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    name = " ".join("".join([letter if letter.isprintable() else " " for letter in name]).split())
    return name if len(name) <= _MAX_LENGTH else f"{name[: _MAX_LENGTH - 20]}…{name[-19:]}"


def shown_path(path: str | Path) -> str:
    """All of `path`, printable."""
    text = str(path).encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    return "".join([letter if letter.isprintable() else " " for letter in text])
