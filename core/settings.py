"""What a user can choose about the engine; frozen, and free of torch so that any front end can hold it."""

from dataclasses import dataclass, field
from pathlib import Path

from core.errors import UsageError

MAX_THREADS = 1024
MODES = ("exact", "sparse", "window")
DEFAULT_ACTIVE_WINDOW = 1024
DEFAULT_MIGRATION_INTERVAL = 128
CACHE_DEVICES = ("auto", "gpu", "cpu", "multi_gpu")
SHARDING_STRATEGIES = ("none", "layer_wise")
KV_CODECS = ("none", "int8", "k8v4", "int4")
KV_DTYPES = ("auto", "float32", "bfloat16", "float16")
CPU_MEMORY_STRATEGIES = ("auto", "hugetlb", "madvise_hugepage", "mmap_anonymous", "pinned")
CPU_MEMORY_POLICIES = ("default", "numactl_bind")
QUANTIZATIONS = ("none", "nf4", "int8")
ROPE_SCALINGS = ("yarn", "linear")
_MAX_ROPE_FACTOR = 64


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
        seed = self.seed if self.seed is not None else 0
        _require(-(2**63) <= seed < 2**63, "seed", seed, "a 64-bit number")
        _require(self.max_new_tokens >= 1, "number of new tokens", self.max_new_tokens, "1 or more")


@dataclass(frozen=True)
class RopeScaling:
    """Positions stretched by `factor`, so that a model reads that much more than it was trained on.

    Raises `UsageError` for a kind or a factor that there is not.
    """

    kind: str
    factor: float

    def __post_init__(self) -> None:
        _require(self.kind in ROPE_SCALINGS, "rope scaling", self.kind, " or ".join(ROPE_SCALINGS))
        _require(
            1 < self.factor <= _MAX_ROPE_FACTOR,
            "rope scaling factor",
            self.factor,
            f"more than 1 and at most {_MAX_ROPE_FACTOR}",
        )

    def __str__(self) -> str:
        return f"{self.kind}:{self.factor:g}"

    @classmethod
    def parse(cls, text: str) -> "RopeScaling":
        """From `yarn:4` or `linear:2`. Raises `UsageError`, for dynamic scaling with the reason."""
        kind, _, factor = text.strip().lower().partition(":")
        if kind in ("dynamic", "ntk"):
            raise UsageError(
                "Dynamic rope scaling is not possible",
                "It changes the positions of what was already read whenever the text grows, so that nothing "
                "of it could be kept. Use yarn:F or linear:F.",
            )
        try:
            return cls(kind, float(factor))
        except ValueError:
            raise UsageError(
                "Not a rope scaling", f"{text!r} is none; write for example yarn:4 or linear:2."
            ) from None


