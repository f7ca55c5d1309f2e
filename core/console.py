"""How the command line speaks: JSON lines for scripts, plain words for people.

Answers go to standard output, everything about them to standard error.
"""

import json
import re
import sys
import time
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any, assert_never

from core.documents.citations import Citation
from core.errors import LecternError
from core.events import (
    Event,
    Finished,
    FinishReason,
    Metrics,
    PartProgress,
    Progress,
    Stage,
    TierUsage,
    Token,
)
from core.units import format_duration, format_size

_STAGE_WORDS = {
    Stage.DOWNLOADING_MODEL: "Downloading the model",
    Stage.CHECKING_MODEL: "Checking the model",
    Stage.CONVERTING_MODEL: "Converting the model (once)",
    Stage.LOADING_MODEL: "Loading the model",
    Stage.READING_PAGES: "Reading the file",
    Stage.READING_TOKENS: "Reading into the model",
    Stage.READ_BEFORE: "Kept from an earlier reading",
    Stage.CHOOSING_SECTIONS: "Choosing sections",
}
_LOG_INTERVAL_S = 5.0
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")
_WORD_BREAK = re.compile(r"(?<!^)(?=[A-Z])")


class Console(ABC):
    """What a command tells while it runs."""

    @abstractmethod
    def event(self, event: Event) -> None:
        """One of the engine's events."""

    @abstractmethod
    def record(self, name: str, text: str, fields: Mapping[str, Any]) -> None:
        """A result of another kind: `text` for people, `name` and `fields` for scripts."""

    @abstractmethod
    def note(self, text: str) -> None:
        """Something that a user should know, while the command goes on."""

    @abstractmethod
    def finish(self, text: str, fields: Mapping[str, Any]) -> None:
        """The last line of a command that ended well."""

    @abstractmethod
    def error(self, error: LecternError) -> None:
        """The last line of a command that did not."""


class JsonConsole(Console):
    """One JSON object a line; the last one is named `finished`."""

    def event(self, event: Event) -> None:
        name = _WORD_BREAK.sub("_", type(event).__name__).lower()
        self._write({"event": name, **_event_fields(event)})

    def record(self, name: str, text: str, fields: Mapping[str, Any]) -> None:  # noqa: ARG002 - text is for people
        self._write({"event": name, **fields})

    def note(self, text: str) -> None:
        self._write({"event": "note", "text": text})

    def finish(self, text: str, fields: Mapping[str, Any]) -> None:  # noqa: ARG002 - text is for people
        self._write({"event": "finished", **fields})

    def error(self, error: LecternError) -> None:
        sys.stderr.write(f"{error.title}: {error.message}\n")
        self._write(
            {
                "event": "finished",
                "error": {"title": error.title, "message": error.message, "exit_code": error.exit_code},
            }
        )

    def _write(self, value: dict[str, Any]) -> None:
        sys.stdout.write(json.dumps(value, ensure_ascii=False) + "\n")
        sys.stdout.flush()


class TextConsole(Console):
    """Words on the terminal, with one progress line that rewrites itself."""

    def __init__(self) -> None:
        self._is_terminal = sys.stderr.isatty()
        self._line_length = 0
        self._last_log = 0.0
        self._last_words = ""
        self._last_stage: Stage | None = None

    def event(self, event: Event) -> None:
        match event:
            case Progress():
                self._progress(event)
            case Token():
                self._clear_line()
                sys.stdout.write(_CONTROL.sub("\ufffd", event.text))
                sys.stdout.flush()
            case TierUsage():
                pass
            case Finished():
                self._finished(event)
            case _:
                assert_never(event)

    def record(self, name: str, text: str, fields: Mapping[str, Any]) -> None:  # noqa: ARG002 - for scripts
        self._clear_line()
        sys.stdout.write(text + "\n")

    def note(self, text: str) -> None:
        self._clear_line()
        sys.stderr.write(f"Note: {text}\n")

    def finish(self, text: str, fields: Mapping[str, Any]) -> None:  # noqa: ARG002 - for scripts
        self._clear_line()
        if text:
            sys.stdout.write(text + "\n")
        sys.stdout.flush()

    def error(self, error: LecternError) -> None:
        self._clear_line()
        sys.stdout.flush()
        sys.stderr.write(f"{error.title}: {error.message}\n")

    def _progress(self, progress: Progress) -> None:
        words = describe_progress(progress)
        if self._is_terminal:
            sys.stderr.write("\r" + words.ljust(self._line_length))
            self._line_length = len(words)
        else:
            now = time.monotonic()
            is_new_stage = progress.stage is not self._last_stage
            is_due = progress.done >= progress.total or now - self._last_log >= _LOG_INTERVAL_S
            if words == self._last_words or not (is_due or is_new_stage):
                return
            self._last_log, self._last_words, self._last_stage = now, words, progress.stage
            sys.stderr.write(words + "\n")
        sys.stderr.flush()

    def _clear_line(self) -> None:
        if self._line_length:
            sys.stderr.write("\r" + " " * self._line_length + "\r")
            sys.stderr.flush()
            self._line_length = 0

    def _finished(self, finished: Finished) -> None:
        self._clear_line()
        lines = ["", "Stopped." if finished.reason is FinishReason.CANCELLED else ""]
        lines += dict.fromkeys(_citation_line(citation) for citation in finished.citations)
        passage = finished.closest_passage
        if passage is not None:
            page = _page(passage.page_index, passage.page_label)
            lines.append(f"Closest passage (not a quote of the answer), {page}:")
            lines.append(f"  {passage.text}")
        sys.stdout.write("\n".join(lines).rstrip() + "\n")
        sys.stdout.flush()
        for warning in finished.warnings:
            sys.stderr.write(f"Note: {warning}\n")
        sys.stderr.write(describe_metrics(finished.metrics) + "\n")


