"""`python -m core` and `lectern`: the command line, quiet under Ctrl-C from its first moment on."""

import os
import signal
import sys
import types
from typing import NoReturn

_CANCELLED = 130


def main() -> int:
    """Run the command line; imports it only after Ctrl-C has been taken care of."""
    signal.signal(signal.SIGINT, _leave)
    from core.streams import prepare_standard_streams

    prepare_standard_streams()
    from core import cli

    return cli.main()


def _leave(_number: int, _frame: types.FrameType | None) -> NoReturn:
    """Nothing has been begun yet: there is nothing to finish."""
    os._exit(_CANCELLED)


if __name__ == "__main__":
    sys.exit(main())
