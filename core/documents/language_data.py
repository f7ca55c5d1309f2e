"""Where Tesseract's language data lies, and which of it serves a document."""

import contextlib
import locale
import os
import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from core.errors import DocumentError, UsageError
from core.paths import data_dir

SUFFIX = ".traineddata"

_SYSTEM = Path("/")
_PLACES = (
    "usr/share/tesseract-ocr/*/tessdata",
    "usr/share/tessdata",
    "usr/local/share/tessdata",
    "opt/homebrew/share/tessdata",
)
_NO_LANGUAGES = frozenset({"osd", "equ"})
_FALLBACK = "eng"
_NAMES = re.compile(r"[A-Za-z0-9_]+(?:\+[A-Za-z0-9_]+)*")
_BY_LOCALE = {
    "ar": "ara", "cs": "ces", "da": "dan", "de": "deu", "el": "ell", "en": "eng", "es": "spa", "fi": "fin",
    "fr": "fra", "he": "heb", "hu": "hun", "it": "ita", "ja": "jpn", "ko": "kor", "nb": "nor", "nl": "nld",
    "pl": "pol", "pt": "por", "ro": "ron", "ru": "rus", "sv": "swe", "tr": "tur", "uk": "ukr",
    "zh_CN": "chi_sim", "zh_HK": "chi_tra", "zh_SG": "chi_sim", "zh_TW": "chi_tra",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class LanguageData:
    """Languages, the most likely first, all of whose files lie in one folder."""

    folder: Path
    languages: tuple[str, ...]

    @property
    def name(self) -> str:
        """As Tesseract takes it: `eng+deu`."""
        return "+".join(self.languages)


def language_folders(root: Path = _SYSTEM) -> list[Path]:
    """The folders where language data may lie, the user's own first. `root` is for tests."""
    places = []
    prefix = os.environ.get("TESSDATA_PREFIX")
    if prefix:
        places += [Path(prefix), Path(prefix) / "tessdata"]
    places.append(data_dir() / "tessdata")
    for place in _PLACES:
        places += sorted(root.glob(place), reverse=True)
    program_files = os.environ.get("PROGRAMFILES")
    if program_files:
        places.append(Path(program_files) / "Tesseract-OCR" / "tessdata")
    return places


def languages_in(folder: Path) -> frozenset[str]:
    """The languages whose data is in the folder, which need not exist."""
    with contextlib.suppress(OSError):
        return frozenset(path.stem for path in folder.glob(f"*{SUFFIX}")) - _NO_LANGUAGES
    return frozenset()


def are_languages(text: str) -> bool:
    """Whether it names languages as Tesseract takes them."""
    return bool(_NAMES.fullmatch(text))


def find_language_data(wanted: str | None = None, folders: Sequence[Path] | None = None) -> LanguageData:
    """The data for `wanted`, such as `eng+deu`; None for the system's language and English, if present.

    Raises `UsageError` if `wanted` names no languages, and `DocumentError`, which tells how to get them, if
    the data is missing.
    """
    if wanted is not None and not are_languages(wanted):
        raise UsageError("No language", f"{wanted!r} names no languages; write for example eng or eng+deu.")
    present = [(place, languages_in(place)) for place in folders or language_folders()]
    if wanted is None:
        return _matching(present)
    names = tuple(dict.fromkeys(wanted.split("+")))
    missing = set(names)
    for folder, languages in present:
        if languages >= set(names):
            return LanguageData(folder, names)
        missing = min(missing, set(names) - languages, key=len)
    raise missing_data([name for name in names if name in missing])


def _matching(present: Sequence[tuple[Path, frozenset[str]]]) -> LanguageData:
    """What suits the system's language; any language rather than none."""
    likely = dict.fromkeys([*_system_language(), _FALLBACK])
    best = LanguageData(Path(), ())
    for folder, languages in present:
        found = tuple(name for name in likely if name in languages)
        if len(found) > len(best.languages):
            best = LanguageData(folder, found)
    if best.languages:
        return best
    for folder, languages in present:
        if languages:
            return LanguageData(folder, (min(languages),))
    raise missing_data([_FALLBACK])


def _system_language() -> list[str]:
    name = locale.getlocale()[0] or os.environ.get("LANG", "")
    name = name.partition(".")[0]
    found = _BY_LOCALE.get(name) or _BY_LOCALE.get(name.partition("_")[0])
    return [found] if found else []


def install_command(languages: Sequence[str], platform: str = sys.platform) -> str:
    """What brings the data of the languages to this system."""
    if platform == "win32":
        return "winget install UB-Mannheim.TesseractOCR"
    if platform == "darwin":
        return "brew install tesseract-lang"
    packages = [f"tesseract-ocr-{name.lower().replace('_', '-')}" for name in languages]
    return f"sudo apt install {' '.join(packages)}"


def missing_data(languages: Sequence[str]) -> DocumentError:
    """What is said when text recognition cannot go on without the data of `languages`."""
    return DocumentError(
        "Text recognition is not set up",
        f"Tesseract's language data for {' and '.join(languages)} was not found. "
        f"Install it with: {install_command(languages)}",
    )
