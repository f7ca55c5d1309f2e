"""`lectern caches`: what was read and kept of documents, its removal, and checks of it."""

import argparse
import shutil
import time
from dataclasses import asdict
from typing import Any

from core.cancel import CancelToken
from core.console import Console
from core.document_caches.shelf import CacheEntry, CacheShelf
from core.errors import DamagedCacheError, OtherVersionCacheError, UsageError
from core.paths import document_caches_dir, recognised_texts_dir
from core.units import format_size

_OTHER_VERSION = "kept by another version of Lectern, not used by this one"


def caches(options: argparse.Namespace, console: Console, cancel: CancelToken) -> int:
    """List document caches, remove some, or check some; the exit code tells damage."""
    shelf = CacheShelf(document_caches_dir(options.cache_dir), options.cache_quota)
    if options.action == "list":
        _list(shelf, console)
        return 0
    if options.action == "remove":
        if not options.names and not options.all:
            raise UsageError(
                "Nothing to remove",
                "Name a document or a key that `lectern caches list` shows, or write --all.",
            )
        if options.all:
            shutil.rmtree(recognised_texts_dir(options.cache_dir), ignore_errors=True)
        _remove(shelf, _chosen(shelf, options), console)
        return 0
    return _verify(shelf, _chosen(shelf, options), console, cancel)


def _chosen(shelf: CacheShelf, options: argparse.Namespace) -> list[CacheEntry]:
    """What the names stand for, each once; everything without names."""
    if not options.names:
        return shelf.entries()
    found = {entry.key: entry for name in options.names for entry in shelf.find(name)}
    return list(found.values())


def _list(shelf: CacheShelf, console: Console) -> None:
    entries = shelf.entries()
    for entry in entries:
        console.record("cache", _entry_text(entry), _fields(entry))
    used, quota = sum(entry.size_bytes for entry in entries), shelf.quota_bytes
    console.finish(
        f"{len(entries)} document caches in {shelf.path} take {format_size(used)} of the "
        f"{format_size(quota)} that they may take. The longest unused ones go first when that is not enough.",
        {
            "num_caches": len(entries),
            "size_bytes": used,
            "quota_bytes": quota,
            "path": str(shelf.path),
        },
    )


def _remove(shelf: CacheShelf, entries: list[CacheEntry], console: Console) -> None:
    freed = 0
    for entry in entries:
        size_bytes = shelf.remove(entry.key)
        freed += size_bytes
        console.record(
            "removed",
            f"{entry.key[:12]}  {entry.name}: removed",
            {"key": entry.key, "size_bytes": size_bytes},
        )
    console.finish(
        f"{len(entries)} document caches removed, {format_size(freed)} freed.",
        {"num_removed": len(entries), "size_bytes": freed},
    )


def _verify(shelf: CacheShelf, entries: list[CacheEntry], console: Console, cancel: CancelToken) -> int:
    damaged: list[str] = []
    for entry in entries:
        reason, text = None, "whole and unchanged"
        try:
            shelf.verify(entry.key, cancel)
        except OtherVersionCacheError as error:
            reason, text = error.reason, _OTHER_VERSION
        except DamagedCacheError as error:
            reason, text = error.reason, f"damaged: {error.reason}"
            damaged.append(entry.key)
        console.record(
            "verified",
            f"{entry.key[:12]}  {entry.name}: {text}",
            {"key": entry.key, "is_sound": reason is None, "reason": reason},
        )
    words = f"{len(entries)} document caches checked, {len(damaged)} damaged."
    if damaged:
        words += " Remove them with: lectern caches remove KEY. Nothing damaged is ever used."
    console.finish(words, {"num_caches": len(entries), "damaged": damaged})
    return DamagedCacheError.exit_code if damaged else 0


def _entry_text(entry: CacheEntry) -> str:
    used = time.strftime("%Y-%m-%d %H:%M", time.localtime(entry.last_used))
    if entry.is_damaged:
        state = "unfinished or damaged"
    elif entry.is_other_version:
        state = _OTHER_VERSION
    elif entry.is_complete:
        state = f"{entry.total_tokens:,} tokens, {entry.model}"
    else:
        state = f"{entry.num_tokens:,} of {entry.total_tokens:,} tokens, {entry.model}"
    return f"{entry.key[:12]}  {format_size(entry.size_bytes):>10}  used {used}  {entry.name} ({state})"


def _fields(entry: CacheEntry) -> dict[str, Any]:
    return {**asdict(entry), "is_complete": entry.is_complete}
