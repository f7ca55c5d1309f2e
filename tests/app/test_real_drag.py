"""A file dragged by a pointer from one program's window to ours, on a virtual X display."""

import os
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from queue import Empty, Queue

import pytest

from core.samples import default_sample

NEEDED = ("Xvfb", "xdotool", "openbox")
WAIT_S = 40.0
MISSING = [name for name in NEEDED if shutil.which(name) is None]

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(bool(MISSING), reason=f"not installed: {', '.join(MISSING)}"),
]


class Lines:
    """What a process prints, a line at a time, with a limit on the waiting."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self._queue: Queue[str] = Queue()
        self._process = process
        self._thread = threading.Thread(target=self._pump, daemon=True)
        self._thread.start()

    def wait_for(self, word: str) -> str:
        deadline = time.monotonic() + WAIT_S
        while True:
            try:
                line = self._queue.get(timeout=max(0.01, deadline - time.monotonic()))
            except Empty:
                pytest.fail(f"no line with {word!r} came within {WAIT_S:.0f} s")
            if line.startswith(word):
                return line

    def _pump(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self._queue.put(line.strip())


@pytest.fixture
def display() -> Iterator[dict[str, str]]:
    """The environment of a fresh display with a window manager."""
    read_end, write_end = os.pipe()
    with ExitStack() as stack:
        command = ["Xvfb", "-displayfd", str(write_end), "-screen", "0", "1600x1000x24", "-nolisten", "tcp"]
        server = stack.enter_context(
            subprocess.Popen(command, pass_fds=[write_end], stderr=subprocess.DEVNULL)
        )
        stack.callback(server.kill)
        os.close(write_end)
        with os.fdopen(read_end) as answer:
            number = answer.readline().strip()
        environment = os.environ | {"DISPLAY": f":{number}", "QT_QPA_PLATFORM": "xcb"}
        manager = stack.enter_context(
            subprocess.Popen(["openbox"], env=environment, stderr=subprocess.DEVNULL)
        )
        stack.callback(manager.kill)
        yield environment


def test_a_file_is_dropped_by_hand(display: dict[str, str], repository: Path, tmp_path: Path) -> None:
    sample = default_sample().path
    environment = display | {"LECTERN_DATA_DIR": str(tmp_path), "PYTHONPATH": str(repository)}
    scripts = Path(__file__).parent
    with ExitStack() as stack:

        def start(script: str, *arguments: str) -> tuple["subprocess.Popen[str]", Lines]:
            process = stack.enter_context(
                subprocess.Popen(
                    [sys.executable, str(scripts / script), *arguments],
                    env=environment,
                    stdout=subprocess.PIPE,
                    encoding="utf-8",
                )
            )
            stack.callback(process.kill)
            return process, Lines(process)

        target, target_lines = start("drop_target.py")
        _, x, y = target_lines.wait_for("ready").split()
        _, source_lines = start("drag_source.py", str(sample))
        source_lines.wait_for("ready")
        time.sleep(0.5)
        drag = ["mousemove", "60", "60", "sleep", "0.3", "mousedown", "1", "sleep", "0.2"]
        for step in ("70 70", "120 120", "250 200", f"{int(x) - 20} {y}", f"{x} {y}"):
            drag += ["mousemove", *step.split(), "sleep", "0.2"]
        drag += ["sleep", "0.3", "mouseup", "1"]
        subprocess.run(["xdotool", *drag], env=environment, check=True, timeout=WAIT_S)
        assert target_lines.wait_for("opened") == f"opened {sample.name}"
        assert target.wait(timeout=WAIT_S) == 0
