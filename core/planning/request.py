"""What a plan is asked for."""

from dataclasses import dataclass

from core.errors import UsageError
from core.settings import (
    CACHE_DEVICES,
    KV_CODECS,
    KV_DTYPES,
    MODES,
    QUANTIZATIONS,
    SHARDING_STRATEGIES,
    RopeScaling,
)


@dataclass(frozen=True)
class PlanRequest:
    """`num_documents` contexts of `context` tokens each, and how they are to be kept.

    `num_branches` questions about one of them are answered at once, each with `branch_tokens` of its own at
    most.

    The other fields are those of `EngineSettings`; None leaves a choice to the planner. `gpu_ids` are the
    places in the machine's list of GPUs that `layer_wise` sharding spreads over. Raises `UsageError` for
    values that there are not.
    """

    context: int
    num_documents: int = 1
    num_branches: int = 1
    branch_tokens: int = 1024
    quantization: str = "none"
    codec: str = "none"
    kv_dtype: str = "auto"
    cache_device: str = "auto"
    mode: str = "exact"
    sparse_budget: int = 4096
    hot_budget_bytes: int | None = None
    active_window: int | None = None
    prefill_chunk: int = 512
    block_tokens: int | None = None
    expert_budget_bytes: int | None = None
    rope_scaling: RopeScaling | None = None
    sharding: str = "none"
    gpu_ids: tuple[int, ...] = ()
    keeps_on_disk: bool = True

    def __post_init__(self) -> None:
        _require(self.context >= 1, "context", self.context, "1 or more")
        _require(self.num_documents >= 1, "number of contexts", self.num_documents, "1 or more")
        _require(self.num_branches >= 1, "number of questions at once", self.num_branches, "1 or more")
        _require(self.branch_tokens >= 1, "length of a branch", self.branch_tokens, "1 or more")
        _require(self.prefill_chunk >= 1, "prefill chunk", self.prefill_chunk, "1 or more")
        _require((self.hot_budget_bytes or 0) >= 0, "hot budget", self.hot_budget_bytes, "0 or more")
        for what, value, allowed in (
            ("quantization", self.quantization, QUANTIZATIONS),
            ("KV compression", self.codec, KV_CODECS),
            ("KV dtype", self.kv_dtype, KV_DTYPES),
            ("KV cache device", self.cache_device, CACHE_DEVICES),
            ("mode", self.mode, MODES),
            ("sharding", self.sharding, SHARDING_STRATEGIES),
        ):
            _require(value in allowed, what, value, " or ".join(allowed))


def _require(condition: bool, what: str, value: object, allowed: str) -> None:
    if not condition:
        raise UsageError(f"The {what} cannot be {value}", f"It must be {allowed}.")
