"""The sizes that planning works with are those that the engine allocates."""

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from core.errors import UsageError
from core.kv.block import DEFAULT_BLOCK_TOKENS, BlockShape
from core.kv.codec import Codec, nominal_bits_per_value
from core.kv.codec_sizes import encoded_block_bytes, encoded_unit_bytes, nominal_bits
from core.kv.cold_tier import ColdTier
from core.kv.layer_store import SEGMENT_BLOCKS
from core.kv.mapping import ALIGNMENT_BYTES
from core.kv.slab_sizes import slab_rows, slabs_bytes
from core.kv.sparse import SparseSettings
from core.kv.streamer import NUM_SLOTS
from core.planning import kv_sizes
from core.settings import KV_CODECS

DTYPES = (torch.float32, torch.bfloat16, torch.float16)


@settings(max_examples=200, deadline=None)
@given(
    codec=st.sampled_from(KV_CODECS),
    num_kv_heads=st.integers(1, 9),
    num_tokens=st.integers(1, 300),
    k_dim=st.integers(1, 600),
    v_dim=st.integers(1, 600),
    dtype=st.sampled_from(DTYPES),
)
def test_a_block_has_the_bytes_of_its_codec(
    codec: str, num_kv_heads: int, num_tokens: int, k_dim: int, v_dim: int, dtype: torch.dtype
) -> None:
    shape = BlockShape(num_kv_heads, k_dim, v_dim, dtype, num_tokens)
    size = encoded_block_bytes(
        codec,
        num_kv_heads=num_kv_heads,
        num_tokens=num_tokens,
        k_dim=k_dim,
        v_dim=v_dim,
        value_bytes=dtype.itemsize,
    )
    assert size == Codec(codec, shape, torch.float32).block_bytes


@settings(max_examples=60, deadline=None)
@given(
    codec=st.sampled_from(KV_CODECS),
    k_dim=st.sampled_from([16, 64, 80, 128, 256]),
    v_dim=st.sampled_from([16, 64, 80, 128, 256]),
    dtype=st.sampled_from(DTYPES),
)
def test_a_unit_has_the_bytes_of_its_codec(codec: str, k_dim: int, v_dim: int, dtype: torch.dtype) -> None:
    shape = BlockShape(2, k_dim, v_dim, dtype, 64)
    size = encoded_unit_bytes(codec, unit_tokens=16, k_dim=k_dim, v_dim=v_dim, value_bytes=dtype.itemsize)
    assert size == Codec(codec, shape, torch.float32).unit_bytes(16)


@pytest.mark.parametrize("codec", KV_CODECS)
@pytest.mark.parametrize("dtype", DTYPES)
def test_nominal_bits_are_those_of_the_engine(codec: str, dtype: torch.dtype) -> None:
    assert nominal_bits(codec, dtype.itemsize) == nominal_bits_per_value(codec, dtype)


def test_an_unknown_codec_is_refused() -> None:
    with pytest.raises(UsageError, match="int3"):
        encoded_block_bytes("int3", num_kv_heads=1, num_tokens=1, k_dim=1, v_dim=1, value_bytes=2)


@pytest.mark.parametrize("block_bytes", [700, 8192, 139_264, 262_144, 2_228_224])
@pytest.mark.parametrize("num_blocks", [1, 8, 9, 100])
def test_slabs_grow_as_the_cold_tier_does(block_bytes: int, num_blocks: int) -> None:
    tier = ColdTier(block_bytes)
    tier.allocate(num_blocks)
    rows = [slab_rows(block_bytes, ALIGNMENT_BYTES, slab) for slab in range(64)]
    num_slabs = next(count for count in range(65) if sum(rows[:count]) >= num_blocks)
    assert tier.num_rows == sum(rows[:num_slabs])
    whole = sum(-(-row * block_bytes // ALIGNMENT_BYTES) * ALIGNMENT_BYTES for row in rows[:num_slabs])
    assert slabs_bytes(block_bytes, ALIGNMENT_BYTES, num_blocks) == whole


def test_planning_knows_the_constants_of_the_engine() -> None:
    from core import kv_division

    assert kv_sizes.GPU_BLOCK_TOKENS == DEFAULT_BLOCK_TOKENS
    assert kv_sizes.CPU_BLOCK_TOKENS == kv_division._CPU_BLOCK_TOKENS
    assert kv_sizes.SEGMENT_BLOCKS == SEGMENT_BLOCKS
    assert kv_sizes.STAGING_SLOTS == NUM_SLOTS
    assert kv_sizes.HOST_UNIT_BYTES == ALIGNMENT_BYTES
    sparse = SparseSettings()
    assert (
        sparse.dense_layers,
        sparse.unit,
        sparse.reuse_steps,
    ) == (kv_sizes.DENSE_LAYERS, kv_sizes.SPARSE_UNIT_TOKENS, kv_sizes.SPARSE_REUSE_STEPS)
