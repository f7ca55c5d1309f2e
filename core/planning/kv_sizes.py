"""The bytes of a model's KV in every pool, exactly as the engine allocates them."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from core.kv.codec_sizes import encoded_block_bytes, encoded_unit_bytes, nominal_bits
from core.kv.slab_sizes import slabs_bytes
from core.planning.layers import LayerGeometry

GPU_BLOCK_TOKENS = 64
CPU_BLOCK_TOKENS = 256
SEGMENT_BLOCKS = 64
STAGING_SLOTS = 3
HOST_UNIT_BYTES = 2 << 20
DENSE_LAYERS = 2
SPARSE_UNIT_TOKENS = 16
SPARSE_REUSE_STEPS = 4
_DIGEST_SHARE = 4
_DIGEST_BASIS_BYTES = 4


@dataclass(frozen=True)
class KvSizes:
    """Sizes of the growing KV of some layers under one codec. `value_bytes` is that of a stored value."""

    layers: Sequence[LayerGeometry]
    codec: str
    value_bytes: int
    block_tokens: int

    def block_bytes(self, layer: LayerGeometry) -> int:
        """One encoded block of a layer, scales included."""
        return encoded_block_bytes(
            self.codec,
            num_kv_heads=layer.num_kv_heads,
            num_tokens=self.block_tokens,
            k_dim=layer.k_dim,
            v_dim=layer.v_dim,
            value_bytes=self.value_bytes,
        )

    @property
    def values_per_token(self) -> int:
        return sum(layer.kv_values_per_token for layer in self.layers)

    @property
    def nominal_block_bytes(self) -> int:
        """One block of all layers together, as the engine reckons its hot budget."""
        bits = nominal_bits(self.codec, self.value_bytes)
        return math.ceil(self.values_per_token * bits / 8) * self.block_tokens

    def cold_bytes(self, num_tokens: int) -> int:
        """Every sealed block of a sequence."""
        num_blocks = num_tokens // self.block_tokens
        return num_blocks * sum(self.block_bytes(layer) for layer in self.layers)

    def slab_rounding_bytes(self, num_tokens: int, num_sequences: int) -> int:
        """What the slabs of the cold tier take beyond their blocks when they fill one after the other."""
        num_blocks = num_sequences * (num_tokens // self.block_tokens)
        sizes = [self.block_bytes(layer) for layer in self.layers]
        whole = {size: slabs_bytes(size, HOST_UNIT_BYTES, num_blocks) for size in set(sizes)}
        return sum(whole[size] - size * num_blocks for size in sizes)

    def hot_bytes(self, budget_bytes: int, num_layers: int) -> int:
        """The slots that a budget over `num_layers` layers gives to these layers."""
        share = budget_bytes // num_layers if num_layers else 0
        return sum(share // size * size for size in map(self.block_bytes, self.layers))

    @property
    def staging_bytes(self) -> int:
        """The ring of slots that cold blocks are streamed through, each for the largest segment."""
        return STAGING_SLOTS * SEGMENT_BLOCKS * max(map(self.block_bytes, self.layers), default=0)

    @property
    def tail_bytes(self) -> int:
        """The most that unsealed tokens of one sequence take between two passes."""
        return self.values_per_token * self.value_bytes * self.block_tokens

    def chunk_bytes(self, chunk_tokens: int) -> int:
        """The keys and values of one chunk in the widest layer, before they are sealed."""
        widest = max((layer.kv_values_per_token for layer in self.layers), default=0)
        return widest * self.value_bytes * chunk_tokens

    def digest_bytes(self, num_tokens: int) -> int:
        """The digests of these layers' keys: a quarter of the dims in 4 bits, and a basis per head."""
        sealed = num_tokens // self.block_tokens * self.block_tokens
        total = 0
        for layer in self.layers:
            rank = max(2, layer.k_dim // _DIGEST_SHARE // 2 * 2)
            total += layer.num_kv_heads * (sealed * rank // 2 + layer.k_dim * rank * _DIGEST_BASIS_BYTES)
        return total

    def chosen_bytes(self, budget_tokens: int, compute_bytes: int) -> int:
        """The decoded units that sparse decoding holds in these layers."""
        return self.values_per_token * budget_tokens * compute_bytes

    def unit_read_bytes(self, budget_tokens: int) -> int:
        """What one choice of sparse decoding brings over in these layers."""
        num_units = budget_tokens // SPARSE_UNIT_TOKENS
        return num_units * sum(
            layer.num_kv_heads
            * encoded_unit_bytes(
                self.codec,
                unit_tokens=SPARSE_UNIT_TOKENS,
                k_dim=layer.k_dim,
                v_dim=layer.v_dim,
                value_bytes=self.value_bytes,
            )
            for layer in self.layers
        )
