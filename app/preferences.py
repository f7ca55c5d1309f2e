"""What the user has chosen for this computer, kept between two runs."""

from dataclasses import dataclass
from pathlib import Path

from app import stored
from app.i18n import LANGUAGES, SYSTEM_LANGUAGE
from app.theme import Scheme
from core.paths import data_dir

_VERSION = 1


@dataclass(frozen=True)
class Preferences:
    """`language` is `system` or a key of `LANGUAGES`; `model` is what `--model` takes."""

    language: str = SYSTEM_LANGUAGE
    scheme: Scheme = Scheme.SYSTEM
    model: str = "starter"


def preferences_path() -> Path:
    return data_dir() / "preferences.json"


def load_preferences(path: Path) -> Preferences:
    """The stored choices; the defaults stand in for what is missing or makes no sense."""
    content = stored.load(path, _VERSION)
    default = Preferences()
    language, scheme, model = content.get("language"), content.get("scheme"), content.get("model")
    return Preferences(
        language=language if language in LANGUAGES else default.language,
        scheme=Scheme(scheme) if scheme in set(Scheme) else default.scheme,
        model=model if isinstance(model, str) and model.strip() else default.model,
    )


def save_preferences(path: Path, preferences: Preferences) -> None:
    content = {
        "language": preferences.language,
        "scheme": preferences.scheme.value,
        "model": preferences.model,
    }
    stored.save(path, _VERSION, content)
