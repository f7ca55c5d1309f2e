"""What each command of the command line does; `core.cli` parses, `core.console` prints."""

import argparse
from collections.abc import Iterator
from dataclasses import asdict

from core.cancel import CancelToken
from core.catalogue.locate import locate_model
from core.console import Console
from core.documents.layout import with_unique_names
from core.documents.page_range import parse_page_range
from core.documents.payload import page_payload, warning_payload
from core.documents.reading_choice import EVERYTHING, ReadingChoice, ReadingKind
from core.documents.sections import DEFAULT_BUDGET_TOKENS
from core.documents.token_map import require_text
from core.engine_options import engine_settings
from core.errors import CancelledError, UsageError
from core.events import Event, Finished, FinishReason
from core.file_reading import FileReader
from core.paths import models_dir
from core.planning.loading import least_tokens
from core.planning_commands import require_room


def ask(options: argparse.Namespace, console: Console, cancel: CancelToken) -> int:
    """Read the files, answer the question, print the answer with its citations; the exit code."""
    settings = engine_settings(options)
    reading = _reading(options)
    if options.pages and options.sections:
        raise UsageError("Pages or sections", "With --sections the pages are chosen; leave --pages out.")
    if options.section_budget is not None and not options.sections:
        raise UsageError("Not by sections", "--section-budget is for --sections; write both or neither.")
    question = options.question.encode("utf-8", "replace").decode("utf-8")
    if not question.strip():
        raise UsageError("No question", "Write a question after --question.")
    locate_model(settings.model, models_dir(settings.cache_root))
    documents = with_unique_names(FileReader(options, console, cancel, reading).read(options.files))
    pages = reading.selection(documents)
    require_text(documents, pages)
    num_tokens = least_tokens(documents, pages)
    if options.sections:
        num_tokens = min(num_tokens, options.section_budget or DEFAULT_BUDGET_TOKENS)
    require_room(settings, num_tokens, console, is_forced=options.force)
    from core.engine import open_model  # torch is loaded only now, when the files are known to be good

    cancel.raise_if_cancelled()
    with open_model(settings, console.event, cancel) as engine:
        cancel.raise_if_cancelled()
        if options.sections:
            reader = engine.read_sections(documents, options.section_budget)
            return _answer(reader.ask(question, settings.sampling, cancel), console)
        session = engine.open_document(documents, pages)
        conversation = engine.converse(session)
        try:
            return _answer(conversation.ask(question, settings.sampling, cancel), console)
        finally:
            conversation.close()
            session.close()


def _reading(options: argparse.Namespace) -> ReadingChoice:
    """What `--pages` says of the files. Raises `UsageError` for what is no range, or for too many of them."""
    given, num_files = options.pages or (), len(options.files)
    if not given:
        return EVERYTHING
    if len(given) not in (1, num_files):
        raise UsageError(
            "Pages of which file?",
            f"--pages was given {len(given)} times for {num_files} files. Give it once for all of them, or "
            "once for each in their order; --pages none leaves a file out.",
        )
    for text in given:
        parse_page_range(text)
    return ReadingChoice(ReadingKind.PAGES, tuple(given) * (num_files if len(given) == 1 else 1))


def _answer(events: Iterator[Event], console: Console) -> int:
    """Print the events; an answer that was stopped is the last thing said, with its own exit code."""
    exit_code = 0
    for event in events:
        console.event(event)
        if isinstance(event, Finished) and event.reason is FinishReason.CANCELLED:
            exit_code = CancelledError.exit_code
    return exit_code


def extract(options: argparse.Namespace, console: Console, cancel: CancelToken) -> None:
    """Print what was read from a file, page by page."""
    [document] = FileReader(options, console, cancel).read([options.file])
    for page in document.pages:
        cancel.raise_if_cancelled()
        payload = page_payload(page)
        heading = f"--- page {page.page_index + 1} (printed {page.label}) ---"
        notes = [f"[{warning.message}]" for warning in page.warnings]
        console.record(payload.pop("event"), "\n".join([heading, *notes, page.text, ""]), payload)
    console.finish(
        "\n".join(f"Note: {warning.message}" for warning in document.warnings),
        {
            "num_pages": document.num_pages,
            "name": document.name,
            "sha256": document.sha256,
            "outline": [asdict(entry) for entry in document.outline],
            "warnings": [warning_payload(warning) for warning in document.all_warnings],
        },
    )


def bench(options: argparse.Namespace, console: Console, cancel: CancelToken) -> None:
    """Measure one thing and compare it with its target."""
    from core.bench.runner import run_bench  # brings torch

    run_bench(options, console, cancel)
