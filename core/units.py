"""Numbers as people read and write them."""

import re

from core.errors import UsageError

_SIZE = re.compile(r"\s*(\d+(?:\.\d+)?)\s*([KMGT]?)(i?B?)\s*", re.IGNORECASE)
_LARGEST_SIZE = 2.0**60
_FACTORS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}


def parse_size(text: str) -> int:
    """Bytes of a size such as `512M`, `1.5G`, `2GiB` or `4096` (binary units). Raises `UsageError`."""
    match = _SIZE.fullmatch(text)
    if match is None:
        raise UsageError("Not a size", f"{text!r} is no size; write for example 512M or 1.5G.")
    size = float(match[1]) * _FACTORS[match[2].upper()]
    if size >= _LARGEST_SIZE:
        raise UsageError("Not a size", f"{text[:20]} is more than any machine has.")
    return int(size)


def format_size(num_bytes: float) -> str:
    """`num_bytes` in the binary unit that reads best: `1.5 GiB`."""
    for unit in ("B", "KiB", "MiB", "GiB"):
        if abs(num_bytes) < 1024:
            return f"{num_bytes:.0f} {unit}" if unit == "B" else f"{num_bytes:.1f} {unit}"
        num_bytes /= 1024
    return f"{num_bytes:.1f} TiB"


def format_duration(seconds: float) -> str:
    """`seconds` as a person says it: `8 s`, `2 min 05 s`, `1 h 12 min`."""
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    minutes, rest = divmod(whole, 60)
    if minutes < 60:
        return f"{minutes} min {rest:02d} s"
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes:02d} min"
