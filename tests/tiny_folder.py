"""A tiny model on disk with a byte-level tokenizer and a chat template, as the loader sees a real one."""

from pathlib import Path

import torch
from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers
from transformers import AutoModelForCausalLM, PreTrainedConfig, PreTrainedTokenizerFast

from core.bench.tiny_models import tiny_config

CHAT_TEMPLATE = (
    "{% for message in messages %}<|im_start|>{{ message['role'] }}\n{{ message['content'] }}<|im_end|>\n"
    "{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)


def byte_tokenizer() -> PreTrainedTokenizerFast:
    """One token a byte, and three control tokens."""
    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    vocabulary = {"<|pad|>": 0, "<|im_start|>": 1, "<|im_end|>": 2}
    vocabulary |= {character: index + 3 for index, character in enumerate(alphabet)}
    tokenizer = Tokenizer(models.BPE(vocab=vocabulary, merges=[]))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.add_special_tokens([AddedToken(name, special=True) for name in list(vocabulary)[:3]])
    fast = PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, pad_token="<|pad|>", bos_token="<|im_start|>", eos_token="<|im_end|>"
    )
    fast.chat_template = CHAT_TEMPLATE
    return fast


def save_tiny_model(
    folder: Path,
    *,
    architecture: str = "llama",
    context_length: int = 8192,
    config: PreTrainedConfig | None = None,
) -> Path:
    """Write a random model of `architecture`, or of `config`, with its tokenizer to `folder`."""
    if config is None:
        config = tiny_config(architecture)
        config.max_position_embeddings = context_length
    config.vocab_size = 259
    torch.manual_seed(0)
    model = AutoModelForCausalLM.from_config(config, dtype=torch.float32)
    model.generation_config.eos_token_id = 2
    model.save_pretrained(folder)
    byte_tokenizer().save_pretrained(folder)
    return folder
