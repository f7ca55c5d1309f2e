"""What users are told about keeping documents on the disk."""

from core.document_caches.shelf import KEPT_FREE_BYTES, CacheShelf
from core.units import format_size

DAMAGED_NOTE = (
    "What was kept of this document on the disk was damaged. It was dropped and the document was read anew."
)
OTHER_VERSION_NOTE = (
    "Another version of Lectern had read this document and kept it in a form that this version cannot use. "
    "The document was read anew; what the other version kept goes first when the room on the disk is needed."
)
DIGESTS_NOTE = (
    "What sparse mode had kept of this document on the disk was damaged. It was dropped and made anew."
)
BUSY_NOTE = (
    "This document is being read elsewhere on this machine at the same time, so that what was read here is "
    "not kept on the disk."
)
FULL_NOTE = (
    "The disk is full: what was read of this document could not be kept in full, and a part of it has to be "
    "read again next time."
)
FAILED_NOTE = "What was read of this document could not be kept on the disk ({reason})."
QUOTA_NOTE = (
    "What was read of this document is not kept on the disk: it would take {needed}, and {quota} are allowed "
    "for all documents together. Allow more with --cache-quota or in the settings, or free some of the disk."
)
SPACE_NOTE = (
    "What was read of this document is not kept on the disk: less than {kept} of the disk would be left "
    "free. Free some of it."
)


def no_room_note(shelf: CacheShelf, needed_bytes: int, key: str) -> str:
    """Why the cache `key` found no room to grow: too little is allowed, or the disk is full."""
    if shelf.is_within_quota(needed_bytes, keep=key):
        return SPACE_NOTE.format(kept=format_size(KEPT_FREE_BYTES))
    return QUOTA_NOTE.format(needed=format_size(needed_bytes), quota=format_size(shelf.quota_bytes))
