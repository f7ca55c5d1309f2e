"""`lectern` as scripts see it, but in this process, so that nothing has to start."""

import contextlib
import io
import signal
import subprocess
from pathlib import Path

from core.cli import main


def lectern(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """The exit code of a command and what it has written; what would be a traceback is raised."""
    words, output, errors = list(map(str, arguments)), io.StringIO(), io.StringIO()
    on_interrupt = signal.getsignal(signal.SIGINT)
    with contextlib.redirect_stdout(output), contextlib.redirect_stderr(errors):
        try:
            exit_code: object = main(words)
        except SystemExit as end:
            exit_code = end.code
        finally:
            signal.signal(signal.SIGINT, on_interrupt)
    assert isinstance(exit_code, int)
    return subprocess.CompletedProcess(words, exit_code, output.getvalue(), errors.getvalue())
