"""Models whose weights and KV are large enough to stand out from what a program takes by itself.

Run as a program it reads with each model of a folder in a process of its own and prints planned and measured
memory, one JSON object a line.
"""

import json
import os
import sys
from pathlib import Path
from typing import Any

import torch
from transformers import AutoModelForCausalLM
from transformers.initialization import no_init_weights

from core.bench.planned import growth_rows
from core.bench.tiny_models import tiny_config
from core.cancel import CancelToken
from core.models.loader import LoadedModel
from core.models.quiet import silence_transformers
from core.settings import EngineSettings
from tests.tiny_folder import byte_tokenizer

CONTEXTS = (2048, 4096, 8192)
_WIDE: dict[str, Any] = {
    "vocab_size": 294_912,
    "hidden_size": 256,
    "intermediate_size": 512,
    "max_position_embeddings": 32_768,
    "tie_word_embeddings": True,
}
MODELS: dict[str, dict[str, Any]] = {
    "llama": {"num_hidden_layers": 2, "num_attention_heads": 2, "num_key_value_heads": 2, "head_dim": 64},
    "gemma3_text": {
        "num_hidden_layers": 3,
        "num_attention_heads": 2,
        "num_key_value_heads": 1,
        "head_dim": 128,
        "sliding_window": 1024,
        "layer_types": ["sliding_attention", "sliding_attention", "full_attention"],
    },
    "deepseek_v3": {
        "num_hidden_layers": 1,
        "num_attention_heads": 2,
        "num_key_value_heads": 2,
        "kv_lora_rank": 256,
        "q_lora_rank": 256,
        "qk_nope_head_dim": 64,
        "qk_rope_head_dim": 64,
        "v_head_dim": 64,
        "head_dim": 64,
        "first_k_dense_replace": 1,
    },
}


def save_growing_model(name: str, folder: Path) -> Path:
    """A model of 300 MB; most of it is the embedding of tokens that no text has."""
    config = tiny_config(name, **_WIDE | MODELS[name])
    with no_init_weights():
        model = AutoModelForCausalLM.from_config(config, dtype=torch.float32)
    model.tie_weights()
    torch.manual_seed(0)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter[:512].normal_(std=0.02)
            parameter[512:].zero_()
    model.save_pretrained(folder)
    byte_tokenizer().save_pretrained(folder)
    return folder


def noise(_loaded: LoadedModel, num_tokens: int) -> list[int]:
    generator = torch.Generator().manual_seed(0)
    ids: list[int] = torch.randint(3, 259, (num_tokens,), generator=generator).tolist()
    return ids


def main(folders: list[str]) -> None:
    torch.set_num_threads(1)
    silence_transformers()
    for folder in folders:
        child = os.fork()
        if child == 0:
            rows = growth_rows(EngineSettings(model=folder), CONTEXTS, CancelToken(), noise)
            lines = [json.dumps({"model": Path(folder).name, **row}) for row in rows]
            sys.stdout.write("\n".join(lines) + "\n")
            sys.stdout.flush()
            os._exit(0)
        os.waitpid(child, 0)


if __name__ == "__main__":
    main(sys.argv[1:])
