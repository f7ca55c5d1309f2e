"""What a user can choose about the engine; frozen, and free of torch so that any front end can hold it."""

from dataclasses import dataclass, field
from pathlib import Path

from core.errors import UsageError

MODES = ("exact",)
CACHE_DEVICES = ("auto", "gpu", "cpu")
KV_CODECS = ("none", "int8", "k8v4", "int4")
KV_DTYPES = ("auto", "float32", "bfloat16", "float16")


@dataclass(frozen=True)
class SamplingSettings:
    """How the next token is chosen. `temperature` 0 is greedy; `seed` makes sampling repeatable.

    Raises `UsageError` for values outside their range.
    """

    temperature: float = 0.0
    top_p: float = 1.0
    top_k: int = 0
    repetition_penalty: float = 1.0
    seed: int | None = None
    max_new_tokens: int = 512

    def __post_init__(self) -> None:
        _require(self.temperature >= 0, "temperature", self.temperature, "0 or more")
        _require(0 < self.top_p <= 1, "top-p", self.top_p, "more than 0 and at most 1")
        _require(self.top_k >= 0, "top-k", self.top_k, "0 (off) or more")
        _require(self.repetition_penalty > 0, "repetition penalty", self.repetition_penalty, "more than 0")
        _require(self.max_new_tokens >= 1, "number of new tokens", self.max_new_tokens, "1 or more")


@dataclass(frozen=True)
class EngineSettings:
    """The engine's own choices.

    `max_seq_len` caps the context below the model's own (tokens). `active_window` is how many of the newest
    tokens are always hot and `hot_budget_bytes` bounds the hot tier; None leaves either to the device.
    `block_tokens` None suits the block to the device, `threads` None lets torch choose. `prefill_chunk` is
    in tokens. `cache_root` None is the user's own cache folder.
    """

    model: str = "starter"
    mode: str = "exact"
    max_seq_len: int | None = None
    kv_cache_device: str = "auto"
    kv_dtype: str = "auto"
    kv_compression: str = "none"
    active_window: int | None = None
    hot_budget_bytes: int | None = None
    block_tokens: int | None = None
    prefill_chunk: int = 512
    threads: int | None = None
    cache_root: Path | None = None
    sampling: SamplingSettings = field(default_factory=SamplingSettings)

    def __post_init__(self) -> None:
        _require(
            self.max_seq_len is None or self.max_seq_len > 0, "sequence length", self.max_seq_len, "1 or more"
        )
        _require(self.threads is None or self.threads > 0, "number of threads", self.threads, "1 or more")
        _require((self.active_window or 0) >= 0, "active window", self.active_window, "0 or more")
        _require(self.prefill_chunk >= 1, "prefill chunk", self.prefill_chunk, "1 or more")
        _require(
            self.block_tokens is None or self.block_tokens >= 1, "block size", self.block_tokens, "1 or more"
        )
        _require(self.mode in MODES, "mode", self.mode, " or ".join(MODES))
        _require(
            self.kv_compression in KV_CODECS, "KV compression", self.kv_compression, " or ".join(KV_CODECS)
        )
        _require(self.kv_dtype in KV_DTYPES, "KV dtype", self.kv_dtype, " or ".join(KV_DTYPES))
        _require(
            self.kv_cache_device in CACHE_DEVICES,
            "KV cache device",
            self.kv_cache_device,
            " or ".join(CACHE_DEVICES),
        )


def _require(condition: bool, what: str, value: object, allowed: str) -> None:
    if not condition:
        raise UsageError(f"The {what} cannot be {value}", f"It must be {allowed}.")
