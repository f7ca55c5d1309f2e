"""The program's end of the pipe to the document worker process; starts the process when it is needed."""

import contextlib
import multiprocessing
import time
from collections.abc import Sequence
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess

from core.cancel import CancelToken
from core.documents.messages import PageTicket, Request
from core.documents.plain_spawn import start_without_main
from core.documents.worker_process import serve

_POLL_S = 0.02


class WorkerLostError(Exception):
    """The process ended or went over its time while it worked on one step of a request."""


class ProcessLink:
    """One worker process at a time. Not thread-safe.

    `hard_limit_s`: the process ends itself if one step takes it that long, should this program be gone.
    """

    def __init__(self, hard_limit_s: float) -> None:
        self._hard_limit_s = hard_limit_s
        self._process: SpawnProcess | None = None
        self._connection: Connection | None = None

    @property
    def process_id(self) -> int | None:
        return None if self._process is None else self._process.pid

    def start(self) -> None:
        """Start the process; harmless if it runs."""
        if self._process is None or not self._process.is_alive():
            self.stop()
            self._start()

    def send(self, request: Request) -> None:
        """Start the process if need be and hand it the request. Raises `WorkerLostError`."""
        self.start()
        assert self._connection is not None
        try:
            self._connection.send(request)
        except OSError as error:
            raise WorkerLostError from error

    def try_to_send(self, ticket: PageTicket) -> None:
        """What belongs to the request that was sent last; a process that is gone is noticed at `receive`."""
        with contextlib.suppress(OSError):
            if self._connection is not None:
                self._connection.send(ticket)

    def receive(self, limit_s: float, cancel: CancelToken | None = None) -> object:
        """The next answer. Raises `WorkerLostError` without one in `limit_s` seconds or on a crash.

        Raises `CancelledError` within a few hundredths of a second once `cancel` is set.
        """
        assert self._connection is not None
        deadline = time.monotonic() + limit_s
        while not self._connection.poll(min(_POLL_S, limit_s)):
            if cancel is not None:
                cancel.raise_if_cancelled()
            if time.monotonic() > deadline:
                raise WorkerLostError
        if cancel is not None:
            cancel.raise_if_cancelled()
        try:
            return self._connection.recv()
        except (EOFError, OSError) as error:
            raise WorkerLostError from error

    @property
    def connection(self) -> Connection | None:
        """To wait at for answers; None while there is no process."""
        return self._connection

    def stop(self) -> None:
        """End the process, whatever it does; harmless if there is none."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None
        if self._process is not None:
            self._process.kill()
            self._process.join()
            self._process.close()
            self._process = None

    def _start(self) -> None:
        context = multiprocessing.get_context("spawn")
        here, there = context.Pipe()
        process = context.Process(
            target=serve, args=(there, self._hard_limit_s), name="lectern-documents", daemon=True
        )
        start_without_main(process)
        there.close()
        self._process, self._connection = process, here


def wait_for_answers(links: Sequence[ProcessLink], cancel: CancelToken | None) -> list[ProcessLink]:
    """The links with an answer, or whose process has ended; none after a few hundredths of a second.

    Raises `CancelledError` if `cancel` is set.
    """
    ready = wait([link.connection for link in links if link.connection is not None], _POLL_S)
    if cancel is not None:
        cancel.raise_if_cancelled()
    return [link for link in links if link.connection in ready]
