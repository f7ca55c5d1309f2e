"""Work away from the window's thread comes back to it, or says why not."""

import threading

from pytestqt.qtbot import QtBot

from app.background import Background


def test_results_come_back_to_the_windows_thread_in_order(qtbot: QtBot) -> None:
    background = Background()
    heard: list[tuple[int, str]] = []
    here = threading.current_thread().name

    def work(number: int) -> tuple[int, str]:
        return number, threading.current_thread().name

    def then(result: tuple[int, str]) -> None:
        heard.append(result)
        assert threading.current_thread().name == here

    for number in range(3):
        background.run(lambda number=number: work(number), then)  # type: ignore[misc]
    qtbot.waitUntil(lambda: len(heard) == 3)
    assert [number for number, _ in heard] == [0, 1, 2]
    assert all(name != here for _, name in heard)
    background.shutdown()


def test_a_failure_is_told_and_the_next_piece_is_done(qtbot: QtBot) -> None:
    background = Background()
    heard: list[int] = []

    def fail() -> int:
        raise ValueError("no")

    with qtbot.waitSignal(background.failed) as failed:
        background.run(fail, heard.append)
    assert isinstance(failed.args[0], ValueError)
    background.run(lambda: 7, heard.append)
    qtbot.waitUntil(lambda: heard == [7])
    background.shutdown()


def test_after_the_end_nothing_is_done_or_heard(qtbot: QtBot) -> None:
    background = Background()
    heard: list[int] = []
    go = threading.Event()
    background.run(lambda: int(go.wait(5)), heard.append)
    go.set()
    background.shutdown()
    background.run(lambda: 7, heard.append)
    qtbot.wait(50)
    assert heard == []
