"""The languages of the window: which there are, which one to show, and how to change it."""

from collections.abc import Sequence

from PySide6.QtCore import QCoreApplication, QLibraryInfo, QLocale, QTranslator

from core.paths import RESOURCES_DIR

I18N_DIR = RESOURCES_DIR / "i18n"
SYSTEM_LANGUAGE = "system"
LANGUAGES = {"en": "English", "zh_CN": "简体中文"}
"""Each language by its own name: whoever cannot read the window must find theirs."""

_TRANSLATOR_NAMES = ("lectern_translator", "qt_translator")


def choose_language(wanted: str, system_languages: Sequence[str]) -> str:
    """A language that the window speaks: the one wanted, else the system's first match, else English."""
    if wanted in LANGUAGES:
        return wanted
    for name in system_languages:
        parts = name.replace("-", "_").split("_")
        if parts[0] == "en":
            return "en"
        if parts[0] == "zh" and not {"TW", "HK", "MO", "Hant"} & set(parts):
            return "zh_CN"
    return "en"


def install(app: QCoreApplication, language: str = SYSTEM_LANGUAGE) -> str:
    """Speak `language` (`system`, or a key of `LANGUAGES`) from now on; returns the one that is spoken.

    Widgets hear of it by a LanguageChange event.
    """
    spoken = choose_language(language, QLocale.system().uiLanguages())
    for name in _TRANSLATOR_NAMES:
        old = app.findChild(QTranslator, name)
        if old is not None:
            app.removeTranslator(old)
            old.setParent(None)
    app.setProperty("lectern_language", spoken)
    if spoken != "en":
        qt_folder = QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)
        _add(app, "qt_translator", f"qtbase_{spoken}", qt_folder)
        _add(app, "lectern_translator", f"lectern_{spoken}", str(I18N_DIR))
    QLocale.setDefault(QLocale(spoken))
    return spoken


def _add(app: QCoreApplication, name: str, file_name: str, folder: str) -> None:
    translator = QTranslator(app)
    translator.setObjectName(name)
    if translator.load(file_name, folder):
        app.installTranslator(translator)


def spoken_language(app: QCoreApplication) -> str:
    """The key of `LANGUAGES` that is spoken now."""
    spoken = str(app.property("lectern_language") or "")
    return spoken if spoken in LANGUAGES else "en"
