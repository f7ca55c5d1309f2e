"""The model as the generator sees it: token ids in, logits of the last position out."""

import gc
from dataclasses import replace

import torch
from transformers import PreTrainedModel

from core.errors import DeviceError
from core.generation.relief import (
    Relief,
    is_about_host,
    is_out_of_memory,
    nothing_left_to_give,
    smaller_step,
)
from core.kv.batch import BatchCache
from core.kv.cache import TieredCache
from core.models.forward import ForwardSignature


class ModelRunner:
    """Runs one sequence a step at a time and counts the tokens it computed.

    `num_computed_tokens` is what tests and benchmarks look at to see that nothing is computed twice.
    `reliefs` is what was given up so far because memory ran out, in order.
    """

    def __init__(self, model: PreTrainedModel) -> None:
        self._model = model
        self._signature = ForwardSignature(model)
        self._most_tokens: int | None = None
        self.num_computed_tokens = 0
        self.reliefs: list[Relief] = []

    def step_tokens(self, wanted: int) -> int:
        """How many tokens to compute at once: `wanted`, or fewer since memory ran out."""
        return wanted if self._most_tokens is None else min(wanted, self._most_tokens)

    @property
    def model(self) -> PreTrainedModel:
        return self._model

    @property
    def signature(self) -> ForwardSignature:
        return self._signature

    @property
    def device(self) -> torch.device:
        """Where token ids go in."""
        return self._model.device

    def step(self, token_ids: torch.Tensor, cache: TieredCache) -> torch.Tensor:
        """Append `token_ids` `(num_tokens,)` to `cache`; the logits `(vocab_size,)` of the last one.

        Where memory runs out the forward pass is taken back, half of the hot tier is given back, and the
        tokens are appended in parts of half the size, down to `MIN_STEP_TOKENS`. Parts give the same as the
        whole up to rounding, not to the bit. Raises `DoesNotFitError` when nothing is left to give up, and
        `DeviceError` if logits are not finite. Whatever is raised, `cache` holds whole forward passes.
        """
        logits, num_done = None, 0
        while logits is None or num_done < token_ids.numel():
            part = token_ids[num_done : num_done + self.step_tokens(token_ids.numel())]
            result = self._try(part, cache)
            if isinstance(result, torch.Tensor):
                logits, num_done = result, num_done + part.numel()
            else:
                self._give_way(part.numel(), cache, result)
        return logits

    def _try(self, token_ids: torch.Tensor, cache: TieredCache) -> torch.Tensor | BaseException:
        """The logits after one forward pass, or why memory did not suffice; then `cache` is as before.

        The error comes without its traceback, which would keep the activations of the failed pass alive.
        """
        input_ids = token_ids.to(self._model.device).unsqueeze(0)
        checkpoint = cache.checkpoint()
        try:
            with torch.inference_mode():
                logits = self._signature.run(self._model, input_ids, cache, cache.num_tokens)
                cache.seal()
                require_finite(logits)
        except BaseException as error:
            cache.restore(checkpoint)
            if is_out_of_memory(error):
                return error.with_traceback(None)
            raise
        self.num_computed_tokens += token_ids.numel()
        return logits

    def _give_way(self, num_tokens: int, cache: TieredCache, error: BaseException) -> None:
        step = smaller_step(num_tokens)
        self.give_way(Relief(step, 0), cache, error, num_tokens=num_tokens)
        if step is not None:
            self._most_tokens = step

    def give_way(
        self, wanted: Relief, cache: TieredCache | BatchCache, error: BaseException, *, num_tokens: int
    ) -> None:
        """Half of the hot tier is given back, beside what the caller gives up in `wanted`.

        Raises `DoesNotFitError` if there is nothing to give, neither here nor there.
        """
        gc.collect()
        store = cache.store
        hot_bytes = store.shrink_hot("cpu" if is_about_host(error) else None)
        if not wanted.is_something and hot_bytes == 0:
            raise nothing_left_to_give(
                error, num_cached=cache.num_tokens, num_tokens=num_tokens, cold_bytes=store.cold_bytes
            ) from error
        cache.promote()
        self.reliefs.append(replace(wanted, hot_bytes=hot_bytes))


def require_finite(logits: torch.Tensor) -> None:
    """Raise `DeviceError` unless every logit is a number."""
    if not bool(torch.isfinite(logits).all()):
        raise DeviceError(
            "The model's numbers overflowed",
            "Numbers that the model computed on the way are too large for "
            f"{str(logits.dtype).removeprefix('torch.')}, so that its answer would be worthless. Choose "
            "--kv-dtype bfloat16 or float32, or another model.",
        )
