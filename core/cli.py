"""The command line: parsing, Ctrl-C, errors and exit codes."""

import argparse
import contextlib
import errno
import logging
import os
import signal
import sys
import types
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any, NoReturn, TypeAlias, cast

from core import (
    __version__,
    cache_commands,
    checklist_commands,
    commands,
    model_commands,
    planning_commands,
    review_commands,
)
from core.cancel import CancelToken
from core.console import Console, JsonConsole, TextConsole
from core.engine_options import add_cache_quota, add_choices, add_engine, positive
from core.errors import CancelledError, LecternError, UsageError
from core.settings import MODES, EngineSettings

UNEXPECTED_EXIT_CODE = 1

_logger = logging.getLogger(__name__)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; the exit code is that of its error class, 0 without an error."""
    options = _parse(sys.argv[1:] if arguments is None else list(arguments))
    console = _console(is_json=options.json)
    cancel = CancelToken()
    _cancel_on_interrupt(cancel)
    try:
        try:
            exit_code: int = options.run(options, console, cancel) or 0
        except KeyboardInterrupt:
            exit_code = _tell(CancelledError(), console, options)
        except Exception as error:  # noqa: BLE001 - the last resort: no traceback reaches a user
            exit_code = _tell(error, console, options)
        sys.stdout.flush()
    except BrokenPipeError:
        _silence_output()
        return UNEXPECTED_EXIT_CODE
    except OSError as error:
        return _tell_lost_output(error)
    return exit_code


def _tell(error: Exception, console: Console, options: argparse.Namespace) -> int:
    """Say what went wrong in plain words; the exit code."""
    if isinstance(error, BrokenPipeError):
        raise error
    if options.debug and not isinstance(error, CancelledError):
        _logger.error("the command failed", exc_info=error)
    if isinstance(error, OSError) and error.errno == errno.ENOSPC:
        error = LecternError("The disk is full", "Free some of it, then run the command again.")
    if not isinstance(error, LecternError):
        error = LecternError(
            "Something went wrong inside Lectern",
            f"{type(error).__name__}: {error}. Run the command again with --debug to see where.",
        )
    console.error(error)
    return error.exit_code


def _tell_lost_output(error: OSError) -> int:
    """Standard output takes nothing more, and perhaps standard error neither; the exit code."""
    _silence_output()
    with contextlib.suppress(OSError):
        sys.stderr.write(f"The output cannot be written: the system refused it ({error.strerror}).\n")
        sys.stderr.flush()
    return UNEXPECTED_EXIT_CODE


def _silence_output() -> None:
    """The reader has gone and nobody is left to tell; Python would complain when it flushes at the end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _cancel_on_interrupt(cancel: CancelToken) -> None:
    """The first Ctrl-C asks the work to stop at its next safe point, the second ends the program."""

    def on_interrupt(_number: int, _frame: types.FrameType | None) -> None:
        if cancel.is_cancelled:
            raise KeyboardInterrupt
        cancel.cancel()

    signal.signal(signal.SIGINT, on_interrupt)


class _Parser(argparse.ArgumentParser):
    """argparse that tells its errors as all others are told, and ends with their exit code."""

    def __init__(self, console: Console, **arguments: Any) -> None:
        super().__init__(**arguments)
        self._console = console

    def error(self, message: str) -> NoReturn:
        self.print_usage(sys.stderr)
        error = UsageError("Wrong usage", message)
        self._console.error(error)
        sys.exit(error.exit_code)


def _console(*, is_json: bool) -> Console:
    return JsonConsole() if is_json else TextConsole()


def _asks_for_json(arguments: Sequence[str]) -> bool:
    """Whether `--json`, or the beginning of it that argparse takes for it, is among the options."""
    options = arguments[: arguments.index("--")] if "--" in arguments else arguments
    return any(option.startswith("--j") and "--json".startswith(option) for option in options)


def _parse(arguments: Sequence[str]) -> argparse.Namespace:
    console = _console(is_json=_asks_for_json(arguments))
    parser_class = cast("type[_Parser]", partial(_Parser, console))
    parser = _Parser(
        console, prog="lectern", description="Read very long documents with a local language model."
    )
    parser.add_argument("--version", action="version", version=f"lectern {__version__}")
    subcommands = parser.add_subparsers(
        dest="command", required=True, metavar="COMMAND", parser_class=parser_class
    )
    _add_ask(subcommands)
    _add_extract(subcommands)
    _add_plan(subcommands)
    _add_check(subcommands)
    _add_models(subcommands)
    _add_review(subcommands)
    _add_checklists(subcommands)
    _add_caches(subcommands)
    _add_bench(subcommands)
    return parser.parse_args(arguments)


Subcommands: TypeAlias = "argparse._SubParsersAction[_Parser]"


def _add_ask(subcommands: Subcommands) -> None:
    parser = subcommands.add_parser("ask", help="ask a question about one or more documents")
    parser.set_defaults(run=commands.ask)
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE")
    parser.add_argument("--question", required=True)
    parser.add_argument(
        "--pages",
        metavar="1-40",
        action="append",
        help="read these pages only; given once for each file in their order, `none` leaves a file out",
    )
    parser.add_argument(
        "--sections", action="store_true", help="search for the sections that matter and read only those"
    )
    parser.add_argument(
        "--section-budget", type=positive, metavar="TOKENS", help="how much --sections reads; 8192"
    )
    _add_reading(parser)
    parser.add_argument("--force", action="store_true", help="load the model although it may not fit")
    _add_common(parser)
    add_engine(parser)


