"""The bytes of a block under each codec: the numbers of `core.kv.codec` without torch."""

from core.errors import UsageError
from core.settings import KV_CODECS

_GROUP = 32
_TOKEN_GROUP = 64
_SCALE_BYTES = 2
_NOMINAL_BITS = {"int8": 8.5, "k8v4": 6.75, "int4": 4.75}


def encoded_block_bytes(
    codec: str, *, num_kv_heads: int, num_tokens: int, k_dim: int, v_dim: int, value_bytes: int
) -> int:
    """The encoded size of one layer's block, scales included; `value_bytes` is that of a stored value.

    Raises `UsageError` for an unknown codec.
    """
    rows = num_kv_heads * num_tokens
    match codec:
        case "none":
            return rows * (k_dim + v_dim) * value_bytes
        case "int8":
            return rows * (_int8_row(k_dim) + _int8_row(v_dim))
        case "k8v4":
            return rows * (_int8_row(k_dim) + _int4_row(v_dim))
        case "int4":
            return _int4_channels(num_kv_heads, num_tokens, k_dim) + rows * _int4_row(v_dim)
    raise UsageError("Unknown KV compression", f"{codec!r}: there are {', '.join(KV_CODECS)}.")


def encoded_unit_bytes(codec: str, *, unit_tokens: int, k_dim: int, v_dim: int, value_bytes: int) -> int:
    """What one unit, `unit_tokens` tokens of one KV head, costs to bring over in sparse mode."""
    match codec:
        case "none":
            return unit_tokens * (k_dim + v_dim) * value_bytes
        case "int8":
            return unit_tokens * (_int8_row(k_dim) + _int8_row(v_dim))
        case "k8v4":
            return unit_tokens * (_int8_row(k_dim) + _int4_row(v_dim))
        case "int4":
            keys = unit_tokens * (k_dim + k_dim % 2) // 2 + 2 * k_dim * _SCALE_BYTES
            return keys + unit_tokens * _int4_row(v_dim)
    raise UsageError("Unknown KV compression", f"{codec!r}: there are {', '.join(KV_CODECS)}.")


def nominal_bits(codec: str, value_bytes: int) -> float:
    """Bits a value costs where head dims are multiples of 32, which the engine sizes its hot tier by."""
    return _NOMINAL_BITS.get(codec, 8.0 * value_bytes)


def _int8_row(dim: int) -> int:
    """One token of one head: a byte a value, padded to equal groups, and a scale a group."""
    count, size = _groups(dim, multiple=1)
    return count * size + count * _SCALE_BYTES


def _int4_row(dim: int) -> int:
    """Half a byte a value; a scale and a smallest value a group."""
    count, size = _groups(dim, multiple=2)
    return count * size // 2 + 2 * count * _SCALE_BYTES


def _int4_channels(num_kv_heads: int, num_tokens: int, dim: int) -> int:
    """Half a byte a value; a scale and a smallest value per channel for up to 64 tokens in a row."""
    code_bytes = num_kv_heads * num_tokens * (dim + dim % 2) // 2
    code_bytes += code_bytes % 2
    num_groups = -(-num_tokens // _TOKEN_GROUP)
    return code_bytes + 2 * num_kv_heads * num_groups * dim * _SCALE_BYTES


def _groups(dim: int, *, multiple: int) -> tuple[int, int]:
    """How many groups of which size hold `dim` values."""
    count = -(-dim // _GROUP)
    size = -(-dim // count)
    return count, -(-size // multiple) * multiple
