"""Which texts of a DOCX its readers do not see: hidden by mark or style, tiny, white on white, moved away."""

from collections.abc import Iterator
from xml.etree import ElementTree

Element = ElementTree.Element

WORD = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_COMPATIBILITY = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"
_OFF = ("0", "false", "off", "none")
_MARKS = ("vanish", "webHidden", "specVanish")
_MAX_TINY = 3
_MIN_WHITE = 0xF5
_HAVE_GROUNDS = ("tcPr", "tblPr", "pPr", "rPr")
_REMOVED = (f"{WORD}moveFrom", f"{WORD}del", f"{_COMPATIBILITY}Fallback")


def hidden_styles(styles: bytes) -> frozenset[str]:
    """The names of the styles that hide what has them, and of those that are based on these."""
    hides: dict[str, bool] = {}
    based: dict[str, str] = {}
    for style in ElementTree.fromstring(styles).iter(f"{WORD}style"):
        name = style.get(f"{WORD}styleId", "")
        parent = style.find(f"{WORD}basedOn")
        if parent is not None:
            based[name] = parent.get(f"{WORD}val", "")
        mark = _mark(style.find(f"{WORD}rPr"))
        if mark is not None:
            hides[name] = mark
    for name in based:
        path = [name]
        while path[-1] not in hides and path[-1] in based and len(path) <= len(based):
            path.append(based[path[-1]])
        hides.update(dict.fromkeys(path, hides.get(path[-1], False)))
    return frozenset(name for name, is_hidden in hides.items() if is_hidden)


def without_unseen(root: Element, styles: frozenset[str]) -> list[str]:
    """Take out what readers do not see; returns the texts of it, but for those that merely moved away."""
    return [" ".join(text.split()) for text in _taken_out(root, styles) if text.strip()]


def _taken_out(root: Element, styles: frozenset[str]) -> Iterator[str]:
    """Works down the tree; recursion would end at the depth that a hostile file chooses."""
    stack = [(root, False, False)]
    while stack:
        parent, ground, is_style_hidden = stack.pop()
        ground = ground or _has_ground(parent)
        if parent.tag == f"{WORD}p":
            is_style_hidden = _style(parent.find(f"{WORD}pPr"), "pStyle") in styles
        deeper = []
        for child in list(parent):
            if child.tag in _REMOVED:
                parent.remove(child)
            elif child.tag == f"{WORD}r" and _is_unseen(child, styles, ground, is_style_hidden):
                parent.remove(child)
                yield "".join(piece.text or "" for piece in child.iter(f"{WORD}t"))
            else:
                deeper.append((child, ground, is_style_hidden))
        stack += reversed(deeper)


def _is_unseen(run: Element, styles: frozenset[str], has_ground: bool, is_style_hidden: bool) -> bool:
    properties = run.find(f"{WORD}rPr")
    if properties is None:
        return is_style_hidden
    mark = _mark(properties)
    if mark or (mark is None and (is_style_hidden or _style(properties, "rStyle") in styles)):
        return True
    size = properties.find(f"{WORD}sz")
    if size is not None and _number(size, 10) <= _MAX_TINY:
        return True
    color = properties.find(f"{WORD}color")
    return color is not None and _is_white(color) and not has_ground and not _has_ground(run)


def _mark(properties: Element | None) -> bool | None:
    """Whether these properties hide or show; None if they say neither."""
    if properties is None:
        return None
    marks = [mark for name in _MARKS if (mark := properties.find(f"{WORD}{name}")) is not None]
    return any(mark.get(f"{WORD}val", "true") not in _OFF for mark in marks) if marks else None


def _style(properties: Element | None, kind: str) -> str:
    found = None if properties is None else properties.find(f"{WORD}{kind}")
    return "" if found is None else found.get(f"{WORD}val", "")


def _has_ground(element: Element) -> bool:
    """Whether the element lies on a colour of its own, or on one that only its style or a drawing tells."""
    if element.tag.endswith(("}txbxContent", "}drawing", "}pict")):
        return True
    for name in _HAVE_GROUNDS:
        properties = element.find(f"{WORD}{name}")
        if properties is not None and any(
            properties.find(f"{WORD}{mark}") is not None
            for mark in ("shd", "highlight", "tblStyle", "pStyle", "rStyle")
        ):
            return True
    return element.find(f"{WORD}background") is not None


def _is_white(color: Element) -> bool:
    value = color.get(f"{WORD}val", "")
    try:
        red, green, blue = bytes.fromhex(value)
    except ValueError:
        return False
    return min(red, green, blue) >= _MIN_WHITE


def _number(element: Element, otherwise: int) -> float:
    try:
        return float(element.get(f"{WORD}val", ""))
    except ValueError:
        return otherwise
