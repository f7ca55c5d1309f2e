"""A DOCX file as MuPDF can lay it out: with the parts it insists on and with notes, without unseen text."""

import io
import re
from xml.etree import ElementTree
from zipfile import ZIP_DEFLATED, BadZipFile, ZipFile

from core.documents.docx_visibility import WORD, hidden_styles, without_unseen

_DOCUMENT = "word/document.xml"
_STYLES = "word/styles.xml"
_RELATIONS = "word/_rels/document.xml.rels"
_NOTES = {"footnote": "word/footnotes.xml", "endnote": "word/endnotes.xml"}
_NO_RELATIONS = (
    '<?xml version="1.0"?><Relationships '
    'xmlns="http://schemas.openxmlformats.org/package/2006/relationships"></Relationships>'
)
_BREAKS = (f"{WORD}p", f"{WORD}tab", f"{WORD}br", f"{WORD}cr")
_MAX_XML_BYTES = 200_000_000
_MAX_PART_BYTES = 20_000_000
_NEEDS_MENDING = re.compile(
    rb"<\w+:(?:vanish|webHidden|specVanish|moveFrom|Fallback|footnoteReference|endnoteReference)\b"
    rb'|<\w+:color \w+:val="[Ff]|<\w+:sz \w+:val="[0-3]"'
)
_HIDES = re.compile(rb"<\w+:(?:vanish|webHidden|specVanish)\b")


def docx_source(path: str) -> tuple[bytes | None, list[str]]:
    """The file's bytes, mended, or None if it can be opened as it is; and the texts that were taken out.

    Raises `BadZipFile` and `ElementTree.ParseError` on a damaged file.
    """
    with ZipFile(path) as archive:
        info = archive.getinfo(_DOCUMENT)
        if info.file_size > _MAX_XML_BYTES:
            raise BadZipFile("the document is too large")
        xml = archive.read(_DOCUMENT)
        styles = _part(archive, _STYLES)
        has_relations = _RELATIONS in archive.namelist()
        if has_relations and not _NEEDS_MENDING.search(xml) and not _HIDES.search(styles):
            return None, []
        names = hidden_styles(styles) if _HIDES.search(styles) else frozenset()
        root = ElementTree.fromstring(xml)
        hidden = without_unseen(root, names)
        for kind, name in _NOTES.items():
            hidden += _add_notes(root, kind, _part(archive, name), names)
        visible = ElementTree.tostring(root, encoding="utf-8", xml_declaration=True)
        buffer = io.BytesIO()
        with ZipFile(buffer, "w", ZIP_DEFLATED) as copy:
            for item in archive.infolist():
                if item.filename != _DOCUMENT and item.file_size <= _MAX_XML_BYTES:
                    copy.writestr(item, archive.read(item))
            copy.writestr(_DOCUMENT, visible)
            if not has_relations:
                copy.writestr(_RELATIONS, _NO_RELATIONS)
    return buffer.getvalue(), hidden


def _part(archive: ZipFile, name: str) -> bytes:
    """A part of the file that may be missing; nothing of one that is absurdly large."""
    try:
        return archive.read(name) if archive.getinfo(name).file_size <= _MAX_PART_BYTES else b""
    except KeyError:
        return b""


def _add_notes(root: ElementTree.Element, kind: str, xml: bytes, styles: frozenset[str]) -> list[str]:
    """Put a number at each reference to a note, and the notes as paragraphs at the end.

    Returns what readers do not see of the notes.
    """
    body = root.find(f"{WORD}body")
    if not xml or body is None:
        return []
    notes = ElementTree.fromstring(xml)
    hidden = without_unseen(notes, styles)
    texts = {note.get(f"{WORD}id"): _text(note) for note in notes.iter(f"{WORD}{kind}")}
    numbered = 0
    for run in list(root.iter(f"{WORD}r")):
        for reference in run.findall(f"{WORD}{kind}Reference"):
            text = texts.get(reference.get(f"{WORD}id"))
            if text is None:
                continue
            numbered += 1
            mark = f"({numbered})" if kind == "footnote" else f"(note {numbered})"
            ElementTree.SubElement(run, f"{WORD}t").text = mark
            paragraph = ElementTree.SubElement(body, f"{WORD}p")
            line = ElementTree.SubElement(ElementTree.SubElement(paragraph, f"{WORD}r"), f"{WORD}t")
            line.text = f"{mark} {text}"
    return hidden


def _text(note: ElementTree.Element) -> str:
    pieces = []
    for piece in note.iter():
        if piece.tag == f"{WORD}t":
            pieces.append(piece.text or "")
        elif piece.tag in _BREAKS:
            pieces.append(" ")
    return " ".join("".join(pieces).split())
