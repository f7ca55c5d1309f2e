"""What a model's attention module hands over beside its queries."""

from dataclasses import dataclass
from typing import Any

import torch


@dataclass(frozen=True)
class AttentionCall:
    """The attention `module` itself, and the newest tokens' keys and values as it would attend to them.

    `key` and `value` are `(1, num_kv_heads, num_new, …)`; where the cache holds latents, they are expanded.
    """

    module: Any
    key: torch.Tensor
    value: torch.Tensor
