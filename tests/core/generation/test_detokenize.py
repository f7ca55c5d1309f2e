"""Streamed text grows by whole characters and adds up to the whole text."""

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from core.generation.detokenize import StreamDecoder


def decode_bytes(token_ids: Sequence[int]) -> str:
    """A tokenizer with one token a byte, the hardest case."""
    return bytes(token_ids).decode("utf-8", errors="replace")


@given(st.text(max_size=40).filter(lambda text: "\ufffd" not in text))
def test_any_text_arrives_whole(text: str) -> None:
    stream = StreamDecoder(decode_bytes)
    pieces = [stream.push(byte) for byte in text.encode()]
    assert all("\ufffd" not in piece for piece in pieces)
    assert "".join(pieces) + stream.flush() == text


def test_chinese_and_emoji_are_held_until_complete() -> None:
    stream = StreamDecoder(decode_bytes)
    assert [stream.push(byte) for byte in "合👍".encode()] == ["", "", "合", "", "", "", "👍"]


def test_a_character_that_never_completes_shows_at_the_end() -> None:
    stream = StreamDecoder(decode_bytes)
    assert [stream.push(byte) for byte in b"a\xe5\x90"] == ["a", "", ""]
    assert stream.flush() == "\ufffd"
    assert stream.flush() == ""
