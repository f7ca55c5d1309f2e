"""Standard streams that can be relied on, whoever started the program and however."""

import io
import os
import sys


def prepare_standard_streams() -> None:
    """Open what is closed, and let every character out.

    A closed stream's number would be given to the next file or pipe, which whoever closes or replaces
    "standard output" later then hits. Output is UTF-8: a pipe or an old console may say otherwise, and a
    quotation mark must not be what an answer fails at.
    """
    _open_closed_descriptors()
    for name in ("stdin", "stdout", "stderr"):
        if getattr(sys, name) is None:
            mode = "r" if name == "stdin" else "w"
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115, PTH123 - lives on
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")


def _open_closed_descriptors() -> None:
    if os.name != "posix":
        return
    descriptor = os.open(os.devnull, os.O_RDWR)
    while descriptor < 3:
        os.set_inheritable(descriptor, True)
        descriptor = os.open(os.devnull, os.O_RDWR)
    os.close(descriptor)