@dataclass(frozen=True)
class EngineSettings:
    """The engine's own choices.

    In mode `sparse` an answer's tokens look at `sparse_budget` tokens of the documents each, in all but the
    first layers; in mode `window` everything is read and answered with the beginning and the newest
    `window_tokens` tokens in view. `max_seq_len` caps the context below the model's own (tokens).
    `active_window` is how many of the newest tokens are always hot, `hot_budget_bytes` bounds the hot tier;
    None leaves it to the device. Every `migration_interval` decoded tokens the hot tier is looked at anew.
    `block_tokens` None suits the block to the device, `threads` None lets torch choose. `prefill_chunk` is
    in tokens. With `kv_sharding_strategy` "layer_wise" the layers and their KV are divided among the GPUs
    `gpu_ids`; None means all of them then, else the first. `kv_cache_device` "multi_gpu" divides them too.
    `cpu_memory_strategy` is the kind of host memory that sealed KV lies in, `cpu_memory_policy` where it
    comes from. `quantization` is done to plain weights when they are loaded. `expert_budget_bytes` bounds
    the experts on the compute device; None leaves all of them there. `review_width` is how many questions of
    a review are answered at once; None leaves it to memory. `cache_root` None is the user's own cache folder.
    With `document_caches` what is read is kept on the disk, all documents together within
    `cache_quota_bytes`; None is a quarter of the free disk. With `evidence` each answer says which pages it
    looked at.
    """

    model: str = "starter"
    mode: str = "exact"
    sparse_budget: int = 4096
    max_seq_len: int | None = None
    kv_cache_device: str = "auto"
    kv_sharding_strategy: str = "none"
    gpu_ids: tuple[int, ...] | None = None
    kv_dtype: str = "auto"
    kv_compression: str = "none"
    active_window: int | None = None
    hot_budget_bytes: int | None = None
    migration_interval: int = DEFAULT_MIGRATION_INTERVAL
    block_tokens: int | None = None
    prefill_chunk: int = 512
    threads: int | None = None
    cpu_memory_strategy: str = "auto"
    cpu_memory_policy: str = "default"
    quantization: str = "none"
    expert_budget_bytes: int | None = None
    review_width: int | None = None
    rope_scaling: RopeScaling | None = None
    cache_root: Path | None = None
    document_caches: bool = False
    cache_quota_bytes: int | None = None
    evidence: bool = True
    sampling: SamplingSettings = field(default_factory=SamplingSettings)

    @property
    def window_tokens(self) -> int:
        """The window of mode `window`: the active window, or its default size where the device decides."""
        return DEFAULT_ACTIVE_WINDOW if self.active_window is None else self.active_window

    def __post_init__(self) -> None:
        _require(
            self.max_seq_len is None or self.max_seq_len > 0, "sequence length", self.max_seq_len, "1 or more"
        )
        threads = self.threads if self.threads is not None else 1
        _require(1 <= threads <= MAX_THREADS, "number of threads", threads, f"1 to {MAX_THREADS}")
        _require((self.active_window or 0) >= 0, "active window", self.active_window, "0 or more")
        _require(self.migration_interval >= 1, "migration interval", self.migration_interval, "1 or more")
        _require(self.sparse_budget >= 16, "sparse budget", self.sparse_budget, "16 tokens or more")
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
        _require(
            self.cpu_memory_strategy in CPU_MEMORY_STRATEGIES,
            "CPU memory strategy",
            self.cpu_memory_strategy,
            " or ".join(CPU_MEMORY_STRATEGIES),
        )
        _require(
            self.cpu_memory_policy in CPU_MEMORY_POLICIES,
            "CPU memory policy",
            self.cpu_memory_policy,
            " or ".join(CPU_MEMORY_POLICIES),
        )
        _require(
            self.quantization in QUANTIZATIONS, "quantization", self.quantization, " or ".join(QUANTIZATIONS)
        )
        _require(
            self.expert_budget_bytes is None or self.expert_budget_bytes > 0,
            "expert budget",
            self.expert_budget_bytes,
            "1 byte or more",
        )
        _require(
            self.review_width is None or self.review_width >= 1,
            "number of questions at once",
            self.review_width,
            "1 or more",
        )
        self._require_sensible_gpus()

    @property
    def is_layer_wise(self) -> bool:
        """Whether layers and their KV are divided among GPUs."""
        return self.kv_sharding_strategy == "layer_wise" or self.kv_cache_device == "multi_gpu"

    def _require_sensible_gpus(self) -> None:
        strategy = self.kv_sharding_strategy
        _require(
            strategy in SHARDING_STRATEGIES,
            "KV sharding strategy",
            strategy,
            " or ".join(SHARDING_STRATEGIES),
        )
        if self.gpu_ids is None:
            return
        written = ",".join(map(str, self.gpu_ids))
        is_list = len(self.gpu_ids) > 0 and len(set(self.gpu_ids)) == len(self.gpu_ids)
        _require(
            is_list and min(self.gpu_ids) >= 0,
            "list of GPUs",
            repr(written),
            "numbers from 0 on, each once, for example 0,1",
        )
        if len(self.gpu_ids) > 1 and not self.is_layer_wise:
            raise UsageError(
                "Several GPUs and nothing to divide",
                f"--gpu-ids {written} names {len(self.gpu_ids)} GPUs. Add --kv-sharding-strategy layer_wise, "
                "or name one.",
            )
        if len(self.gpu_ids) == 1 and self.kv_cache_device == "multi_gpu":
            raise UsageError(
                "One GPU is not several",
                f"--kv-cache-device multi_gpu needs two GPUs or more; --gpu-ids names {written} only.",
            )


def _require(condition: bool, what: str, value: object, allowed: str) -> None:
    if not condition:
        raise UsageError(f"The {what} cannot be {value}", f"It must be {allowed}.")
