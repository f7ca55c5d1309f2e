"""Which layers of a model route to experts, and what an expert is."""

from dataclasses import dataclass

from core.planning.config_facts import ConfigFacts


@dataclass(frozen=True)
class Experts:
    """The experts of one layer. `width` is the inner size of one, `shared_width` of all that always run."""

    count: int
    active: int
    width: int
    shared_width: int


def experts_of(facts: ConfigFacts) -> Experts | None:
    """None for a dense model."""
    count = facts.count("num_local_experts", "num_experts", "n_routed_experts", "moe_num_experts", default=0)
    if count < 1:
        return None
    width = facts.count("moe_intermediate_size", default=facts.count("intermediate_size", default=0))
    shared = facts.count("n_shared_experts", "num_shared_experts", default=0) * width
    return Experts(
        count=count,
        active=facts.count("num_experts_per_tok", "moe_topk", "top_k_experts", default=1),
        width=width,
        shared_width=facts.count("shared_expert_intermediate_size", default=shared),
    )


def moe_layers(facts: ConfigFacts, num_layers: int) -> list[bool]:
    """For each layer whether its feed-forward part is a mixture of experts."""
    if experts_of(facts) is None:
        return [False] * num_layers
    stated = facts.listing("mlp_layer_types")
    if stated is not None and len(stated) == num_layers:
        return [name != "dense" for name in stated]
    blocks = facts.listing("layers_block_type") or list(facts.value("hybrid_override_pattern") or "")
    if len(blocks) == num_layers and not {"moe", "mlp", "E", "-"}.isdisjoint(blocks):
        return [block in ("moe", "E") for block in blocks]
    indices = facts.listing("moe_layers")
    if indices is not None:
        return [index in indices for index in range(num_layers)]
    first = facts.count("first_k_dense_replace", "num_dense_layers", default=0)
    step = facts.count(
        "decoder_sparse_step", "interleave_moe_layer_step", "expert_layer_period", "moe_layer_freq", default=1
    )
    offset = facts.count("expert_layer_offset", default=step - 1)
    dense = set(facts.listing("mlp_only_layers") or [])
    return [
        index >= first and index % max(1, step) == offset and index not in dense
        for index in range(num_layers)
    ]
