"""How many parameters a language model has, counted from its configuration by a formula per component."""

from dataclasses import dataclass

from core.planning.config_facts import ConfigFacts
from core.planning.layers import LayerGeometry, LayerKind, head_dim, kv_shape, mamba_width
from core.planning.moe import Experts, experts_of

_ATTENDING = (LayerKind.FULL, LayerKind.SLIDING, LayerKind.CHUNKED, LayerKind.SHARED_KV, LayerKind.UNTIERABLE)


@dataclass(frozen=True)
class ParameterCount:
    """Numbers of parameters by component. `head` is 0 where it is the embedding's own matrix.

    `active_experts` are those of `experts` that one token runs through.
    """

    embedding: int
    head: int
    mixers: int
    mlp: int
    experts: int
    active_experts: int
    norms: int

    @property
    def total(self) -> int:
        return self.embedding + self.head + self.mixers + self.mlp + self.experts + self.norms

    @property
    def quantizable(self) -> int:
        """What `--quantization` reaches: linear layers. Experts are stored fused and stay as they are."""
        return self.mixers + self.mlp

    @property
    def read_per_token(self) -> int:
        """The parameters that decoding one token reads; of the embedding it reads one row."""
        head = self.head or self.embedding
        return head + self.mixers + self.mlp + self.active_experts + self.norms


def count_parameters(facts: ConfigFacts, layers: tuple[LayerGeometry, ...]) -> ParameterCount:
    """Raises `ModelError` if the configuration says too little."""
    hidden = facts.need("hidden_size", "n_embd", "d_model")
    embedding = facts.need("vocab_size") * hidden
    experts = experts_of(facts)
    with_mlp = [layer for layer in layers if layer.kind is LayerKind.NONE] or layers
    num_moe = sum(layer.is_moe for layer in with_mlp)
    per_layer = facts.count("hidden_size_per_layer_input", default=0)
    positions = facts.count("n_positions", default=0) * hidden if facts.value("n_positions") else 0
    return ParameterCount(
        embedding=embedding
        + positions
        + facts.count("vocab_size_per_layer_input", default=0) * per_layer * len(layers),
        head=0 if facts.flag("tie_word_embeddings") else embedding,
        mixers=sum(_mixer(facts, layer, hidden) for layer in layers),
        mlp=sum(_mlp(facts, layer, hidden, experts) for layer in with_mlp)
        + (hidden * per_layer * 3 * len(layers) if per_layer else 0),
        experts=num_moe * _expert(facts, hidden, experts) * (experts.count if experts else 0),
        active_experts=num_moe * _expert(facts, hidden, experts) * (experts.active if experts else 0),
        norms=(facts.count("rms_norms_per_layer", default=2) * len(layers) + 1) * hidden,
    )


def _mixer(facts: ConfigFacts, layer: LayerGeometry, hidden: int) -> int:
    """What mixes tokens: attention, a recurrence or a short convolution."""
    if layer.kind in _ATTENDING:
        has_latents = facts.number("kv_lora_rank") is not None
        return _latent_attention(facts, hidden) if has_latents else _attention(facts, layer, hidden)
    if layer.kind is LayerKind.CONV:
        return 4 * hidden * hidden + hidden * facts.count("conv_L_cache", default=3)
    if layer.kind is LayerKind.RECURRENT:
        return _delta_net(facts, hidden) if facts.number("linear_num_value_heads") else _mamba(facts, hidden)
    return 0


def _attention(facts: ConfigFacts, layer: LayerGeometry, hidden: int) -> int:
    num_heads = facts.need("num_attention_heads", "n_head", "n_heads")
    num_kv_heads, k_dim, v_dim = layer.num_kv_heads, layer.k_dim, layer.v_dim
    if layer.kind is LayerKind.SHARED_KV:
        num_kv_heads, k_dim, v_dim = kv_shape(facts, LayerKind.SLIDING)
    query = num_heads * k_dim * (2 if facts.flag("is_query_gated") else 1)
    out = num_heads * v_dim
    total = hidden * (query + num_kv_heads * (k_dim + v_dim) + out)
    if facts.flag("attention_bias", "bias"):
        total += query + num_kv_heads * (k_dim + v_dim) + hidden
    elif facts.flag("qkv_bias"):
        total += query + num_kv_heads * (k_dim + v_dim)
    if facts.flag("qk_norm_wide"):
        total += num_heads * k_dim + num_kv_heads * k_dim
    elif facts.flag("qk_norm"):
        total += 2 * k_dim
    return total + (num_heads if facts.flag("has_sinks") else 0)


