"""The bytes that branches of a batch take for tokens of their own, as formulas without torch."""

ROOM_STEP_TOKENS = 64


def room_tokens(num_tokens: int) -> int:
    """The places that every branch of a batch gets once the longest of them has `num_tokens` of its own."""
    return -(-num_tokens // ROOM_STEP_TOKENS) * ROOM_STEP_TOKENS


def branches_bytes(num_branches: int, num_tokens: int, values_per_token: int, value_bytes: int) -> int:
    """K and V of `num_branches` branches side by side, the longest with `num_tokens` of its own."""
    return num_branches * room_tokens(num_tokens) * values_per_token * value_bytes
