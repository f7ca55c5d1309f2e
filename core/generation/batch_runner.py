"""The model over the branches of a batch, a pass at a time, and what gives way when memory runs out."""

from collections.abc import Sequence

import torch

from core.generation.batch_pass import PassLimits
from core.generation.relief import Relief, is_out_of_memory, smaller_step
from core.generation.runner import ModelRunner, require_finite
from core.kv.batch import BatchCache, Feed


class BatchRunner:
    """Passes over `batch`; what memory allowed once bounds the passes that come after it."""

    def __init__(self, runner: ModelRunner, batch: BatchCache) -> None:
        self._runner = runner
        self._batch = batch
        self._most_tokens: int | None = None
        self._most_rows: int | None = None

    def limits(self, num_tokens: int, num_rows: int) -> PassLimits:
        """How much a pass may take of what is wanted."""
        return PassLimits(
            min(num_tokens, self._most_tokens or num_tokens), min(num_rows, self._most_rows or num_rows)
        )

    def step(self, feeds: Sequence[Feed]) -> torch.Tensor | None:
        """Append what `feeds` bring; the logits `(num_feeds, vocab_size)` of the last token of each.

        None when memory ran out and something was given up: nothing was appended, and a pass within the
        narrower `limits` is to be tried. Raises `DoesNotFitError` when nothing is left to give up, and
        `DeviceError` if logits are not finite. Whatever is raised, the batch holds whole passes.
        """
        result = self._try(feeds)
        if isinstance(result, torch.Tensor):
            return result
        self._give_way(feeds, result)
        return None

    def _try(self, feeds: Sequence[Feed]) -> torch.Tensor | BaseException:
        """As `ModelRunner` does it: an error comes without its traceback."""
        token_ids = [token_id for feed in feeds for token_id in feed.token_ids]
        try:
            with torch.inference_mode(), self._batch.forward_pass(feeds):
                logits = self._runner.signature.run_batch(self._runner.model, self._batch, token_ids)
                require_finite(logits)
        except BaseException as error:
            if is_out_of_memory(error):
                return error.with_traceback(None)
            raise
        self._runner.num_computed_tokens += len(token_ids)
        return logits

    def _give_way(self, feeds: Sequence[Feed], error: BaseException) -> None:
        """Questions are read in smaller pieces, or fewer branches decode together."""
        num_tokens = sum(len(feed.token_ids) for feed in feeds)
        step = smaller_step(num_tokens) if num_tokens > len(feeds) else None
        rows = len(feeds) // 2 if step is None and len(feeds) > 1 else None
        wanted = Relief(step, 0, rows)
        self._runner.give_way(wanted, self._batch, error, num_tokens=num_tokens)
        self._most_tokens, self._most_rows = step or self._most_tokens, rows or self._most_rows
