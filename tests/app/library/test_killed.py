"""A program that is killed in the middle of an answer has lost the last second of it, and nothing else."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from core.library.library import Library

WORDS = [f"word{number}" for number in range(400)]
TOKEN_S = 0.02
ANSWER_IN_A_WINDOW = """
import sys
from app import i18n, theme
from app.preferences import Preferences
from app.scripted_backend import Script, ScriptedBackend
from app.startup import Program, make_application
from core.documents.layout import BBox, Block, Document, Fragment, Line, Page

box = BBox(0, 0, 9, 9)
page = Page(0, "1", 600, 800, "rent", (Block((Line(0, 4, box),), box),), (Fragment(0, 4, box),))
app = make_application()
script = Script(answers=[sys.argv[1]], token_s=float(sys.argv[2]))
program = Program(Preferences(), lambda: ScriptedBackend(script))
program.window.show()
program.window.chat.text_shown.connect(lambda text: print(text, end="", flush=True))
program.controller._sessions.begin((Document("/rent.pdf", "rent.pdf", "ab" * 32, (page,)),))
program.controller.ask("What is the rent?")
app.exec()
"""


@pytest.mark.skipif(sys.platform == "win32", reason="the signal is POSIX")
def test_a_killed_program_keeps_what_was_on_screen(repository: Path, tmp_path: Path) -> None:
    folder = tmp_path / "killed"
    process = subprocess.Popen(
        [sys.executable, "-c", ANSWER_IN_A_WINDOW, " ".join(WORDS), str(TOKEN_S)],
        cwd=repository,
        env=os.environ | {"QT_QPA_PLATFORM": "offscreen", "LECTERN_DATA_DIR": str(folder)},
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    assert process.stdout is not None
    shown: list[tuple[float, str]] = []
    try:
        while not shown or shown[-1][0] - shown[0][0] < 2.6:
            piece = os.read(process.stdout.fileno(), 65536).decode()
            assert piece, "the program ended by itself"
            shown.append((time.monotonic(), piece))
    finally:
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
    killed_at = time.monotonic()
    shown.append((killed_at, process.stdout.read().decode()))
    process.stdout.close()
    words_before = "".join(piece for moment, piece in shown if killed_at - moment > 1.8).split()
    with Library.open(folder / "library.db") as library:
        assert library.notes == ()
        (conversation,) = library.conversations.all()
        (turn,) = library.conversations.turns(conversation.conversation_id)
        (hit,) = library.search(WORDS[0])
    assert turn.question == "What is the rent?"
    assert turn.answer is not None
    kept = turn.answer.text.split()
    assert kept == WORDS[: len(kept)]
    assert len(kept) >= len(words_before) > 0, "a second between two steps, and some of one for a busy disk"
    assert hit.turn_id == turn.turn_id
    assert turn.answer.reason == "cancelled"
