"""The model's tokenizer and chat template, with document text kept apart from control tokens."""

from collections.abc import Sequence
from dataclasses import dataclass

from transformers import PreTrainedTokenizerBase

_DOCUMENT = "⟦lectern-document⟧"
_QUESTION = "⟦lectern-question⟧"
_ANSWER = "⟦lectern-answer⟧"
_NEXT_QUESTION = "⟦lectern-next-question⟧"


@dataclass(frozen=True)
class PromptFrame:
    """The template's text around what people and documents say.

    A first turn is `before_document` + document + `before_question` + question + `before_answer`; each
    later one is `after_answer` + question + `before_answer`.
    """

    before_document: str
    before_question: str
    before_answer: str
    after_answer: str


class ChatTokenizer:
    """Encodes template text with its control tokens, and everything else as plain data.

    A document that contains `<|im_end|>` is a document about chat templates, not the end of a turn.
    """

    def __init__(self, tokenizer: PreTrainedTokenizerBase, stop_ids: frozenset[int]) -> None:
        self._tokenizer = tokenizer
        self.stop_ids = stop_ids

    def frame(self, system: str) -> PromptFrame:
        """The model's chat template, cut at the places where document, question and answer go."""
        if self._tokenizer.chat_template is None:
            beginning = self._tokenizer.bos_token or ""
            return PromptFrame(f"{beginning}{system}\n\n", "\n\nQuestion: ", "\nAnswer:", "\n\nQuestion: ")
        first_turn = f"{_DOCUMENT}\n\n{_QUESTION}"
        opening = self._render(system, [("user", first_turn)])
        before_document, rest = opening.split(_DOCUMENT)
        before_question, before_answer = rest.split(_QUESTION)
        longer = self._render(
            system, [("user", first_turn), ("assistant", _ANSWER), ("user", _NEXT_QUESTION)]
        )
        after_answer = longer.split(_ANSWER)[1].split(_NEXT_QUESTION)[0]
        return PromptFrame(before_document, before_question, before_answer, after_answer)

    def encode_frame(self, text: str) -> list[int]:
        """Token ids of template text; control tokens are recognised."""
        ids: list[int] = self._tokenizer.encode(text, add_special_tokens=False)
        return ids

    def encode_data(self, text: str) -> list[int]:
        """Token ids of text that is only data; what looks like a control token is spelled out."""
        ids: list[int] = self._tokenizer(
            text,
            add_special_tokens=False,
            split_special_tokens=True,
            return_attention_mask=False,
            verbose=False,
        )["input_ids"]
        return ids

    def decode(self, token_ids: Sequence[int]) -> str:
        """Text of generated tokens; control tokens are left out."""
        return str(
            self._tokenizer.decode(
                list(token_ids), skip_special_tokens=True, clean_up_tokenization_spaces=False
            )
        )

    def _render(self, system: str, turns: list[tuple[str, str]]) -> str:
        messages = [{"role": role, "content": content} for role, content in turns]
        rendered = self._try_render([{"role": "system", "content": system}, *messages])
        if rendered is None:  # some templates (Gemma, early Mistral) know no system turn
            messages[0]["content"] = f"{system}\n\n{messages[0]['content']}"
            rendered = self._try_render(messages)
        assert rendered is not None, "a chat template accepts a user's turn"
        return rendered

    def _try_render(self, messages: list[dict[str, str]]) -> str | None:
        from jinja2 import TemplateError

        try:
            text = str(
                self._tokenizer.apply_chat_template(messages, tokenize=False, add_generation_prompt=True)
            )
        except TemplateError:
            return None
        return text if messages[0]["content"] in text else None
