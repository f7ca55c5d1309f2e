"""What a document cache depends on: with anything of it different, the KV would be different too."""

import hashlib
from array import array
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from core.document_caches.manifest import FORMAT_VERSION
from core.models.fingerprint import config_fingerprint, files_fingerprint
from core.models.loader import LoadedModel

if TYPE_CHECKING:
    from core.session import EngineParts

JsonObject = dict[str, Any]


def model_identity(loaded: LoadedModel) -> JsonObject | None:
    """Weights, tokenizer and the way they are run; None for a model that has no files."""
    if loaded.folder is None:
        return None
    sharding = loaded.sharding
    return {
        "files": files_fingerprint(loaded.folder),
        "config": config_fingerprint(loaded.model.config),
        "compute_dtype": str(loaded.model.dtype),
        "device": loaded.device.type,
        "layers_by_device": None
        if sharding is None
        else [[str(device), list(layers)] for device, layers in sharding.tiered_layers_by_device],
    }


def prefix_identity(parts: "EngineParts", model: JsonObject, token_ids: Sequence[int]) -> JsonObject:
    """Everything that makes the KV of `token_ids` what it is, `model` being its `model_identity`.

    The token ids stand for the text of the documents in their order, the pages chosen, the tokenizer and the
    chat template. The chunk is among it because results repeat to the bit only in the same chunks.
    """
    settings, kv = parts.settings, parts.store.settings
    digest = hashlib.blake2b(array("q", token_ids).tobytes(), digest_size=16)
    return {
        "format": FORMAT_VERSION,
        "model": model,
        "quantization": settings.quantization,
        "token_ids": digest.hexdigest(),
        "kv_dtype": str(parts.kv_dtype),
        "codec": kv.codec,
        "block_tokens": kv.block_tokens,
        "prefill_chunk": settings.prefill_chunk,
        "window": settings.window_tokens if settings.mode == "window" else None,
    }
