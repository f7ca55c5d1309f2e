"""Choosing the next token from logits."""

import torch

from core.settings import SamplingSettings

_LOWEST_TEMPERATURE = 1e-5


class Sampler:
    """Chooses tokens under `settings`; one sampler serves one answer, so that a seed repeats it."""

    def __init__(self, settings: SamplingSettings) -> None:
        self._settings = settings
        self._generator = torch.Generator()
        if settings.seed is not None:
            self._generator.manual_seed(settings.seed)
        else:
            self._generator.seed()

    def sample(self, logits: torch.Tensor, previous_ids: list[int]) -> int:
        """The next token for `logits` `(vocab_size,)`; `previous_ids` are those already generated."""
        settings = self._settings
        logits = penalise_repetition(logits.float().cpu(), previous_ids, settings.repetition_penalty)
        if settings.temperature == 0:
            return int(logits.argmax())
        logits = (logits - logits.max()) / max(settings.temperature, _LOWEST_TEMPERATURE)
        logits = keep_top_p(keep_top_k(logits, settings.top_k), settings.top_p)
        return int(torch.multinomial(logits.softmax(-1), 1, generator=self._generator))


def penalise_repetition(logits: torch.Tensor, previous_ids: list[int], penalty: float) -> torch.Tensor:
    """Positive logits of tokens that were generated before are divided by `penalty`, negative multiplied."""
    if penalty == 1.0 or not previous_ids:
        return logits
    logits = logits.clone()
    seen = torch.tensor(sorted(set(previous_ids)))
    scores = logits[seen]
    logits[seen] = torch.where(scores > 0, scores / penalty, scores * penalty)
    return logits


def keep_top_k(logits: torch.Tensor, top_k: int) -> torch.Tensor:
    """All but the `top_k` largest become -inf; 0 keeps all."""
    if top_k == 0 or top_k >= logits.shape[-1]:
        return logits
    threshold = logits.topk(top_k).values[-1]
    return logits.masked_fill(logits < threshold, float("-inf"))


def keep_top_p(logits: torch.Tensor, top_p: float) -> torch.Tensor:
    """Keep the fewest tokens whose probabilities reach `top_p` together; the likeliest always stays."""
    if top_p >= 1.0:
        return logits
    ordered, indices = logits.sort(descending=True)
    probabilities = ordered.softmax(-1)
    mass_before = probabilities.cumsum(-1) - probabilities
    dropped = indices[mass_before >= top_p]
    return logits.index_fill(0, dropped, float("-inf"))
