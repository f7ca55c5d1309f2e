"""Pictures of the first steps and of a download that is half done."""

import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from app.startup import Program
from core.cancel import CancelToken
from core.catalogue.bundled import read_entry
from core.errors import ModelError
from core.events import Progress, Stage

if TYPE_CHECKING:
    from app.screenshots import Photographer

_WAIT_S = 20.0
_POLL_S = 0.02
_MIB = 1 << 20
_STEPS = ("machine", "profile", "model", "ready")


class ScriptedFetch:
    """Stands still in the middle of a download until `go` is set; then it comes to the end of the script."""

    def __init__(self) -> None:
        self.go = threading.Event()
        self.error: Exception | None = None

    def __call__(
        self, hub_id: str, models_dir: Path, on_progress: Callable[[Progress], None], cancel: CancelToken
    ) -> Path:
        del hub_id
        on_progress(Progress(Stage.DOWNLOADING_MODEL, 2918 * _MIB, 7672 * _MIB, "bytes", 24.5 * _MIB, 194.0))
        while not self.go.wait(_POLL_S):
            cancel.raise_if_cancelled()
        if self.error is not None:
            raise self.error
        return models_dir


def setup_scenes(photographer: "Photographer", program: Program, fetch: ScriptedFetch) -> None:
    wizard, downloader = program.window.setup_wizard, program.downloader
    wizard.begin(replace(program.preferences, needs_setup=True))
    photographer.wait(lambda: bool(wizard.model.models.rows), _WAIT_S)
    for name in _STEPS:
        photographer.take(f"setup-{name}", program, wizard)
        if name == "model":
            best = next(row for row in wizard.model.models.rows if row.item.is_recommended)
            best.button.click()
            photographer.wait(lambda: _has_progress(program), _WAIT_S)
            photographer.take("setup-download", program, wizard)
        wizard.next_button.click()
    photographer.take("download", program)
    dialog = program.window.settings_dialog
    dialog.edit(program.preferences)
    photographer.wait(lambda: bool(dialog.model.models.rows), _WAIT_S)
    photographer.take("download-settings", program, dialog)
    dialog.reject()
    fetch.error = ModelError(
        "The server failed",
        "https://huggingface.co answered with status 503. Try again later; what has come is kept.",
    )
    fetch.go.set()
    photographer.wait(lambda: not downloader.is_busy, _WAIT_S)
    photographer.take("download-failed", program)
    fetch.error = None
    downloader.start(read_entry("qwen3-4b-instruct-2507"))
    photographer.wait(lambda: not downloader.is_busy, _WAIT_S)
    photographer.take("download-done", program)
    downloader.dismiss()


def _has_progress(program: Program) -> bool:
    download = program.downloader.download
    return download is not None and download.progress is not None
