"""Codecs: what they cost, what they lose, and that attention reads the same wherever a block lives."""

import pytest
import torch

from core.attention.partial import partial_attention
from core.attention.tiered import register
from core.bench.tiny_models import VOCAB_SIZE, tiny_model
from core.errors import UsageError
from core.kv.block import BlockShape
from core.kv.cache import TieredCache
from core.kv.codec import Codec
from core.kv.rotation import rotation
from core.kv.scheme import UnitIndex
from core.kv.store import KvSettings, KvStore
from core.settings import KV_CODECS
from tests.reference import naive_attention, tiered_logits

register()

DIMS = [(64, 64), (128, 128), (80, 48), (96, 96), (13, 7), (576, 512)]
LARGEST_ERROR = {"none": 0.0, "int8": 0.012, "k8v4": 0.08, "int4": 0.08}
BITS = {"none": 32.0, "int8": 8.5, "k8v4": 6.75, "int4": 4.75}


def random_blocks(shape: BlockShape, num_blocks: int = 5) -> tuple[torch.Tensor, torch.Tensor]:
    """Keys with a few large steady channels, as real ones have, and values with rare outliers."""
    generator = torch.Generator().manual_seed(0)
    rows = (num_blocks, shape.num_kv_heads, shape.num_tokens)
    key = torch.randn(*rows, shape.k_dim, generator=generator)
    key[..., ::7] += 6 * torch.randn(1, shape.num_kv_heads, 1, key[..., ::7].shape[-1], generator=generator)
    return key, torch.randn(*rows, shape.v_dim, generator=generator)


@pytest.mark.parametrize("name", KV_CODECS)
@pytest.mark.parametrize(("k_dim", "v_dim"), DIMS)
def test_decoding_loses_no_more_than_the_codec_says(name: str, k_dim: int, v_dim: int) -> None:
    codec = Codec(name, BlockShape(3, k_dim, v_dim, torch.float32), torch.float32)
    key, value = random_blocks(codec.shape)
    encoded = codec.encode(key, value)
    assert encoded.shape == (5, codec.block_bytes)
    decoded_key, decoded_value = codec.decode(encoded)
    for original, decoded in ((key, decoded_key), (value, codec.unrotate(decoded_value))):
        assert decoded.shape == original.shape
        error = (decoded - original).norm() / original.norm()
        assert error <= LARGEST_ERROR[name]
    if (k_dim, v_dim) == (64, 64):
        assert codec.bits_per_value == BITS[name]


@pytest.mark.parametrize("name", ["int8", "k8v4", "int4"])
def test_constant_and_empty_channels_survive(name: str) -> None:
    codec = Codec(name, BlockShape(2, 32, 32, torch.float32), torch.float32)
    for constant in (0.0, 3.0, -1e3):
        block = torch.full((1, 2, 64, 32), constant)
        key, value = codec.decode(codec.encode(block, block))
        torch.testing.assert_close(key, block, atol=1e-3, rtol=1e-3)
        torch.testing.assert_close(codec.unrotate(value), block, atol=1e-3, rtol=1e-2)


