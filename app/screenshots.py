"""Pictures of the window's main views, in both appearances and all languages: `python -m app.screenshots`."""

import argparse
import math
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path

from PySide6.QtCore import QEventLoop, QPoint, QRect, Qt
from PySide6.QtGui import QColor, QPainter, QPixmap
from PySide6.QtWidgets import QApplication, QDialog, QScrollArea, QWidget

from app import i18n, theme
from app.chat_view.turn_view import TurnStatus
from app.core_backend import CoreBackend
from app.downloads.downloader import Downloader
from app.ending import end
from app.engine_backend import EngineBackend
from app.error_router import ErrorRouter
from app.evidence_scene import evidence_scene
from app.gauges.gauge import HISTORY_POINTS
from app.library_scenes import library_scenes
from app.preferences import MemoryChoices, Preferences
from app.probes import Probes
from app.reading_scenes import left_out_scenes, reading_scenes
from app.review_scenes import review_scenes, two_documents_scene
from app.screenshot_machine import example_machine, example_system
from app.scripted_backend import Script, ScriptedBackend
from app.setup_scenes import ScriptedFetch, setup_scenes
from app.startup import Program, make_application
from app.state import ClosingReason
from core.catalogue.starter import starter_gguf
from core.errors import ConversationFullError, LecternError
from core.paths import models_dir
from core.planning.profile_files import delete_profile, save_profile
from core.planning.profiles import load_profile
from core.samples import all_samples, default_sample
from core.telemetry import GpuMemory, Sample

_SIZE = (1440, 900)
_SCHEMES = (theme.Scheme.LIGHT, theme.Scheme.DARK)
_WAIT_S = 20.0
_MODEL_WAIT_S = 300.0
_SETTLE_S = 0.3
_STILL_LOOKS = 4
_MOST_LOOKS = 100
_ANSWER = """The agreement took effect on **January 1, 1998**.

- It says: "The term of this Agreement will commence on January 1, 1998 (the "Effective Date")" [page 1].
- Payment is "eighty percent (80%) of Care Management Revenues during such month" [page 1].
- It also promises "a bonus of forty percent for every new office that SHPS opens abroad" [page 2].
"""
_LONG_MODEL = "qwen3-4b-instruct-2507"
_PAGES = ("model", "memory", "profiles", "answers", "recognition", "appearance", "storage")
_GIB = 1 << 30
_QUESTION = "When does the agreement take effect, and what does HPS pay?"


class Photographer:
    """Takes each scene once for every appearance and language."""

    def __init__(self, app: QApplication, folder: Path, scenes: Sequence[str] = ()) -> None:
        self._app, self._folder, self._scenes = app, folder, tuple(scenes)
        self.taken: list[Path] = []

    def take(self, scene: str, program: Program, dialog: QDialog | None = None) -> None:
        if self._scenes and not scene.startswith(self._scenes):
            return
        for scheme in _SCHEMES:
            for language in i18n.LANGUAGES:
                theme.apply(self._app, scheme)
                i18n.install(self._app, language)
                self.settle(program)
                picture = program.window.grab()
                if dialog is not None:
                    _put_over(picture, dialog)
                path = self._folder / f"{scene}-{scheme.value}-{language}.png"
                picture.save(str(path))
                self.taken.append(path)

    def settle(self, program: Program) -> None:
        """Let everything be laid out and drawn, with nothing under the pointer."""
        for widget in program.window.findChildren(QWidget):
            if widget.underMouse():
                widget.setAttribute(Qt.WidgetAttribute.WA_UnderMouse, False)
                widget.update()
        self.wait(lambda: program.window.document_view.is_settled, _WAIT_S)
        looks: list[object] = []
        while len(looks) < _STILL_LOOKS or any(look != looks[-1] for look in looks[-_STILL_LOOKS:]):
            end = time.monotonic() + _SETTLE_S / _STILL_LOOKS
            self.wait(partial(_is_past, end), _WAIT_S)
            looks.append(_geometries(program.window))
            if len(looks) > _MOST_LOOKS:
                break

    def wait(self, condition: Callable[[], bool], limit_s: float) -> None:
        deadline = time.monotonic() + limit_s
        while not condition():
            if time.monotonic() > deadline:
                raise LecternError("No picture", "The window did not become what the picture should show.")
            self._app.processEvents(QEventLoop.ProcessEventsFlag.AllEvents, 20)
            time.sleep(0.005)


def _is_past(moment: float) -> bool:
    return time.monotonic() > moment


