"""The question that is being answered, and how fast its answer comes."""

import time
from collections import deque
from dataclasses import dataclass, field, replace

from app.state import Speed

_RATE_WINDOW_S = 3.0


@dataclass
class Turn:
    """The question that is being answered or was answered last.

    `is_in_conversation` says whether the model knows it, or the one in whose place it was asked, so that it
    can answer again. `replaced` is the question that comes back if no answer to this one begins.
    """

    question: str
    asked_at: float = field(default_factory=time.perf_counter)
    is_in_conversation: bool = False
    replaced: str | None = None
    _arrivals: deque[tuple[float, int]] = field(default_factory=deque)

    def bring_back(self) -> None:
        """No answer began: the question that was to be replaced stands again."""
        if self.replaced is not None:
            self.question, self.replaced = self.replaced, None

    def speed_after(self, speed: Speed, num_tokens: int) -> Speed:
        """`speed` now that so many more tokens have come."""
        now = time.perf_counter()
        ttft_s = speed.ttft_s if speed.ttft_s is not None else now - self.asked_at
        return replace(speed, ttft_s=ttft_s, tokens_per_s=self._rate(now, num_tokens))

    def _rate(self, now: float, num_tokens: int) -> float | None:
        """Tokens a second over the last few seconds; the first batch only starts the clock."""
        arrivals = self._arrivals
        arrivals.append((now, num_tokens))
        while len(arrivals) > 2 and now - arrivals[0][0] > _RATE_WINDOW_S:
            arrivals.popleft()
        elapsed_s = now - arrivals[0][0]
        return sum(count for _, count in list(arrivals)[1:]) / elapsed_s if elapsed_s > 0 else None
