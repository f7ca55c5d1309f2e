"""What tells one model on disk from another without reading all of it."""

import hashlib
import json
from pathlib import Path

from transformers import PreTrainedConfig

_SAMPLED_BYTES = 8 << 20
_SAMPLE_BYTES = 64 << 10
_MOST_HEADER_BYTES = 100 << 20
_TOKENIZER_FILES = (
    "tokenizer.json",
    "tokenizer_config.json",
    "tokenizer.model",
    "chat_template.jinja",
    "special_tokens_map.json",
    "added_tokens.json",
    "vocab.json",
    "merges.txt",
)
_ABOUT_THE_LIBRARY = ("_name_or_path", "transformers_version", "_attn_implementation")


def files_fingerprint(folder: Path) -> str:
    """A digest of a safetensors folder, in a fraction of a second.

    Of the weights it takes the headers, sizes, times of change and about 8 MiB in samples spread evenly; of
    the tokenizer and the chat template everything. A copy of a model in another place may count as another
    model, which costs a reading; a model that was changed never counts as the same.
    """
    digest = hashlib.blake2b(digest_size=16)
    weights = sorted(folder.glob("*.safetensors"))
    for path in weights:
        status = path.stat()
        digest.update(f"{path.name}:{status.st_size}:{status.st_mtime_ns};".encode())
        _add_samples(digest, path, status.st_size, max(1, _SAMPLED_BYTES // _SAMPLE_BYTES // len(weights)))
    for name in _TOKENIZER_FILES:
        path = folder / name
        content = path.read_bytes() if path.is_file() else b""
        digest.update(f"{name}:{len(content)};".encode())
        digest.update(content)
    return digest.hexdigest()


def config_fingerprint(config: PreTrainedConfig) -> str:
    """A digest of a configuration as it was loaded, scaled positions included."""
    content = json.loads(config.to_json_string(use_diff=False))
    kept = {name: value for name, value in content.items() if name not in _ABOUT_THE_LIBRARY}
    return hashlib.blake2b(json.dumps(kept, sort_keys=True).encode(), digest_size=16).hexdigest()


def _add_samples(digest: "hashlib.blake2b", path: Path, size: int, num_samples: int) -> None:
    with path.open("rb") as file:
        header_bytes = int.from_bytes(file.read(8), "little")
        digest.update(file.read(min(header_bytes, _MOST_HEADER_BYTES)))
        for number in range(num_samples):
            file.seek(max(0, size - _SAMPLE_BYTES) * number // max(1, num_samples - 1))
            digest.update(file.read(_SAMPLE_BYTES))
