"""The window of a build: opened with a file as a desktop does it, asked, and ended by itself."""

from __future__ import annotations

import contextlib
import json
import os
import select
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from typing import Any

from environment import say
from installed import ANSWER_LIMIT_S, CheckError, Installed
from smoke_commands import library_rows

_FOREIGN_PATH = "/nowhere/lib"
_DISPLAY_LIMIT_S = 60
_TRANSLATIONS = {"en": [], "zh_CN": ["lectern_zh_CN", "qtbase_zh_CN"]}


def check_window(installed: Installed, platform: str, language: str, display: str | None = None) -> None:
    """The window opens the file of its argument, asks, keeps the conversation, and looks as it should."""
    extra = {"QT_QPA_PLATFORM": platform, "LD_LIBRARY_PATH": _FOREIGN_PATH}
    if display is not None:
        extra["DISPLAY"] = display
    arguments = ["--self-test", "--language", language, str(installed.sample().path)]
    lines = installed.run("lectern-app", *arguments, limit_s=ANSWER_LIMIT_S, extra=extra).splitlines()
    kept = library_rows(installed.library, "turns")
    if kept == 0:
        raise CheckError("The window kept nothing of its conversation in the library")
    if not lines and sys.platform == "win32":  # a window's program has no console there; it ended with 0
        say(f"lectern-app on {platform}: ended well")
        return
    report: dict[str, Any] = json.loads(lines[-1])
    if sys.platform != "win32" and report["inherited"] != {"LD_LIBRARY_PATH": _FOREIGN_PATH}:
        raise CheckError(f"Programs started by the window would inherit {report['inherited']}")
    check_look(report["look"], language)
    times = ", ".join(f"{name} {report[f'{name}_s']} s" for name in ("window", "model", "answer"))
    say(f"lectern-app on {platform} in {language}: {report['answer']!r}, {times} after its start")


def check_look(look: dict[str, Any] | None, language: str) -> None:
    """Raises `CheckError` unless translations, icons and style sheet were found."""
    if look is None:
        raise CheckError("The window never stood")
    found = (look["language"], look["translations"], look["blank_icons"], look["is_styled"])
    if found != (language, _TRANSLATIONS[language], [], True) or look["num_icons"] == 0:
        raise CheckError(f"The window in {language} looks wrong: {look}")


@contextlib.contextmanager
def virtual_display() -> Iterator[str | None]:
    """The name of a screen that nobody sees; None if this machine has no Xvfb, or one that does not start."""
    program = shutil.which("Xvfb")
    if program is None:
        say("There is no Xvfb: the window was tried without a screen only")
        yield None
        return
    reader, writer = os.pipe()
    with os.fdopen(reader, "rb") as answers:
        server = subprocess.Popen(
            [program, "-displayfd", str(writer), "-screen", "0", "1280x800x24", "-nolisten", "tcp"],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            pass_fds=[writer],
        )
        os.close(writer)
        try:
            number = _first_line(answers.fileno(), time.monotonic() + _DISPLAY_LIMIT_S)
            if not number:
                say("Xvfb did not start: the window was tried without a screen only")
            yield f":{number}" if number else None
        finally:
            server.terminate()
            server.wait()


def _first_line(descriptor: int, deadline: float) -> str:
    """What is read up to the end of a line; what has come until `deadline` or the end otherwise."""
    read = b""
    while not read.endswith(b"\n"):
        left = deadline - time.monotonic()
        if left <= 0 or not select.select([descriptor], [], [], left)[0]:
            return ""
        piece = os.read(descriptor, 64)
        if not piece:
            return ""
        read += piece
    return read.decode().strip()
