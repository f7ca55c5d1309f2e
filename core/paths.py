"""Where Lectern keeps its files; every place can be moved by an environment variable."""

import os
import sys
from pathlib import Path

RESOURCES_DIR = Path(__file__).resolve().parent.parent / "resources"


def cache_dir() -> Path:
    """What can be fetched or computed again: models and document caches (`LECTERN_CACHE_DIR`)."""
    return _place("LECTERN_CACHE_DIR", "XDG_CACHE_HOME", ".cache", "Caches")


def data_dir() -> Path:
    """What a user would miss: preferences, the list of recent files, the log (`LECTERN_DATA_DIR`)."""
    return _place("LECTERN_DATA_DIR", "XDG_DATA_HOME", ".local/share", "Application Support")


def models_dir(cache_root: Path | None = None) -> Path:
    return (cache_root or cache_dir()) / "models"


def document_caches_dir(cache_root: Path | None = None) -> Path:
    """What was read of documents (`LECTERN_DOCUMENT_CACHES_DIR`, unless `cache_root` says otherwise)."""
    own = os.environ.get("LECTERN_DOCUMENT_CACHES_DIR")
    if own and cache_root is None:
        return Path(own)
    return (cache_root or cache_dir()) / "document-caches"


def recognised_texts_dir(cache_root: Path | None = None) -> Path:
    """What text recognition found on the pages of documents."""
    return (cache_root or cache_dir()) / "text-recognition"


def bundled_models_dir() -> Path | None:
    """Models that came with an installed program, beside its executable; only ever read from."""
    if not getattr(sys, "frozen", False):
        return None
    return Path(sys.executable).resolve().parent / "models"


def _place(own_variable: str, xdg_variable: str, linux_folder: str, mac_folder: str) -> Path:
    own = os.environ.get(own_variable)
    if own:
        return Path(own)
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
        return base / "Lectern" / mac_folder
    if sys.platform == "darwin":
        return Path.home() / "Library" / mac_folder / "Lectern"
    return Path(os.environ.get(xdg_variable) or Path.home() / linux_folder) / "lectern"
