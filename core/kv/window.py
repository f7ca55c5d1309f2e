"""Window mode: attention sees the beginning of a sequence and its newest tokens, nothing in between."""

from collections.abc import Sequence
from dataclasses import dataclass

from core.kv.block import SealedBlock


@dataclass(frozen=True)
class WindowSettings:
    """What stays in view, in tokens: the first `sinks` and, before the newest chunk, the last `window`.

    The first tokens hold attention that has nowhere else to go; without them a window falls apart
    (attention sinks: Xiao et al. 2023, StreamingLLM).
    """

    window: int
    sinks: int = 64

    def visible(self, blocks: Sequence[SealedBlock], block_tokens: int) -> list[SealedBlock]:
        """Those of a sequence's sealed `blocks` that may be read, in order; both sizes count whole blocks.

        How many there are decides, never where they live: so results do not depend on residency.
        """
        num_sinks = -(-self.sinks // block_tokens)
        num_newest = -(-self.window // block_tokens)
        if num_sinks + num_newest >= len(blocks):
            return list(blocks)
        return [*blocks[:num_sinks], *blocks[len(blocks) - num_newest :]]
