"""`lectern bench NAME`: runs one benchmark or all, prints its rows and says which targets are met."""

import argparse
from collections.abc import Callable
from typing import Any

from core.bench import (
    citations,
    codecs,
    decode,
    evidence,
    exactness,
    fuzz,
    memory,
    planned,
    prefill,
    reading,
    recall,
    reopen,
    review,
    sample,
    sections,
    soak,
    sparse,
    traffic,
    whole_document,
)
from core.bench.plot import require_plotting, write_chart
from core.bench.result import BenchResult
from core.bench.table import table_lines
from core.cancel import CancelToken
from core.console import Console
from core.engine_options import engine_settings
from core.errors import UsageError
from core.models.quiet import silence_transformers

Measure = Callable[[argparse.Namespace, CancelToken], BenchResult]

BENCHES: dict[str, Measure] = {
    "exactness": lambda _options, cancel: exactness.measure(cancel),
    "sample": lambda options, cancel: sample.measure(engine_settings(options), options.context, cancel),
    "decode": lambda options, cancel: decode.measure(engine_settings(options), options.context, cancel),
    "prefill": lambda options, cancel: prefill.measure(engine_settings(options), options.context, cancel),
    "traffic": lambda options, cancel: traffic.measure(engine_settings(options), options.context, cancel),
    "review": lambda options, cancel: review.measure(engine_settings(options), options.context, cancel),
    "sparse": lambda options, cancel: sparse.measure(engine_settings(options), options.context, cancel),
    "codecs": lambda options, cancel: codecs.measure(engine_settings(options), options.context, cancel),
    "recall": lambda options, cancel: recall.measure(options.context, cancel),
    "memory": lambda options, cancel: memory.measure(engine_settings(options), options.context, cancel),
    "reopen": lambda options, cancel: reopen.measure(engine_settings(options), options.context, cancel),
    "plan": lambda options, cancel: planned.measure(engine_settings(options), options.context, cancel),
    "document": lambda options, cancel: whole_document.measure(
        engine_settings(options), options.files, cancel
    ),
    "sections": lambda options, cancel: sections.measure(options.files, options.context, cancel),
    "reading": lambda options, cancel: reading.measure(options.files, cancel),
    "citations": lambda options, cancel: citations.measure(options.files, cancel),
    "evidence": lambda options, cancel: evidence.measure(engine_settings(options), options.context, cancel),
    "soak": lambda options, cancel: soak.measure(engine_settings(options), cancel),
    "fuzz": lambda _options, cancel: fuzz.measure(cancel),
}


def run_bench(options: argparse.Namespace, console: Console, cancel: CancelToken) -> None:
    """Run what `options.name` says. Raises `UsageError` for an unknown name.

    Nothing that is read for it is kept on the disk. With `options.plot` the chart of a benchmark that has one
    is written there; `all` has too many for that.
    """
    if options.plot is not None and options.name == "all":
        raise UsageError("One picture for one benchmark", "Name the benchmark that --plot is for.")
    if options.name != "all" and options.name not in BENCHES:
        raise UsageError("No such benchmark", f"There are: {', '.join(BENCHES)}, and all.")
    if options.plot is not None:
        require_plotting(options.plot)
    silence_transformers()
    options = argparse.Namespace(**{**vars(options), "no_cache": True})
    names = list(BENCHES) if options.name == "all" else [options.name]
    targets: dict[str, dict[str, Any]] = {}
    for name in names:
        result = BENCHES[name](options, cancel)
        header, *lines = table_lines(result.rows)
        for row, line in zip(result.rows, lines, strict=True):
            text = line if row is not result.rows[0] else f"{name}\n{header}\n{line}"
            console.record("row", text, {"bench": name, **row})
        if options.plot is not None and result.chart is not None:
            write_chart(result.chart, options.plot)
        for target in result.targets:
            targets[target.name] = {"value": target.value, "wanted": target.wanted, "met": target.is_met}
    console.finish(_targets_text(targets), {"targets": targets})


def _targets_text(targets: dict[str, dict[str, Any]]) -> str:
    return "\n".join(
        f"{'met' if target['met'] else 'NOT MET'}: {name} {_number(target['value'])}, "
        f"wanted {target['wanted']}"
        for name, target in targets.items()
    )


def _number(value: object) -> str:
    return f"{value:.3g}" if isinstance(value, float) else str(value)
