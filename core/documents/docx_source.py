"""A DOCX file as MuPDF can lay it out: with the parts it insists on, without text that Word hides."""

import io
import re
from xml.etree import ElementTree
from zipfile import ZIP_DEFLATED, BadZipFile, ZipFile

_WORD = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_DOCUMENT = "word/document.xml"
_RELATIONS = "word/_rels/document.xml.rels"
_NO_RELATIONS = (
    '<?xml version="1.0"?><Relationships '
    'xmlns="http://schemas.openxmlformats.org/package/2006/relationships"></Relationships>'
)
_MAX_XML_BYTES = 200_000_000
_MAY_HIDE = re.compile(rb"<\w+:(?:vanish|webHidden|specVanish)\b")
_OFF = ("0", "false", "off")


def docx_source(path: str) -> tuple[bytes | None, list[str]]:
    """The file's bytes, mended, or None if it can be opened as it is; and the texts that were taken out.

    Raises `BadZipFile` and `ElementTree.ParseError` on a damaged file.
    """
    with ZipFile(path) as archive:
        info = archive.getinfo(_DOCUMENT)
        if info.file_size > _MAX_XML_BYTES:
            raise BadZipFile("the document is too large")
        xml = archive.read(_DOCUMENT)
        has_relations = _RELATIONS in archive.namelist()
        if has_relations and not _MAY_HIDE.search(xml):
            return None, []
        visible, hidden = _without_hidden_runs(xml)
        buffer = io.BytesIO()
        with ZipFile(buffer, "w", ZIP_DEFLATED) as copy:
            for item in archive.infolist():
                if item.filename != _DOCUMENT and item.file_size <= _MAX_XML_BYTES:
                    copy.writestr(item, archive.read(item))
            copy.writestr(_DOCUMENT, visible)
            if not has_relations:
                copy.writestr(_RELATIONS, _NO_RELATIONS)
    return buffer.getvalue(), hidden


def _without_hidden_runs(xml: bytes) -> tuple[bytes, list[str]]:
    root = ElementTree.fromstring(xml)
    hidden: list[str] = []
    for parent in root.iter():
        for run in [child for child in parent if child.tag == f"{_WORD}r" and _is_hidden(child)]:
            text = "".join(piece.text or "" for piece in run.iter(f"{_WORD}t"))
            if text.strip():
                hidden.append(" ".join(text.split()))
            parent.remove(run)
    return ElementTree.tostring(root, encoding="utf-8", xml_declaration=True), hidden


def _is_hidden(run: ElementTree.Element) -> bool:
    properties = run.find(f"{_WORD}rPr")
    if properties is None:
        return False
    marks = [properties.find(f"{_WORD}{name}") for name in ("vanish", "webHidden", "specVanish")]
    return any(mark is not None and mark.get(f"{_WORD}val", "true") not in _OFF for mark in marks)
