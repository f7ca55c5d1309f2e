"""What reading one chunk takes for a moment beside weights and KV, as the engine's attention allocates it."""

from dataclasses import dataclass

from core.planning.geometry import ModelGeometry
from core.planning.kv_sizes import SEGMENT_BLOCKS, KvSizes
from core.planning.layers import LayerGeometry

SIDE_BY_SIDE_TOKENS = 2048
MAX_UNMERGED = 8
MAX_EXPANDED_VALUES = 1 << 25
_MERGING_PARTIALS = 2


@dataclass(frozen=True)
class Chunk:
    """`num_tokens` that are read at the end of `context_tokens`, computed in values of `compute_bytes`."""

    num_tokens: int
    context_tokens: int
    compute_bytes: int


def workspace_bytes(geometry: ModelGeometry, kv: KvSizes, chunk: Chunk) -> int:
    """The most that a layer takes at once, and the logits of one position.

    Feed-forward parts and attention follow each other, so that the larger of them counts.
    """
    attention = chunk.num_tokens * geometry.attention_activation * chunk.compute_bytes
    over_tiers = max((_over_tiers(geometry, kv, layer, chunk) for layer in kv.layers), default=0)
    over_windows = max((_over_window(layer, chunk) for layer in geometry.layers), default=0)
    widest = max(_feed_forward(geometry, chunk), attention + max(over_tiers, over_windows))
    return widest + geometry.vocab_size * 4


def kept_by_allocator(geometry: ModelGeometry, chunk: Chunk, bounded_bytes: int) -> int:
    """What the C library keeps of freed host memory, because it will soon be wanted again.

    Pieces the size of a chunk's activations are not given back to the system, and the windows and states
    that each chunk replaces leave holes of their own size. Larger pieces are given back at once.
    """
    return _feed_forward(geometry, chunk) + bounded_bytes


def _feed_forward(geometry: ModelGeometry, chunk: Chunk) -> int:
    return chunk.num_tokens * geometry.mlp_activation * chunk.compute_bytes


def _over_window(layer: LayerGeometry, chunk: Chunk) -> int:
    """A window and a chunk laid side by side, before and after, and who sees whom."""
    if not layer.window_tokens:
        return 0
    num_keys = min(chunk.context_tokens, layer.window_tokens + chunk.num_tokens)
    states = 2 * num_keys * layer.kv_values_per_token * chunk.compute_bytes
    return states + chunk.num_tokens * num_keys * (1 + chunk.compute_bytes)


def _over_tiers(geometry: ModelGeometry, kv: KvSizes, layer: LayerGeometry, chunk: Chunk) -> int:
    """Attention of a chunk to the sealed blocks of a layer, a segment at a time."""
    sealed = chunk.context_tokens // kv.block_tokens * kv.block_tokens
    segment = min(sealed, SEGMENT_BLOCKS * kv.block_tokens)
    piece_bytes = kv.value_bytes if kv.codec == "none" else chunk.compute_bytes
    decoded = 0 if kv.codec == "none" else segment * _decoding_values(layer) * piece_bytes
    if geometry.attention == "MLA":
        return decoded + _expanded(geometry, layer, segment, piece_bytes, chunk)
    num_together = max(1, SIDE_BY_SIDE_TOKENS // kv.block_tokens) * kv.block_tokens
    together = min(segment, num_together)
    copies = piece_bytes + max(piece_bytes, chunk.compute_bytes)
    num_partials = max(-(-segment // num_together), min(MAX_UNMERGED, -(-sealed // max(1, segment))))
    partial = chunk.num_tokens * geometry.num_heads * layer.v_dim * 4
    return (
        decoded + together * layer.kv_values_per_token * copies + (num_partials + _MERGING_PARTIALS) * partial
    )


def _decoding_values(layer: LayerGeometry) -> int:
    """A token's decoded K and V, and the larger of them once more before it is scaled."""
    return layer.kv_values_per_token + layer.num_kv_heads * max(layer.k_dim, layer.v_dim)


def _expanded(
    geometry: ModelGeometry, layer: LayerGeometry, segment: int, piece_bytes: int, chunk: Chunk
) -> int:
    """Latents laid side by side and the keys and values that are made of a bounded number of them.

    The projection, keys, values, and values once more as long as keys live at the same time.
    """
    num_heads, k_dim, v_dim = geometry.num_heads, geometry.head_dim, geometry.expanded_v_dim
    latents = segment * layer.kv_values_per_token * (piece_bytes + 4)
    num_expanded = min(segment, max(1, MAX_EXPANDED_VALUES // (num_heads * (k_dim + v_dim))))
    values = num_heads * ((k_dim + v_dim) + k_dim + max(k_dim, v_dim))
    partials = (MAX_UNMERGED + _MERGING_PARTIALS) * chunk.num_tokens * num_heads * v_dim * 4
    return latents + num_expanded * values * chunk.compute_bytes + partials
