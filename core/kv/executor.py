"""Where copies to the compute device run, and how they and the computation wait for each other.

One code path streams blocks on every device; only the objects in this file differ.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any

import torch

Fence = Any
"""A point in a stream of work; opaque outside of the executor that made it."""


class Executor(ABC):
    """Runs copies beside the computation. Fences order the two, in both directions."""

    @abstractmethod
    def copy(self, work: Callable[[], None], after: Fence) -> Fence:
        """Start `work`, not before the computation has passed `after` (None: at once).

        Returns the fence that is passed when the copy is complete.
        """

    @abstractmethod
    def hold_compute_until(self, fence: Fence) -> None:
        """Computation issued from now on starts only when `fence` has been passed."""

    @abstractmethod
    def compute_fence(self) -> Fence:
        """The fence that is passed when all computation issued so far is done."""


class ImmediateExecutor(Executor):
    """A CPU: everything is done when the call returns."""

    def copy(self, work: Callable[[], None], after: Fence) -> Fence:
        del after
        work()
        return None

    def hold_compute_until(self, fence: Fence) -> None:
        del fence

    def compute_fence(self) -> Fence:
        return None


class CudaExecutor(Executor):
    """A CUDA device: copies have a stream of their own, fences are events."""

    def __init__(self, device: torch.device) -> None:
        self._device = device
        self._stream = torch.cuda.Stream(device)

    def copy(self, work: Callable[[], None], after: Fence) -> Fence:
        if after is not None:
            self._stream.wait_event(after)
        with torch.cuda.stream(self._stream):
            work()
            return self._stream.record_event()

    def hold_compute_until(self, fence: Fence) -> None:
        torch.cuda.current_stream(self._device).wait_event(fence)

    def compute_fence(self) -> Fence:
        return torch.cuda.current_stream(self._device).record_event()


def executor_for(device: torch.device) -> Executor:
    return CudaExecutor(device) if device.type == "cuda" else ImmediateExecutor()