def describe_progress(progress: Progress) -> str:
    """`Reading into the model: 1,024 of 2,966 tokens, 410 tokens/s, 5 s left`."""
    words = _STAGE_WORDS[progress.stage]
    if progress.total > 1:
        done, total = f"{progress.done:,}", f"{progress.total:,} {progress.unit}"
        if progress.unit == "bytes":
            done, total = format_size(progress.done), format_size(progress.total)
        words += f": {done} of {total}"
    if progress.part is not None:
        words += f", {_describe_part(progress.part, progress.done + 1)}"
    if progress.rate is not None:
        is_bytes = progress.unit == "bytes"
        rate = format_size(progress.rate) if is_bytes else f"{progress.rate:,.0f} {progress.unit}"
        words += f", {rate}/s"
    if progress.eta_s is not None and progress.done < progress.total:
        words += f", {format_duration(progress.eta_s)} left"
    return words


def _describe_part(part: PartProgress, number: int) -> str:
    if part.is_writing:
        return f"part {number:,}: notes, {part.done:,} of up to {part.total:,} tokens written"
    words = f"part {number:,}: {part.done:,} of {part.total:,} tokens read"
    return words if part.rate is None else f"{words}, {part.rate:,.0f} tokens/s"


def describe_metrics(metrics: Metrics) -> str:
    """The figures of an answer in one line."""
    parts = [f"{metrics.prompt_tokens:,} tokens read"]
    if metrics.prefill_tokens_per_s is not None:
        parts[0] += f" at {metrics.prefill_tokens_per_s:,.0f}/s"
    parts.append(f"{metrics.new_tokens} written")
    if metrics.tokens_per_s is not None:
        parts[1] += f" at {metrics.tokens_per_s:.1f}/s"
    if metrics.ttft_s is not None:
        parts.append(f"first word after {metrics.ttft_s:.1f} s")
    parts.append(f"cache {format_size(metrics.hot_bytes_peak)} hot, {format_size(metrics.cold_bytes)} cold")
    if metrics.disk_bytes:
        parts[-1] += f", {format_size(metrics.disk_bytes)} on disk"
    return ", ".join(parts) + "."


def _citation_line(citation: Citation) -> str:
    page = _page(citation.page_index, citation.page_label)
    if citation.verified:
        return f"Verified quote, {citation.document}, {page}: “{citation.quote}”"
    return f"Unverified quote (not found in the document): “{citation.quote}”"


def _page(page_index: int, page_label: str) -> str:
    ordinal = str(page_index + 1)
    return f"page {ordinal}" if page_label == ordinal else f"page {ordinal} (printed {page_label})"


def _event_fields(event: Event) -> dict[str, Any]:
    if isinstance(event, Progress):
        return {name: _rounded(value) for name, value in asdict(event).items()}
    return {name: value for name, value in asdict(event).items() if name != "token_ids"}


def _rounded(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _rounded(one) for name, one in value.items()}
    return round(value, 2) if isinstance(value, float) else value
