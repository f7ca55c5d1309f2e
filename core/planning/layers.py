"""What each layer of a model keeps of the past: keys and values that grow, a window of them, or a state."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from core.errors import ModelError
from core.planning.config_facts import ConfigFacts
from core.planning.moe import moe_layers


class LayerKind(StrEnum):
    """`FULL` grows with the context; all others are bounded. `NONE` keeps nothing."""

    FULL = "full"
    SLIDING = "sliding"
    CHUNKED = "chunked"
    RECURRENT = "recurrent"
    CONV = "conv"
    SHARED_KV = "shared_kv"
    NONE = "none"
    UNTIERABLE = "untierable"


@dataclass(frozen=True)
class LayerGeometry:
    """One layer. Values are numbers stored, not bytes; a K or V of MLA is a latent with one head.

    `conv_values` are kept in the compute dtype, `recurrent_values` in fp32.
    """

    kind: LayerKind
    num_kv_heads: int = 0
    k_dim: int = 0
    v_dim: int = 0
    window_tokens: int = 0
    conv_values: int = 0
    recurrent_values: int = 0
    is_moe: bool = False

    @property
    def kv_values_per_token(self) -> int:
        return self.num_kv_heads * (self.k_dim + self.v_dim)

    def bounded_bytes(self, num_tokens: int, value_bytes: int, chunk_tokens: int = 0) -> int:
        """What the layer keeps at `num_tokens` if it does not grow without bound, else 0.

        A window is cut from what came with the last chunk of `chunk_tokens`, whose memory it keeps alive.
        """
        if self.kind in (LayerKind.SLIDING, LayerKind.CHUNKED):
            held = min(num_tokens, self.window_tokens + chunk_tokens)
            return held * self.kv_values_per_token * value_bytes
        return self.conv_values * value_bytes + self.recurrent_values * 4


_KINDS = {
    "full_attention": LayerKind.FULL,
    "attention": LayerKind.FULL,
    "sliding_attention": LayerKind.SLIDING,
    "chunked_attention": LayerKind.CHUNKED,
    "linear_attention": LayerKind.RECURRENT,
    "mamba": LayerKind.RECURRENT,
    "recurrent": LayerKind.RECURRENT,
    "conv": LayerKind.CONV,
    "moe": LayerKind.NONE,
    "mlp": LayerKind.NONE,
}
_MOST_LAYERS = 10_000
_HYBRID_LETTERS = {"*": LayerKind.FULL, "M": LayerKind.RECURRENT, "-": LayerKind.NONE, "E": LayerKind.NONE}

_Rule = Callable[[ConfigFacts, int], list[LayerKind] | None]


def layers_of(facts: ConfigFacts) -> tuple[LayerGeometry, ...]:
    """The layers of a configuration. Raises `ModelError` if it says too little."""
    stated = facts.listing("layers_block_type") or facts.value("hybrid_override_pattern") or ()
    num_layers = len(stated) or facts.need("num_hidden_layers", "n_layer", "n_layers", "num_layers")
    if num_layers > _MOST_LAYERS:
        raise ModelError(
            "The model's configuration is wrong",
            f"It states {num_layers:,} layers. Download it again or choose another model.",
        )
    kinds = next(kinds for rule in _RULES if (kinds := rule(facts, num_layers)) is not None)
    first_shared = num_layers - max(0, facts.count("num_kv_shared_layers", default=0))
    kinds = [kind if index < first_shared else LayerKind.SHARED_KV for index, kind in enumerate(kinds)]
    is_moe = moe_layers(facts, num_layers)
    return tuple(_layer(facts.at_layer(index), kind, is_moe[index]) for index, kind in enumerate(kinds))


def _stated(facts: ConfigFacts, num_layers: int) -> list[LayerKind] | None:
    names = facts.listing("layer_types", "layers_block_type")
    if names is None or len(names) != num_layers:
        return None
    return [_KINDS.get(str(name), LayerKind.UNTIERABLE) for name in names]


def _attention_listed(facts: ConfigFacts, num_layers: int) -> list[LayerKind] | None:
    """LFM: the rest are short convolutions."""
    indices = facts.listing("full_attn_idxs")
    if indices is None:
        return None
    return [LayerKind.FULL if index in indices else LayerKind.CONV for index in range(num_layers)]


def _letters(facts: ConfigFacts, num_layers: int) -> list[LayerKind] | None:
    """Nemotron-H: one letter a layer."""
    pattern = facts.value("hybrid_override_pattern")
    if not isinstance(pattern, str) or len(pattern) != num_layers:
        return None
    return [_HYBRID_LETTERS.get(letter, LayerKind.UNTIERABLE) for letter in pattern]


def _every_nth_attends(facts: ConfigFacts, num_layers: int) -> list[LayerKind] | None:
    """Qwen 3.5 and Next: the last of each group attends, the others carry a state. Jamba: one of a period."""
    interval = facts.number("full_attention_interval", "attn_layer_period")
    if not interval:
        return None
    offset = facts.count("attn_layer_offset", default=interval - 1)
    return [
        LayerKind.FULL if index % interval == offset else LayerKind.RECURRENT for index in range(num_layers)
    ]


def _every_nth_is_full(facts: ConfigFacts, num_layers: int) -> list[LayerKind] | None:
    """Gemma, gpt-oss, Cohere 2: the last of each group sees everything, the others a window."""
    pattern = facts.number("sliding_window_pattern")
    if not pattern or facts.number("sliding_window") is None:
        return None
    return [LayerKind.SLIDING if (index + 1) % pattern else LayerKind.FULL for index in range(num_layers)]


def _chunked_with_rope(facts: ConfigFacts, num_layers: int) -> list[LayerKind] | None:
    """Llama 4: layers with positions see a chunk, every fourth has none and sees everything."""
    if facts.number("attention_chunk_size") is None:
        return None
    uses_rope = facts.listing("no_rope_layers") or []
    if len(uses_rope) != num_layers:
        interval = facts.count("no_rope_layer_interval", default=4)
        uses_rope = [(index + 1) % interval != 0 for index in range(num_layers)]
    return [LayerKind.CHUNKED if rope else LayerKind.FULL for rope in uses_rope]


def _window_everywhere(facts: ConfigFacts, num_layers: int) -> list[LayerKind] | None:
    """Mistral 0.1. Qwen 2 states a window that it does not use, or uses only above some layer."""
    if facts.number("sliding_window") is None or not facts.flag("use_sliding_window", default=True):
        return None
    first = facts.count("max_window_layers", default=0) if facts.value("use_sliding_window") else 0
    return [LayerKind.SLIDING if index >= first else LayerKind.FULL for index in range(num_layers)]


def _state_only(facts: ConfigFacts, num_layers: int) -> list[LayerKind] | None:
    """Mamba: states and no attention heads."""
    if facts.number("num_attention_heads", "n_head", "n_heads") is not None:
        return None
    return [LayerKind.RECURRENT] * num_layers


def _all_full(_facts: ConfigFacts, num_layers: int) -> list[LayerKind]:
    return [LayerKind.FULL] * num_layers


_RULES: tuple[_Rule, ...] = (
    _stated,
    _attention_listed,
    _letters,
    _every_nth_attends,
    _every_nth_is_full,
    _chunked_with_rope,
    _window_everywhere,
    _state_only,
    _all_full,
)
"""Asked in order; the first that recognises its fields decides."""


def _layer(facts: ConfigFacts, kind: LayerKind, is_moe: bool) -> LayerGeometry:
    if kind is LayerKind.RECURRENT:
        conv, recurrent = _recurrent_values(facts)
        return LayerGeometry(kind, conv_values=conv, recurrent_values=recurrent, is_moe=is_moe)
    if kind is LayerKind.CONV:
        hidden, length = facts.need("hidden_size"), facts.count("conv_L_cache", default=3)
        return LayerGeometry(kind, conv_values=hidden * length, is_moe=is_moe)
    if kind in (LayerKind.NONE, LayerKind.SHARED_KV):
        return LayerGeometry(kind, is_moe=is_moe)
    num_kv_heads, k_dim, v_dim = kv_shape(facts, kind)
    if min(num_kv_heads, k_dim, v_dim) < 1:
        raise ModelError(
            "The model's configuration is wrong",
            f"It states {num_kv_heads} KV heads with keys of {k_dim} and values of {v_dim} numbers. Download "
            "it again or choose another model.",
        )
    names = {LayerKind.SLIDING: "sliding_window", LayerKind.CHUNKED: "attention_chunk_size"}
    window = facts.need(names[kind]) if kind in names else 0
    return LayerGeometry(kind, num_kv_heads, k_dim, v_dim, window_tokens=window, is_moe=is_moe)


def kv_shape(facts: ConfigFacts, kind: LayerKind) -> tuple[int, int, int]:
    """KV heads, K dim and V dim of an attention layer, as the cache holds them."""
    latent_dim = facts.number("kv_lora_rank")
    if latent_dim:
        return 1, latent_dim, facts.need("qk_rope_head_dim")
    num_heads = facts.need("num_attention_heads", "n_head", "n_heads")
    num_kv_heads = _num_kv_heads(facts, num_heads)
    k_dim = head_dim(facts)
    v_dim = facts.count("v_head_dim", default=k_dim)
    if kind is LayerKind.FULL and (global_dim := facts.number("global_head_dim")):
        k_dim = v_dim = global_dim
        num_kv_heads = facts.count("num_global_key_value_heads", default=num_kv_heads)
    return num_kv_heads, k_dim, v_dim


def head_dim(facts: ConfigFacts) -> int:
    stated = facts.number("head_dim")
    if stated:
        return stated
    hidden = facts.need("hidden_size", "n_embd", "d_model")
    return hidden // facts.need("num_attention_heads", "n_head", "n_heads")


def _num_kv_heads(facts: ConfigFacts, num_heads: int) -> int:
    is_one = facts.flag("multi_query") and not facts.flag("new_decoder_architecture")
    return 1 if is_one else facts.count("num_key_value_heads", "num_kv_heads", default=num_heads)


def _recurrent_values(facts: ConfigFacts) -> tuple[int, int]:
    """Values of the convolution's and of the recurrent state: gated delta net, else Mamba."""
    num_heads = facts.number("linear_num_value_heads")
    if num_heads:
        k_dim, v_dim = facts.need("linear_key_head_dim"), facts.need("linear_value_head_dim")
        channels = 2 * facts.need("linear_num_key_heads") * k_dim + num_heads * v_dim
        return channels * facts.need("linear_conv_kernel_dim"), num_heads * k_dim * v_dim
    state = facts.count("mamba_d_state", "ssm_state_size", "state_size", default=128)
    width = mamba_width(facts)
    num_groups = facts.count("mamba_n_groups", "n_groups", default=0)
    kernel = facts.count("mamba_d_conv", "conv_kernel", default=4)
    return (width + 2 * num_groups * state) * kernel, width * state


def mamba_width(facts: ConfigFacts) -> int:
    """The inner width of a Mamba layer."""
    num_heads = facts.number("mamba_n_heads", "mamba_num_heads")
    dim = facts.number("mamba_d_head", "mamba_head_dim")
    if num_heads and dim:
        return num_heads * dim
    return facts.need("hidden_size") * facts.count("mamba_expand", "expand", default=2)
