"""The window's job without a window: one question, answered in the terminal."""

import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from core.samples import all_samples, default_sample

QUESTION_FOR_ANY_DOCUMENT = "What is this document about?"
_DISPLAY_VARIABLES = ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")


def lacks_display(environment: Mapping[str, str], platform: str) -> bool:
    """Whether a window could not be shown at all."""
    return platform.startswith("linux") and not any(environment.get(name) for name in _DISPLAY_VARIABLES)


def ask_in_terminal(files: Sequence[str]) -> None:
    """Become the command line, with the question of the sample or one that fits every document."""
    paths = list(files) or [str(default_sample().path)]
    question = question_for(paths)
    sys.stderr.write(f"There is no display for a window; asking in the terminal: {question}\n")
    sys.stderr.flush()
    os.execv(_executable()[0], [*_executable(), "ask", *paths, "--question", question])


def question_for(paths: Sequence[str]) -> str:
    """The first question of the sample, if `paths` is one; else one that fits every document."""
    for sample in all_samples():
        if [Path(path).resolve() for path in paths] == [sample.path.resolve()]:
            return sample.questions[0].text
    return QUESTION_FOR_ANY_DOCUMENT


def _executable() -> list[str]:
    if getattr(sys, "frozen", False):
        return [str(Path(sys.executable).with_name("lectern"))]
    return [sys.executable, *(["-P"] if sys.flags.safe_path else []), "-m", "core"]
