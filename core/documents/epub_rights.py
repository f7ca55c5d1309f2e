"""Whether the chapters of an EPUB are encrypted by digital rights management."""

import re
import zipfile
import zlib
from zipfile import ZipFile

from core.documents.file_names import shown_name
from core.errors import DocumentError

_ENCRYPTION = "META-INF/encryption.xml"
_MAX_BYTES = 10_000_000
_REFERENCE = re.compile(rb"""CipherReference\b[^>]{0,400}?\bURI\s*=\s*["']([^"']{0,2000})["']""")
_FONTS = (b".otf", b".ttf", b".ttc", b".eot", b".woff", b".woff2")
_FONT_METHODS = (b"http://www.idpf.org/2008/embedding", b"http://ns.adobe.com/pdf/enc#RC")
_METHOD = re.compile(rb"""EncryptionMethod\b[^>]{0,400}?\bAlgorithm\s*=\s*["']([^"']{0,200})["']""")


def require_readable_epub(path: str) -> None:
    """Raise `DocumentError` if more than fonts is encrypted, which many publishers do to sound books."""
    try:
        with ZipFile(path) as archive:
            if _ENCRYPTION not in archive.namelist() or archive.getinfo(_ENCRYPTION).file_size > _MAX_BYTES:
                return
            source = archive.read(_ENCRYPTION)
    except (zipfile.BadZipFile, zlib.error, EOFError, OSError, ValueError, RuntimeError):
        return
    methods = [method for method in _METHOD.findall(source) if method not in _FONT_METHODS]
    names = _REFERENCE.findall(source)
    if any(not name.lower().endswith(_FONTS) for name in names) and (methods or not _METHOD.search(source)):
        raise DocumentError(
            "Copy-protected book",
            f"“{shown_name(path)}” is encrypted by its publisher (DRM) and opens only in the publisher's own "
            "reader. Use a copy without this protection.",
        )
