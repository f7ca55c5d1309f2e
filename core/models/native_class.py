"""Models whose folder brings Python code of its own, which is never run."""

import json
from pathlib import Path

from transformers import CONFIG_MAPPING
from transformers.models.auto.modeling_auto import MODEL_FOR_CAUSAL_LM_MAPPING_NAMES

from core.errors import ModelError


def require_native_class(folder: Path) -> None:
    """Raise `ModelError` if only code in `folder` (`auto_map`) could run the model.

    A folder that brings code for an architecture that transformers knows by itself is fine.
    """
    try:
        config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ModelError(
            "The model is damaged", f"{folder / 'config.json'} cannot be read: {error}. Download it again."
        ) from error
    if not isinstance(config, dict) or "auto_map" not in config:
        return
    model_type = config.get("model_type")
    if model_type in CONFIG_MAPPING and model_type in MODEL_FOR_CAUSAL_LM_MAPPING_NAMES:
        return
    raise ModelError(
        "The model needs code of its own",
        f"{folder.name} ({model_type!r}) is no architecture that transformers knows; it brings Python code "
        "(auto_map in config.json), and code from model folders is never run here. Choose another model, or "
        "a newer release of Lectern.",
    )
