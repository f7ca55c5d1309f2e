"""Whether the chapters of an EPUB are encrypted by digital rights management."""

import re
import zipfile
from zipfile import ZipFile

from core.documents.file_names import shown_name
from core.errors import DocumentError

_ENCRYPTION = "META-INF/encryption.xml"
_MAX_BYTES = 10_000_000
_REFERENCE = re.compile(rb"""CipherReference\b[^>]*\bURI\s*=\s*["']([^"']*)["']""")
_FONTS = (b".otf", b".ttf", b".woff", b".woff2")


def require_readable_epub(path: str) -> None:
    """Raise `DocumentError` if more than fonts is encrypted, which many publishers do to sound books."""
    try:
        with ZipFile(path) as archive:
            if _ENCRYPTION not in archive.namelist() or archive.getinfo(_ENCRYPTION).file_size > _MAX_BYTES:
                return
            names = _REFERENCE.findall(archive.read(_ENCRYPTION))
    except (zipfile.BadZipFile, OSError, ValueError, RuntimeError, NotImplementedError):
        return
    if any(not name.lower().endswith(_FONTS) for name in names):
        raise DocumentError(
            "Copy-protected book",
            f"“{shown_name(path)}” is encrypted by its publisher (DRM) and opens only in the publisher's own "
            "reader. Use a copy without this protection.",
        )
