"""Running a transformers model for one step, whatever its release calls the cache."""

import inspect
from collections.abc import Sequence

import torch
from transformers import Cache, PreTrainedModel

from core.kv.batch import BatchCache
from core.kv.cache import TieredCache


class ForwardSignature:
    """The names of the arguments of a model's `forward`, found out once."""

    def __init__(self, model: PreTrainedModel) -> None:
        parameters = inspect.signature(model.forward).parameters
        self._cache_name = "cache" if "cache" in parameters else "past_key_values"
        self._keeps_logits = "logits_to_keep" in parameters

    def run(
        self, model: PreTrainedModel, input_ids: torch.Tensor, cache: TieredCache, first_position: int
    ) -> torch.Tensor:
        """The logits `(vocab_size,)` of the last position of `input_ids` `(1, num_tokens)`."""
        num_tokens = input_ids.shape[1]
        positions = torch.arange(first_position, first_position + num_tokens, device=input_ids.device)
        return self._logits(model, input_ids, positions.unsqueeze(0), cache, 1)[0, -1]

    def run_batch(self, model: PreTrainedModel, cache: BatchCache, token_ids: Sequence[int]) -> torch.Tensor:
        """The logits `(num_stretches, vocab_size)` of the last token of each stretch of the pass under way.

        `token_ids` are those of all stretches, packed. A model that cannot pack gets a row for each.
        """
        layout, device = cache.layout, model.device
        ids, positions = (torch.tensor(x, device=device) for x in (token_ids, layout.positions()))
        if not cache.packs:
            assert layout.is_even, "a model with states takes stretches of one length"
            num_lines = len(layout.stretches)
            ids, positions = ids.view(num_lines, -1), positions.view(num_lines, -1)
            return self._logits(model, ids, positions, cache, 1)[:, -1]
        lasts = torch.tensor(layout.lasts())  # on the host: the head may be on another device
        logits = self._logits(model, ids.unsqueeze(0), positions.unsqueeze(0), cache, lasts)[0]
        return logits if self._keeps_logits else logits[lasts]

    def _logits(
        self,
        model: PreTrainedModel,
        input_ids: torch.Tensor,
        position_ids: torch.Tensor,
        cache: Cache,
        logits_to_keep: int | torch.Tensor,
    ) -> torch.Tensor:
        arguments = {
            "input_ids": input_ids,
            "position_ids": position_ids,
            "use_cache": True,
            self._cache_name: cache,
        }
        if self._keeps_logits:
            arguments["logits_to_keep"] = logits_to_keep
        logits: torch.Tensor = model(**arguments).logits
        return logits
