"""A benchmark's chart as a picture."""

from importlib.util import find_spec
from pathlib import Path

from core.bench.result import Chart
from core.errors import UsageError


def require_plotting(path: Path) -> None:
    """Raise `UsageError` before anything is measured if no picture could be written in the end."""
    if find_spec("matplotlib") is None:
        raise UsageError(
            "A package is missing",
            "--plot needs matplotlib. Install with: pip install matplotlib, or install Lectern with its "
            "extra bench.",
        )
    if path.suffix.lower() != ".png" or not path.parent.is_dir():
        raise UsageError(
            "The picture cannot be written", f"{path}: give the name of a .png file in a folder that exists."
        )


def write_chart(chart: Chart, path: Path) -> None:
    """A PNG with one bar for each label. Raises `UsageError` if the file cannot be written."""
    from matplotlib.figure import Figure

    labels, values = list(chart.bars), list(chart.bars.values())
    figure = Figure(figsize=(9, 1.2 + 0.4 * len(labels)), layout="constrained")
    axes = figure.subplots()
    bars = axes.barh(labels, values, color="#3b6ea5")
    axes.bar_label(bars, fmt="%.3g", padding=4)
    axes.invert_yaxis()
    axes.set_xlabel(chart.unit)
    axes.set_title(chart.title)
    axes.spines[["top", "right"]].set_visible(False)
    try:
        figure.savefig(path, dpi=120)
    except OSError as error:
        raise UsageError("The picture cannot be written", f"{path}: {error.strerror}.") from error
