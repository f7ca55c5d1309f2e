"""A small model with a long context that says what it was taught, whatever it reads.

What it cites is known beforehand. Its attention is random and runs over everything, as any model's; its head
is set by hand.
"""

import shutil
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path

import torch
from transformers import AutoConfig, AutoModelForCausalLM, PreTrainedModel

from core.cancel import CancelToken
from core.catalogue.locate import locate_model
from core.documents.layout import Page
from core.models.loader import prepare_files
from core.models.tokenizer import ChatTokenizer
from core.session import SYSTEM_PROMPT

CONTEXT_LENGTH = 262_144
_HIDDEN_SIZE = 128
_CONFIDENCE = 10.0
_FAINT = 0.05
_NUM_WORDS = 8
_TOKENIZER_FILES = (
    "tokenizer.json",
    "tokenizer_config.json",
    "chat_template.jinja",
    "special_tokens_map.json",
)


def make_parrot(folder: Path, models_dir: Path, cancel: CancelToken, *, num_heads: int = 2) -> None:
    """Two layers of `num_heads` heads with 64 dimensions, random, and the starter model's tokenizer."""
    starter = prepare_files(locate_model("starter", models_dir), models_dir, lambda _: None, cancel)
    config = AutoConfig.from_pretrained(starter)
    torch.manual_seed(0)
    model: PreTrainedModel = AutoModelForCausalLM.from_config(
        AutoConfig.for_model(
            "llama",
            vocab_size=config.vocab_size,
            hidden_size=_HIDDEN_SIZE,
            intermediate_size=_HIDDEN_SIZE,
            num_hidden_layers=2,
            num_attention_heads=num_heads,
            num_key_value_heads=num_heads,
            head_dim=64,
            max_position_embeddings=CONTEXT_LENGTH,
            tie_word_embeddings=False,
            pad_token_id=config.pad_token_id,
            bos_token_id=config.bos_token_id,
            eos_token_id=config.eos_token_id,
        ),
        dtype=torch.float32,
    )
    with torch.no_grad():
        embedding = model.get_parameter("model.embed_tokens.weight")
        embedding.copy_(torch.nn.functional.normalize(torch.randn_like(embedding), dim=-1))
        for name, parameter in model.named_parameters():
            if name.endswith(("o_proj.weight", "down_proj.weight")):
                parameter.mul_(_FAINT)
    model.save_pretrained(folder)
    for name in _TOKENIZER_FILES:
        if (starter / name).exists():
            shutil.copy(starter / name, folder / name)


def teach(model: PreTrainedModel, chain: Sequence[int]) -> None:
    """From now on each token of `chain`, all of them different, is followed by the next one."""
    assert len(set(chain)) == len(chain), "a token has one successor"
    head = model.get_parameter("lm_head.weight")
    embedding = model.get_parameter("model.embed_tokens.weight")
    with torch.no_grad():
        head.zero_()
        for token, successor in pairwise(chain):
            head[successor] = _CONFIDENCE * embedding[token]


def quotable(page: Page, tokenizer: ChatTokenizer) -> Iterator[tuple[str, list[int]]]:
    """A few words of a page that can be taught, and the chain from an answer's beginning to its end.

    Words that take a token twice are left out.
    """
    frame = tokenizer.frame(SYSTEM_PROMPT)
    begins_after = tokenizer.encode_frame(frame.before_answer)[-1]
    for words in _runs_of_words(page):
        spoken = tokenizer.encode_data(f'"{words}."')  # one quote token opens, another one closes
        chain = [begins_after, *spoken, min(tokenizer.stop_ids)]
        if len(set(chain)) == len(chain):
            yield words, chain


def _runs_of_words(page: Page) -> Iterator[str]:
    words = page.text.split()
    for start in range(len(words) - _NUM_WORDS + 1):
        run = words[start : start + _NUM_WORDS]
        if all(word.isalpha() for word in run):
            yield " ".join(run)
