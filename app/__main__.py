"""`python -m app [FILE …]` and `lectern-app`."""

import argparse
import multiprocessing
import os
import sys
from collections.abc import Sequence

from app.terminal import ask_in_terminal, lacks_display
from core import __version__
from core.samples import default_sample
from core.streams import prepare_standard_streams


def main(arguments: Sequence[str] | None = None) -> int:
    multiprocessing.freeze_support()
    prepare_standard_streams()
    options = _parse(sys.argv[1:] if arguments is None else arguments)
    files = options.files
    if options.self_test:
        files = files or [str(default_sample().path)]
        if lacks_display(os.environ, sys.platform):
            os.environ["QT_QPA_PLATFORM"] = "offscreen"
    elif lacks_display(os.environ, sys.platform):
        ask_in_terminal(files)
    from app.startup import run  # Qt needs a display

    return run(files, language=options.language, model=options.model, is_self_test=options.self_test)


def _parse(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="lectern-app", description="Reads long documents with a local model."
    )
    parser.add_argument("files", nargs="*", metavar="FILE", help="documents to open together")
    parser.add_argument("--language", choices=("en", "zh_CN"), help="instead of the system's")
    parser.add_argument("--model", help="starter, a model folder, or a .gguf file")
    parser.add_argument(
        "--self-test",
        action="store_true",
        help="ask about the files (or the sample) once, print what came of it as JSON, and end",
    )
    parser.add_argument("--version", action="version", version=f"Lectern {__version__}")
    return parser.parse_args(list(arguments))


if __name__ == "__main__":
    sys.exit(main())