def _geometries(window: QWidget) -> list[QRect]:
    """Where everything that is visible stands; layouts that are still at work change it."""
    visible = (widget for widget in window.findChildren(QWidget) if widget.isVisible())
    return [widget.geometry() for widget in visible]


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m app.screenshots", description=__doc__)
    parser.add_argument("--out", type=Path, required=True, help="folder for the pictures")
    parser.add_argument("--scenes", nargs="*", metavar="NAME", help="only scenes whose names begin so")
    options = parser.parse_args(arguments)
    options.out.mkdir(parents=True, exist_ok=True)
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    with tempfile.TemporaryDirectory() as data:
        os.environ["LECTERN_DATA_DIR"] = data
        photographer = Photographer(make_application(), options.out, options.scenes or ())
        _scripted_scenes(photographer)
        if options.scenes and not any("answer".startswith(name) for name in options.scenes):
            pass
        elif starter_gguf(models_dir()) is None:
            sys.stderr.write("The starter model is not there: no picture of its answer.\n")
        else:
            _starter_scene(photographer)
    sys.stdout.write("".join(f"{path}\n" for path in photographer.taken))
    return 0


@contextmanager
def _program(
    make_backend: Callable[[], EngineBackend], downloader: Downloader | None = None
) -> Iterator[Program]:
    probes = Probes(example_machine, example_system)
    program = Program(Preferences(), make_backend, probes=probes, downloader=downloader)
    program.window.resize(*_SIZE)
    program.start([])
    try:
        yield program
    finally:
        end(program, theme.running_app())


def _scripted_scenes(photographer: Photographer) -> None:
    script = Script(
        [_ANSWER], chunk_s=0.4, token_s=0.03, num_tokens=2721, hold_at_chunk=3, hold_at_token=None
    )
    sample = str(default_sample().path)
    fetch = ScriptedFetch()
    with _program(lambda: ScriptedBackend(script), Downloader(fetch=fetch)) as program:
        window, store = program.window, program.store
        photographer.wait(lambda: store.state.sample is not None, _WAIT_S)
        photographer.take("empty", program)
        setup_scenes(photographer, program, fetch)
        program.controller.open_files([sample])
        photographer.wait(lambda: bool(store.state.progress and store.state.progress.done > 1500), _WAIT_S)
        photographer.take("reading", program)
        script.go.set()
        photographer.wait(lambda: store.state.is_read, _WAIT_S)
        program.controller.ask(_QUESTION)
        _wait_for_answer(photographer, program)
        _click_first_chip(program)
        photographer.take("citations", program)
        library_scenes(photographer, program)
        review_scenes(photographer, program, script)
        _settings_scenes(photographer, program)
        _check_scene(photographer, program)
        _fit_scene(photographer, program)
        window.password_dialog.ask("/documents/lease.pdf", True)
        photographer.take("password", program, window.password_dialog)
        window.password_dialog.reject()
        window.closing_dialog.ask(ClosingReason.DOCUMENTS)
        photographer.take("closing", program, window.closing_dialog)
        window.closing_dialog.reject()
        script.answer_error, script.tokens_before_error = _too_long(), 0
        program.controller.ask(_QUESTION)
        _wait_for_answer(photographer, program)
        photographer.take("error-inline", program)
        _show_error(photographer, program.router, program)
        _gauges_scene(photographer, program)
    script = Script([_ANSWER])
    with _program(lambda: ScriptedBackend(script)) as program:
        paths = [str(one.path) for one in all_samples()[:2]]
        two_documents_scene(photographer, program, script, paths)
    script = Script([_ANSWER], evidence={0: 0.62, 5: 0.21, 3: 0.09, 7: 0.05, 2: 0.03})
    with _program(lambda: ScriptedBackend(script)) as program:
        evidence_scene(photographer, program, str(all_samples()[1].path), _QUESTION)
    script = Script([_ANSWER], stretch=None)
    with _program(lambda: ScriptedBackend(script)) as program:
        reading_scenes(photographer, program, script)
    with _program(lambda: ScriptedBackend(Script([_ANSWER]))) as program:
        left_out_scenes(photographer, program, [str(one.path) for one in all_samples()[:2]])


def _settings_scenes(photographer: Photographer, program: Program) -> None:
    dialog = program.window.settings_dialog
    memory = MemoryChoices(codec="int8", strategy="hugetlb")
    dialog.edit(replace(program.preferences, model=_LONG_MODEL, profile="rtx3060-12g", memory=memory), 1)
    photographer.wait(lambda: dialog.fit.answer is not None, _WAIT_S)
    dialog.memory.window_box.setValue(2048)
    for row, name in enumerate(_PAGES):
        dialog.list.setCurrentRow(row)
        photographer.take(f"settings-{name}", program, dialog)
    _profile_scenes(photographer, program)
    dialog.reject()


