"""The worst executor that keeps its promises."""

import random
from collections.abc import Callable

from core.kv.executor import Executor, Fence


class AdversarialExecutor(Executor):
    """Copies run only when somebody waits for one of them, in random order, or by a whim earlier.

    Fences of the computation are numbers; a copy whose `after` has not been reached yet is a broken promise
    of the streamer, not of the executor.
    """

    def __init__(self, seed: int) -> None:
        self._rng = random.Random(seed)
        self._waiting: dict[int, Callable[[], None]] = {}
        self._num_copies = 0
        self._num_fences = 0

    def copy(self, work: Callable[[], None], after: Fence) -> Fence:
        assert after is None or after <= self._num_fences
        self._num_copies += 1
        self._waiting[self._num_copies] = work
        while self._waiting and self._rng.random() < 0.3:
            self._run(self._rng.choice(list(self._waiting)))
        return self._num_copies

    def hold_compute_until(self, fence: Fence) -> None:
        while fence in self._waiting:
            self._run(self._rng.choice(list(self._waiting)))

    def compute_fence(self) -> Fence:
        self._num_fences += 1
        return self._num_fences

    def _run(self, number: int) -> None:
        self._waiting.pop(number)()
