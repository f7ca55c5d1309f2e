"""Waiting for something slow that cannot be asked to stop, and stopping nevertheless."""

import queue
import threading
from collections.abc import Generator
from typing import TypeVar

from core.cancel import CancelToken

T = TypeVar("T")

_POLL_SECONDS = 0.1
_LARGEST_BACKLOG = 64


def interruptible(items: Generator[T], cancel: CancelToken) -> Generator[T]:
    """The items of a generator that runs in a thread of its own.

    Raises `CancelledError` within a tenth of a second, even while the generator blocks; it is closed as soon
    as it comes back. What the generator raises is raised here. The thread never ends the process late.
    """
    inbox: queue.Queue[T | _End] = queue.Queue(_LARGEST_BACKLOG)
    abandoned = threading.Event()
    threading.Thread(target=_run, args=(items, inbox, abandoned), name="transfer", daemon=True).start()
    try:
        while True:
            cancel.raise_if_cancelled()
            try:
                item = inbox.get(timeout=_POLL_SECONDS)
            except queue.Empty:
                continue
            if not isinstance(item, _End):
                yield item
            elif item.error is not None:
                raise item.error
            else:
                return
    finally:
        abandoned.set()


class _End:
    def __init__(self, error: Exception | None = None) -> None:
        self.error = error


def _run(items: Generator[T], inbox: "queue.Queue[T | _End]", abandoned: threading.Event) -> None:
    try:
        for item in items:
            if not _put(item, inbox, abandoned):
                items.close()
                return
    except Exception as error:  # noqa: BLE001 - it is raised in the thread that waits
        _put(_End(error), inbox, abandoned)
    else:
        _put(_End(), inbox, abandoned)


def _put(item: T | _End, inbox: "queue.Queue[T | _End]", abandoned: threading.Event) -> bool:
    while not abandoned.is_set():
        try:
            inbox.put(item, timeout=_POLL_SECONDS)
        except queue.Full:
            continue
        return True
    return False