@pytest.mark.parametrize("dim", [1, 7, 16, 48, 80, 128, 576])
def test_the_rotation_is_orthonormal_and_spreads_an_outlier(dim: int) -> None:
    matrix = rotation(dim)
    torch.testing.assert_close(matrix @ matrix.T, torch.eye(dim), atol=1e-5, rtol=0)
    outlier = torch.zeros(dim)
    outlier[dim // 2] = 1.0
    assert (outlier @ matrix).abs().max() <= 1.5 * dim**-0.5 + 1e-6 or dim < 16


def test_int4_keys_shrug_off_steady_channels_that_spoil_groups() -> None:
    """Why K is encoded along the tokens: the same bits along the channels lose several times more."""
    shape = BlockShape(3, 64, 64, torch.float32)
    key, _ = random_blocks(shape)
    codec = Codec("int4", shape, torch.float32)
    per_channel = codec.decode(codec.encode(key, key))[0]
    per_group = codec._value.decode(codec._value.encode(key))
    assert (per_group - key).norm() > 2 * (per_channel - key).norm()


@pytest.mark.parametrize("codec", KV_CODECS)
def test_residency_does_not_change_a_bit_under_any_codec(codec: str) -> None:
    model = tiny_model("qwen3", attention="tiered")
    token_ids = torch.randint(3, VOCAB_SIZE, (230,), generator=torch.Generator().manual_seed(4))
    logits = []
    for hot_budget in (0, 40_000, 1 << 30):
        settings = KvSettings(block_tokens=16, codec=codec, hot_budget_bytes=hot_budget)
        cache = TieredCache(model.config, KvStore(settings, 4))
        logits.append(tiered_logits(model, cache, token_ids, (100, 65, 40)))
        cache.store.check_integrity()
    assert torch.equal(logits[0], logits[1])
    assert torch.equal(logits[0], logits[2])


@pytest.mark.parametrize("codec", ["int8", "k8v4", "int4"])
def test_a_crop_into_an_encoded_block_goes_on(codec: str) -> None:
    model = tiny_model("qwen3", attention="tiered")
    token_ids = torch.randint(3, VOCAB_SIZE, (120,), generator=torch.Generator().manual_seed(5))
    settings = KvSettings(block_tokens=16, codec=codec)
    cropped = TieredCache(model.config, KvStore(settings, 4))
    tiered_logits(model, cropped, token_ids[:100], (100,))
    cropped.crop(-10)
    straight = TieredCache(model.config, KvStore(settings, 4))
    tiered_logits(model, straight, token_ids[:90], (90,))
    rest = token_ids[90:]
    difference = tiered_logits(model, cropped, rest, (30,)) - tiered_logits(model, straight, rest, (30,))
    assert difference.abs().max() < {"int8": 0.01, "k8v4": 0.1, "int4": 0.2}[codec]


def test_an_unknown_codec_is_named() -> None:
    with pytest.raises(UsageError, match="int3"):
        Codec("int3", BlockShape(1, 8, 8, torch.float32), torch.float32)


@pytest.mark.parametrize("name", KV_CODECS)
def test_attention_reads_exactly_what_decoding_gives(name: str) -> None:
    codec = Codec(name, BlockShape(2, 64, 64, torch.float32, num_tokens=256), torch.float32)
    key, value = codec.decode(codec.encode(*random_blocks(codec.shape, 3)))
    query = torch.randn(3, 6, 4, 64, generator=torch.Generator().manual_seed(1))
    out, _ = partial_attention(query, key, value, scaling=0.125)
    expected = naive_attention(query, key.contiguous(), value.contiguous(), scaling=0.125)
    torch.testing.assert_close(out.double(), expected, atol=1e-5, rtol=1e-4)


@pytest.mark.parametrize("name", KV_CODECS)
@pytest.mark.parametrize(("k_dim", "v_dim"), [(64, 64), (13, 7)])
@pytest.mark.parametrize("num_tokens", [64, 256])
def test_chosen_units_are_what_decoding_the_whole_block_gives(
    name: str, k_dim: int, v_dim: int, num_tokens: int
) -> None:
    shape = BlockShape(3, k_dim, v_dim, torch.float32, num_tokens)
    codec = Codec(name, shape, torch.float32)
    encoded = codec.encode(*random_blocks(shape))
    generator = torch.Generator().manual_seed(2)
    block, head, unit = (
        torch.randint(0, size, (40,), generator=generator) for size in (5, 3, num_tokens // 16)
    )
    taken = codec.take_units(encoded, UnitIndex(block, head, unit, 16))
    assert taken.shape == (40, codec.unit_bytes(16))
    key, value = codec.decode_units(taken, 16)
    for whole, chosen in zip(codec.decode(encoded), (key, value), strict=True):
        expected = whole.unflatten(2, (-1, 16))[block, head, unit]
        torch.testing.assert_close(chosen, expected, rtol=0, atol=0)
