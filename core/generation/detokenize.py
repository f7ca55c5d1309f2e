"""Text from tokens as they come, never half a character."""

from collections.abc import Callable, Sequence

_REPLACEMENT = "\ufffd"


class StreamDecoder:
    """Turns a growing list of token ids into text that only ever grows by whole characters.

    A character of several bytes (Chinese, emoji) can be spread over tokens; its text is held back until
    it is complete. Decoding restarts from a few tokens back, because tokenizers decide about blanks from
    the tokens before.
    """

    def __init__(self, decode: Callable[[Sequence[int]], str]) -> None:
        self._decode = decode
        self._ids: list[int] = []
        self._context_start = 0
        self._num_emitted = 0

    def push(self, token_id: int) -> str:
        """The text that became complete with this token."""
        self._ids.append(token_id)
        return self._emit(hold_incomplete=True)

    def flush(self) -> str:
        """What is left at the end; an incomplete character shows as U+FFFD."""
        return self._emit(hold_incomplete=False)

    def _emit(self, *, hold_incomplete: bool) -> str:
        before = self._decode(self._ids[self._context_start : self._num_emitted])
        text = self._decode(self._ids[self._context_start :])
        if len(text) <= len(before) or (hold_incomplete and text.endswith(_REPLACEMENT)):
            return ""
        self._context_start, self._num_emitted = self._num_emitted, len(self._ids)
        return text[len(before) :]
