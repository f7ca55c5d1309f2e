"""The states of a recurrent or convolutional layer for all branches of a batch, stacked."""

import copy
from collections.abc import Callable
from typing import Any

import torch

OnTensors = Callable[[torch.Tensor, torch.Tensor], torch.Tensor]


class RowStates:
    """One of transformers' own layers with a row for each branch.

    A forward pass works on a copy of the rows it is about, made by `select`, so that one that fails has
    changed nothing; `put` takes the copy in.
    """

    def __init__(self, prefix: Any) -> None:
        self._prefix = prefix
        self._rows = _mapped(prefix, prefix, lambda state, _: state[:0].clone())

    @property
    def size_bytes(self) -> int:
        return sum(state.nbytes for state in _tensors(self._rows))

    @property
    def branch_bytes(self) -> int:
        """What one branch takes."""
        return sum(state.nbytes for state in _tensors(self._prefix))

    @property
    def device(self) -> torch.device:
        return next((state.device for state in _tensors(self._prefix)), torch.device("cpu"))

    def start(self) -> None:
        """A new branch, in the state of the prefix, after the others."""
        self._rows = _mapped(self._rows, self._prefix, lambda rows, new: torch.cat([rows, new]))

    def select(self, rows: list[int]) -> Any:
        return _mapped(self._rows, self._rows, lambda states, _: states[rows])

    def put(self, rows: list[int], after: Any) -> None:
        if rows == list(range(_num_rows(self._rows))):
            self._rows = after
            return

        def replaced(states: torch.Tensor, new: torch.Tensor) -> torch.Tensor:
            states[rows] = new
            return states

        self._rows = _mapped(self._rows, after, replaced)

    def remove(self, row: int) -> None:
        """The last branch takes the place of this one, which is over."""
        rows = list(range(_num_rows(self._rows)))
        rows[row] = rows[-1]
        self._rows = self.select(rows[:-1])


def _tensors(layer: Any) -> list[torch.Tensor]:
    found = []
    for value in vars(layer).values():
        values = value.values() if isinstance(value, dict) else [value]
        found += [state for state in values if isinstance(state, torch.Tensor)]
    return found


def _num_rows(layer: Any) -> int:
    return next((state.shape[0] for state in _tensors(layer)), 0)


def _mapped(layer: Any, other: Any, change: OnTensors) -> Any:
    """A copy of `layer` with each of its states changed together with the same one of `other`."""
    twin = copy.copy(layer)
    for name, value in vars(layer).items():
        beside = getattr(other, name)
        if isinstance(value, torch.Tensor):
            setattr(twin, name, change(value, beside))
        elif isinstance(value, dict):
            changed = {
                key: change(state, beside[key]) if isinstance(state, torch.Tensor) else beside[key]
                for key, state in value.items()
            }
            setattr(twin, name, changed)
    return twin