def _add_extract(subcommands: Subcommands) -> None:
    parser = subcommands.add_parser("extract", help="print the pages as they were read")
    parser.set_defaults(run=commands.extract)
    parser.add_argument("file", type=Path, metavar="FILE")
    _add_reading(parser)
    _add_common(parser)


def _add_reading(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--password", help="of an encrypted document")
    parser.add_argument(
        "--ocr", action="store_true", help="recognise pages that are pictures or whose text is damaged"
    )
    parser.add_argument(
        "--ocr-language", metavar="eng+deu", help="the languages to recognise, instead of the system's"
    )


def _add_plan(subcommands: Subcommands) -> None:
    parser = subcommands.add_parser("plan", help="say what fits before anything is loaded")
    parser.set_defaults(run=planning_commands.plan)
    _add_planning(parser)


def _add_check(subcommands: Subcommands) -> None:
    parser = subcommands.add_parser("check", help="say what could be set up better on this machine")
    parser.set_defaults(run=planning_commands.check)
    _add_planning(parser)


def _add_planning(parser: argparse.ArgumentParser) -> None:
    """What a plan can be asked for; an option that is left out is the profile's to choose."""
    parser.add_argument("--model", metavar="starter|DIR|FILE.gguf|NAME|HUB_ID")
    parser.add_argument("--context", type=positive, metavar="TOKENS", help="length of each context")
    parser.add_argument("--documents", type=positive, default=1, metavar="N", help="contexts kept at once")
    parser.add_argument("--profile", default="auto", metavar="NAME")
    parser.add_argument("--mode", choices=MODES, default=EngineSettings().mode)
    add_choices(parser)
    _add_common(parser)


def _add_models(subcommands: Subcommands) -> None:
    parser = subcommands.add_parser("models", help="list, download or check models")
    parser.set_defaults(run=model_commands.models)
    parser.add_argument("action", nargs="?", choices=("list", "get", "verify"), default="list")
    parser.add_argument("name", nargs="?", default="starter", metavar="NAME|ORGANISATION/NAME")
    parser.add_argument("--profile", default="auto", metavar="NAME", help="what the list is planned for")
    _add_common(parser)


def _add_checklists(subcommands: Subcommands) -> None:
    parser = subcommands.add_parser("checklists", help="list, show or check checklists for reviews")
    parser.set_defaults(run=checklist_commands.checklists)
    parser.add_argument("action", nargs="?", choices=("list", "show", "verify"), default="list")
    parser.add_argument("name", nargs="?", default="", metavar="NAME|FILE.toml")
    parser.add_argument("--language", default="en", metavar="en|zh_CN", help="of the questions")
    _add_common(parser)


def _add_review(subcommands: Subcommands) -> None:
    parser = subcommands.add_parser("review", help="ask the questions of a checklist about documents")
    parser.set_defaults(run=review_commands.review)
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE")
    parser.add_argument("--checklist", required=True, metavar="NAME|FILE.toml")
    parser.add_argument(
        "--export", type=Path, metavar="FILE", help="write a report that ends in .md, .csv, .docx or .html"
    )
    parser.add_argument(
        "--language", choices=("en", "zh", "zh_CN"), default="en", help="of the questions and the report"
    )
    parser.add_argument("--no-library", action="store_true", help="keep no finding in the library")
    parser.add_argument("--password", help="of an encrypted document")
    parser.add_argument("--force", action="store_true", help="load the model although it may not fit")
    _add_common(parser)
    add_engine(parser)


def _add_caches(subcommands: Subcommands) -> None:
    parser = subcommands.add_parser("caches", help="list, remove or check what was kept of read documents")
    parser.set_defaults(run=cache_commands.caches)
    parser.add_argument("action", nargs="?", choices=("list", "remove", "verify"), default="list")
    parser.add_argument("names", nargs="*", metavar="DOCUMENT|KEY")
    parser.add_argument("--all", action="store_true", help="remove every one, and all recognised text")
    add_cache_quota(parser)
    _add_common(parser)


def _add_bench(subcommands: Subcommands) -> None:
    parser = subcommands.add_parser("bench", help="measure this machine against the targets")
    parser.set_defaults(run=commands.bench)
    parser.add_argument("name", nargs="?", default="all", metavar="NAME")
    parser.add_argument(
        "--context", type=positive, metavar="TOKENS", help="length of the context to measure at"
    )
    parser.add_argument(
        "--files", nargs="+", type=Path, default=[], metavar="FILE", help="documents to measure with"
    )
    parser.add_argument("--plot", type=Path, metavar="FILE.png", help="draw the figures of one benchmark")
    _add_common(parser)
    add_engine(parser)


def _add_common(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="print one JSON object a line")
    parser.add_argument("--debug", action="store_true", help="show where an error came from")
    parser.add_argument(
        "--cache-dir", type=Path, metavar="DIR", help="where models and document caches are kept"
    )
