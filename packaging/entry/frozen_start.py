"""What an installed program does before anything else of it is imported."""

import multiprocessing
import os

_CHANGED_AT_START = ("LD_LIBRARY_PATH", "QT_PLUGIN_PATH", "QML2_IMPORT_PATH")


def prepare() -> None:
    """Become a worker process if this is the start of one, and leave nothing behind for other programs."""
    multiprocessing.freeze_support()
    give_back_paths()


def give_back_paths() -> None:
    """A browser or file manager that the window opens must not load the libraries of this bundle.

    This process has taken notice of the paths already; Qt finds its plugins by the place of its libraries.
    """
    for name in _CHANGED_AT_START:
        before = os.environ.pop(f"{name}_ORIG", None)
        if before is None:
            os.environ.pop(name, None)
        else:
            os.environ[name] = before
