"""The model as the generator sees it: token ids in, logits of the last position out."""

import torch
from transformers import PreTrainedModel

from core.kv.cache import TieredCache
from core.models.forward import ForwardSignature


class ModelRunner:
    """Runs one sequence a step at a time and counts the tokens it computed.

    `num_computed_tokens` is what tests and benchmarks look at to see that nothing is computed twice.
    """

    def __init__(self, model: PreTrainedModel) -> None:
        self._model = model
        self._signature = ForwardSignature(model)
        self.num_computed_tokens = 0

    @property
    def device(self) -> torch.device:
        """Where token ids go in."""
        return self._model.device

    def step(self, token_ids: torch.Tensor, cache: TieredCache) -> torch.Tensor:
        """Append `token_ids` `(num_tokens,)` to `cache`; the logits `(vocab_size,)` of the last one."""
        first_position = cache.num_tokens
        input_ids = token_ids.to(self._model.device).unsqueeze(0)
        with torch.inference_mode():
            logits = self._signature.run(self._model, input_ids, cache, first_position)
            cache.seal()
        self.num_computed_tokens += token_ids.numel()
        return logits