def _latent_attention(facts: ConfigFacts, hidden: int) -> int:
    num_heads = facts.need("num_attention_heads")
    rope_dim, latent_dim = facts.need("qk_rope_head_dim"), facts.need("kv_lora_rank")
    plain_dim = facts.need("qk_nope_head_dim")
    v_dim = facts.count("v_head_dim", default=head_dim(facts))
    query_rank = facts.count("q_lora_rank", default=0)
    query_out = num_heads * (plain_dim + rope_dim)
    query = query_rank * (hidden + 1 + query_out) if query_rank else hidden * query_out
    latents = hidden * (latent_dim + rope_dim) + latent_dim + latent_dim * num_heads * (plain_dim + v_dim)
    return query + latents + num_heads * v_dim * hidden


def _delta_net(facts: ConfigFacts, hidden: int) -> int:
    """Gated delta net as in Qwen 3.5: queries, keys, values and gates, a convolution, the way out."""
    num_heads, v_dim = facts.need("linear_num_value_heads"), facts.need("linear_value_head_dim")
    keys = facts.need("linear_num_key_heads") * facts.need("linear_key_head_dim")
    values = num_heads * v_dim
    projections = hidden * (2 * keys + 2 * values + 2 * num_heads) + values * hidden
    return projections + (2 * keys + values) * facts.need("linear_conv_kernel_dim") + 2 * num_heads + v_dim


def _mamba(facts: ConfigFacts, hidden: int) -> int:
    width = mamba_width(facts)
    state = facts.count("mamba_d_state", "ssm_state_size", "state_size", default=128)
    kernel = facts.count("mamba_d_conv", "conv_kernel", default=4)
    num_heads = facts.number("mamba_n_heads", "mamba_num_heads")
    if not num_heads:
        rank = facts.count("mamba_dt_rank", "time_step_rank", default=-(-hidden // 16))
        return width * (3 * hidden + kernel + 2 * state + 2 * rank + state + 3)
    channels = width + 2 * facts.count("mamba_n_groups", "n_groups", default=1) * state
    has_bias = facts.flag("mamba_conv_bias", "use_conv_bias", default=True)
    return (
        hidden * (width + channels + num_heads)
        + channels * (kernel + has_bias)
        + 3 * num_heads
        + width
        + width * hidden
    )


def _mlp(facts: ConfigFacts, layer: LayerGeometry, hidden: int, experts: Experts | None) -> int:
    """The feed-forward part that every token runs through, routers included."""
    shared = facts.count("shared_intermediate_size", default=0) if facts.flag("has_shared_mlp") else 0
    if layer.is_moe and experts is not None:
        bias = experts.count if facts.flag("has_sinks") else 0
        gate = hidden if facts.number("shared_expert_intermediate_size") else 0
        return hidden * experts.count + bias + gate + 3 * hidden * (experts.shared_width + shared)
    if shared:
        return 3 * hidden * shared
    width = dense_width(facts)
    return (3 if facts.flag("is_gated", default=True) else 2) * hidden * width


def dense_width(facts: ConfigFacts) -> int:
    """The inner width of a dense feed-forward part."""
    hidden = facts.need("hidden_size", "n_embd", "d_model")
    names = ("intermediate_size_mlp", "intermediate_size", "ffn_hidden_size", "n_inner", "block_ff_dim")
    width = facts.count(*names, default=4 * hidden)
    if not facts.flag("block_auto_adjust_ff_dim"):
        return width
    multiple = facts.count("block_multiple_of", default=256)
    width = int(facts.decimal("block_ffn_dim_multiplier", default=1.0) * int(2 * width / 3))
    return -(-width // max(1, multiple)) * max(1, multiple)


def _expert(facts: ConfigFacts, hidden: int, experts: Experts | None) -> int:
    if experts is None:
        return 0
    bias = 2 * experts.width + hidden if facts.flag("has_sinks") else 0
    return 3 * hidden * experts.width + bias
