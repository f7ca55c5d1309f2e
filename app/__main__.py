"""`python -m app [FILE …]` and `lectern-app`."""

import argparse
import multiprocessing
import os
import sys
from collections.abc import Sequence

from app.terminal import ask_in_terminal, lacks_display
from core import __version__
from core.streams import prepare_standard_streams


def main(arguments: Sequence[str] | None = None) -> int:
    multiprocessing.freeze_support()
    prepare_standard_streams()
    options = _parse(sys.argv[1:] if arguments is None else arguments)
    if lacks_display(os.environ, sys.platform):
        ask_in_terminal(options.files)
    from app.startup import run  # Qt needs a display

    return run(options.files, language=options.language, model=options.model)


def _parse(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="lectern-app", description="Reads long documents with a local model."
    )
    parser.add_argument("files", nargs="*", metavar="FILE", help="documents to open together")
    parser.add_argument("--language", choices=("en", "zh_CN"), help="instead of the system's")
    parser.add_argument("--model", help="starter, a model folder, or a .gguf file")
    parser.add_argument("--version", action="version", version=f"Lectern {__version__}")
    return parser.parse_args(list(arguments))


if __name__ == "__main__":
    sys.exit(main())
