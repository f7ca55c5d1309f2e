"""Running a transformers model for one step, whatever its release calls the cache."""

import inspect

import torch
from transformers import PreTrainedModel

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
        arguments = {
            "input_ids": input_ids,
            "position_ids": positions.unsqueeze(0),
            "use_cache": True,
            self._cache_name: cache,
        }
        if self._keeps_logits:
            arguments["logits_to_keep"] = 1
        logits: torch.Tensor = model(**arguments).logits
        return logits[0, -1]