def _profile_scenes(photographer: Photographer, program: Program) -> None:
    """A profile of the user's own while it is changed, its machine further down, and a name that is taken."""
    dialog = program.window.settings_dialog
    page = dialog.profiles
    save_profile(replace(load_profile("rtx3060-12g"), name="my-desk", title="My desk"))
    page.look_again("my-desk")
    dialog.list.setCurrentRow(_PAGES.index("profiles"))
    page.form.numbers["kv_hot_budget"].setValue(3072)
    photographer.take("profile-own", program, dialog)
    area = dialog.stack.currentWidget()
    assert isinstance(area, QScrollArea)
    area.verticalScrollBar().setValue(area.verticalScrollBar().maximum())
    photographer.take("profile-machine", program, dialog)
    page.copy_button.click()
    page.name_dialog.field.setText("cpu")
    page.name_dialog.yes_button.click()
    photographer.take("profile-name", program, page.name_dialog)
    page.name_dialog.reject()
    delete_profile("my-desk")


def _check_scene(photographer: Photographer, program: Program) -> None:
    dialog = program.window.check_dialog
    dialog.check(replace(program.controller.settings, model=_LONG_MODEL, cpu_memory_strategy="hugetlb"))
    photographer.wait(lambda: not dialog.is_looking, _WAIT_S)
    photographer.take("check", program, dialog)
    dialog.accept()


def _fit_scene(photographer: Photographer, program: Program) -> None:
    dialog = program.window.fit_dialog
    dialog.ask(replace(program.controller.settings, model=_LONG_MODEL), MemoryChoices(), [])
    dialog.fit.context.slider.setValue(dialog.fit.context.slider.maximum())
    photographer.wait(lambda: _has_long_plan(program), _WAIT_S)
    dialog.fit.context.slider.setValue(dialog.fit.context.slider.maximum())
    photographer.wait(lambda: bool(dialog.fit.offers), _WAIT_S)
    photographer.take("no-room", program, dialog)
    dialog.reject()


def _has_long_plan(program: Program) -> bool:
    answer = program.window.fit_dialog.fit.answer
    return answer is not None and answer.plan is not None


def _gauges_scene(photographer: Photographer, program: Program) -> None:
    """Two minutes on a machine with a GPU."""
    program.telemetry.shutdown()
    for i in range(HISTORY_POINTS):
        own = round((0.5 + 6.5 * min(1.0, i / 90)) * _GIB)
        used = round((12 + 4 * math.sin(i / 30)) * _GIB)
        gpu = GpuMemory("NVIDIA GeForce RTX 3060", own + 2 * _GIB, 12 * _GIB, own)
        program.store.update(sample=Sample(used, 32 * _GIB, 3 * _GIB, (gpu,)))
    photographer.take("gauges", program)


def _show_error(photographer: Photographer, router: ErrorRouter, program: Program) -> None:
    router.route(LecternError("Not a PDF", "“notes.txt” is not a PDF file. " + _NOT_A_PDF))
    photographer.take("error", program, program.window.error_dialog)
    program.window.error_dialog.accept()


_NOT_A_PDF = "Save or print it as PDF first, then open that."


def _starter_scene(photographer: Photographer) -> None:
    sample = default_sample()
    with _program(CoreBackend) as program:
        program.controller.open_files([str(sample.path)])
        photographer.wait(lambda: program.store.state.is_read, _MODEL_WAIT_S)
        program.controller.ask(sample.questions[0].text)
        _wait_for_answer(photographer, program)
        _click_first_chip(program)
        photographer.take("answer", program)


def _wait_for_answer(photographer: Photographer, program: Program) -> None:
    turn = program.window.chat.last_turn
    assert turn is not None
    over = (TurnStatus.DONE, TurnStatus.FAILED, TurnStatus.STOPPED)
    photographer.wait(lambda: turn.status in over, _MODEL_WAIT_S)


def _click_first_chip(program: Program) -> None:
    turn = program.window.chat.last_turn
    if turn is not None and turn.chips.chips:
        turn.chips.chips[0].click()


def _too_long() -> ConversationFullError:
    return ConversationFullError(
        "No room for an answer",
        "Documents, conversation and question are 8,140 tokens and starter takes 8,192. "
        "Start a new conversation or ask shorter.",
    )


def _put_over(picture: QPixmap, dialog: QDialog) -> None:
    """Draw the dialog in the middle of the window that it belongs to."""
    over = dialog.grab()
    place = QPoint((picture.width() - over.width()) // 2, (picture.height() - over.height()) // 3)
    painter = QPainter(picture)
    painter.fillRect(picture.rect(), QColor(0, 0, 0, 90))
    painter.drawPixmap(place, over)
    painter.setPen(theme.color("border"))
    painter.drawRect(QRect(place, over.size()))
    painter.end()


if __name__ == "__main__":
    sys.exit(main())
