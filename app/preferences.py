"""What the user has chosen for this computer, kept between two runs."""

from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from app import stored
from app.i18n import LANGUAGES, SYSTEM_LANGUAGE
from app.theme import Scheme
from core.documents.language_data import are_languages
from core.paths import data_dir
from core.planning.profiles import AUTO
from core.settings import CPU_MEMORY_POLICIES, CPU_MEMORY_STRATEGIES, KV_CODECS, MAX_THREADS, MODES

T = TypeVar("T")

MOST_NEW_TOKENS = 1 << 20
HIGHEST_TEMPERATURE = 5.0
_VERSION = 2
_WITHOUT_ENGINE = 1
"""The version that knew language, appearance and model only; its keys still mean the same."""

RECOGNITION_TIMES = ("ask", "always", "never")
_MOST_BYTES = 1 << 50
_MOST_TOKENS = 1 << 30
_MOST_SEED = (1 << 31) - 1
_MOST_MODELS = 100


@dataclass(frozen=True)
class MemoryChoices:
    """How the cache is kept; None leaves a choice to the profile. Windows and intervals are in tokens.

    `max_seq_len` caps the context (tokens), None is the model's own.
    """

    hot_budget_bytes: int | None = None
    active_window: int | None = None
    migration_interval: int | None = None
    codec: str | None = None
    mode: str = "exact"
    strategy: str | None = None
    policy: str | None = None
    prefill_chunk: int | None = None
    threads: int | None = None
    max_seq_len: int | None = None


@dataclass(frozen=True)
class RecognitionChoices:
    """When pages without a sound text are read with text recognition, and in which languages.

    `languages` are as Tesseract takes them, `eng+deu`; None is the system's language and English.
    """

    when: str = "ask"
    languages: str | None = None


@dataclass(frozen=True)
class Preferences:
    """`language` is `system` or a key of `LANGUAGES`; `model` is what `--model` takes.

    `loaded_anyway` names models that are loaded although the planner sees no room for them. `needs_setup`
    holds until the first steps have been taken or skipped.
    """

    language: str = SYSTEM_LANGUAGE
    scheme: Scheme = Scheme.SYSTEM
    model: str = "starter"
    profile: str = AUTO
    memory: MemoryChoices = field(default_factory=MemoryChoices)
    temperature: float = 0.0
    max_new_tokens: int = 512
    seed: int | None = None
    loaded_anyway: tuple[str, ...] = ()
    needs_setup: bool = False
    keeps_read: bool = True
    cache_quota_bytes: int | None = None
    shows_evidence: bool = True
    recognition: RecognitionChoices = field(default_factory=RecognitionChoices)


def preferences_path() -> Path:
    return data_dir() / "preferences.json"


def load_preferences(path: Path) -> Preferences:
    """The stored choices; the defaults stand in for what is missing or makes no sense.

    Without a file nothing was ever chosen, so that setup is needed.
    """
    content = stored.load(path, _VERSION, older=(_WITHOUT_ENGINE,))
    default = Preferences(needs_setup=not path.exists())
    scheme = _valid(content, "scheme", default.scheme.value, lambda value: value in set(Scheme))
    return Preferences(
        language=_valid(content, "language", default.language, lambda value: value in LANGUAGES),
        scheme=Scheme(scheme),
        model=_valid(content, "model", default.model, _is_name),
        profile=_valid(content, "profile", default.profile, _is_name),
        memory=_memory(content.get("memory")),
        temperature=float(
            _valid(content, "temperature", default.temperature, _is_number(0, HIGHEST_TEMPERATURE))
        ),
        max_new_tokens=_valid(
            content, "max_new_tokens", default.max_new_tokens, _is_whole(1, MOST_NEW_TOKENS)
        ),
        seed=_valid(content, "seed", default.seed, _is_whole(0, _MOST_SEED)),
        loaded_anyway=_names(content.get("loaded_anyway")),
        needs_setup=_valid(
            content, "needs_setup", default.needs_setup, lambda value: isinstance(value, bool)
        ),
        keeps_read=_valid(content, "keeps_read", default.keeps_read, lambda value: isinstance(value, bool)),
        cache_quota_bytes=_valid(content, "cache_quota_bytes", None, _is_whole(0, _MOST_BYTES)),
        shows_evidence=_valid(
            content, "shows_evidence", default.shows_evidence, lambda value: isinstance(value, bool)
        ),
        recognition=_recognition(content.get("recognition")),
    )


def save_preferences(path: Path, preferences: Preferences) -> None:
    content = asdict(preferences)
    content["scheme"] = preferences.scheme.value
    stored.save(path, _VERSION, content)


def _memory(content: Any) -> MemoryChoices:
    if not isinstance(content, dict):
        return MemoryChoices()
    return MemoryChoices(
        hot_budget_bytes=_valid(content, "hot_budget_bytes", None, _is_whole(0, _MOST_BYTES)),
        active_window=_valid(content, "active_window", None, _is_whole(0, _MOST_TOKENS)),
        migration_interval=_valid(content, "migration_interval", None, _is_whole(1, _MOST_TOKENS)),
        codec=_valid(content, "codec", None, lambda value: value in KV_CODECS),
        mode=_valid(content, "mode", MemoryChoices().mode, lambda value: value in MODES),
        strategy=_valid(content, "strategy", None, lambda value: value in CPU_MEMORY_STRATEGIES),
        policy=_valid(content, "policy", None, lambda value: value in CPU_MEMORY_POLICIES),
        prefill_chunk=_valid(content, "prefill_chunk", None, _is_whole(1, _MOST_TOKENS)),
        threads=_valid(content, "threads", None, _is_whole(1, MAX_THREADS)),
        max_seq_len=_valid(content, "max_seq_len", None, _is_whole(1, _MOST_TOKENS)),
    )


def _recognition(content: Any) -> RecognitionChoices:
    if not isinstance(content, dict):
        return RecognitionChoices()
    return RecognitionChoices(
        when=_valid(content, "when", RecognitionChoices().when, lambda value: value in RECOGNITION_TIMES),
        languages=_valid(content, "languages", None, are_languages),
    )


def _valid(content: dict[str, Any], name: str, default: T, is_valid: Callable[[Any], bool]) -> T:
    value = content.get(name)
    try:
        return value if value is not None and is_valid(value) else default
    except TypeError:  # a list or an object where a text or a number belongs
        return default


def _is_name(value: Any) -> bool:
    return isinstance(value, str) and bool(value.strip())


def _is_number(low: float, high: float) -> Callable[[Any], bool]:
    return lambda value: (
        isinstance(value, int | float) and not isinstance(value, bool) and low <= value <= high
    )


def _is_whole(low: int, high: int) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, int) and not isinstance(value, bool) and low <= value <= high


def _names(content: Any) -> tuple[str, ...]:
    if not isinstance(content, list):
        return ()
    return tuple(dict.fromkeys(name for name in content if _is_name(name)))[:_MOST_MODELS]
