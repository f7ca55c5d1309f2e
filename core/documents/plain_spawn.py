"""Starts a spawned process without a second copy of the program in it."""

import sys
import threading
import types
from multiprocessing.context import SpawnProcess

_start_lock = threading.Lock()


def start_without_main(process: SpawnProcess) -> None:
    """Start a spawned process that does not import the program's `__main__` again.

    The child needs none of it: importing it would cost seconds (a test runner, the window) and fails where
    there is no such file (a frozen program, standard input).
    """
    with _start_lock:
        main = sys.modules["__main__"]
        sys.modules["__main__"] = types.ModuleType("__main__")
        try:
            process.start()
        finally:
            sys.modules["__main__"] = main
