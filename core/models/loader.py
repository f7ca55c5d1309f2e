"""Loading a model: located, tried without memory, then read into it."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from transformers import (
    AutoConfig,
    AutoModelForCausalLM,
    AutoTokenizer,
    PreTrainedConfig,
    PreTrainedModel,
    PreTrainedTokenizerBase,
)

from core.attention.tiered import IMPLEMENTATION_NAME, register
from core.cancel import CancelToken
from core.catalogue.locate import ModelKind, ModelLocation, check_folder
from core.catalogue.starter import fetch_starter, starter_gguf
from core.errors import LecternError, ModelError
from core.events import Progress, Stage
from core.models.dry_run import Reach, dry_run
from core.models.gguf import convert_gguf, converted_folder, is_converted
from core.models.tokenizer import ChatTokenizer

OnProgress = Callable[[Progress], None]


@dataclass(frozen=True)
class LoadedModel:
    """A model ready to run. `context_length` is in tokens, as the model's configuration states it."""

    name: str
    model: PreTrainedModel
    tokenizer: ChatTokenizer
    context_length: int
    reach: Reach

    @property
    def device(self) -> torch.device:
        return self.model.device


def prepare_files(
    location: ModelLocation, models_dir: Path, on_progress: OnProgress, cancel: CancelToken
) -> Path:
    """The safetensors folder of a model: fetched and converted first where that is needed.

    Raises `ModelError` if something is missing or damaged, `CancelledError` if the user stops a download.
    """
    if location.kind is ModelKind.FOLDER:
        return location.path
    gguf_path = location.path
    if location.kind is ModelKind.STARTER:
        gguf_path = starter_gguf(models_dir) or fetch_starter(
            models_dir,
            lambda done, total: on_progress(Progress(Stage.DOWNLOADING_MODEL, done, total, "bytes")),
            cancel,
        )
    folder = converted_folder(gguf_path, models_dir)
    if not is_converted(folder):
        on_progress(Progress(Stage.CONVERTING_MODEL, 0, 1, "model"))
        convert_gguf(gguf_path, folder)
        on_progress(Progress(Stage.CONVERTING_MODEL, 1, 1, "model"))
    return folder


def load_model(folder: Path, name: str, device: torch.device, dtype: torch.dtype) -> LoadedModel:
    """Load the safetensors `folder` to `device` with weights in `dtype`.

    Whether the engine reaches the model's attention is found out before the weights are read. Raises
    `ModelError` for damaged or foreign files, with what to do.
    """
    register()
    check_folder(folder)
    try:
        config = AutoConfig.from_pretrained(folder, local_files_only=True, trust_remote_code=False)
        reach = dry_run(config)
        tokenizer = AutoTokenizer.from_pretrained(folder, local_files_only=True, trust_remote_code=False)
        model, report = _from_pretrained(folder, dtype)
    except LecternError:
        raise
    except Exception as error:  # damaged files surface as whatever their parser raises
        raise ModelError(
            "The model cannot be loaded",
            f"{folder} is damaged or not supported ({type(error).__name__}: {error}). Download it again or "
            "choose another model.",
        ) from error
    missing = sorted(report["missing_keys"])
    if missing:
        raise ModelError(
            "The model is incomplete",
            f"{len(missing)} of its weights are not in {folder}, the first is {missing[0]}. "
            "Download it again.",
        )
    return LoadedModel(
        name=name,
        model=_on_device(model, device),
        tokenizer=ChatTokenizer(tokenizer, _stop_ids(model, tokenizer)),
        context_length=_context_length(config),
        reach=reach,
    )


def _from_pretrained(folder: Path, dtype: torch.dtype) -> tuple[PreTrainedModel, dict[str, Any]]:
    loaded: Any = AutoModelForCausalLM.from_pretrained(
        folder,
        dtype=dtype,
        attn_implementation=IMPLEMENTATION_NAME,
        local_files_only=True,
        trust_remote_code=False,
        output_loading_info=True,
    )
    model, report = loaded
    return model, report


def _on_device(model: PreTrainedModel, device: torch.device) -> PreTrainedModel:
    torch.nn.Module.to(model, device)
    model.eval()
    return model


def _context_length(config: PreTrainedConfig) -> int:
    length = getattr(config.get_text_config(decoder=True), "max_position_embeddings", None)
    if not isinstance(length, int) or length <= 0:
        raise ModelError(
            "The model states no context length", "Its config.json has no max_position_embeddings."
        )
    return length


def _stop_ids(model: PreTrainedModel, tokenizer: PreTrainedTokenizerBase) -> frozenset[int]:
    """Every token that ends a turn: the model's, the tokenizer's and the chat template's own."""
    declared: Any = getattr(model.generation_config, "eos_token_id", None)
    ids: set[int | None] = {declared} if isinstance(declared, int) else set(declared or ())
    ids.add(tokenizer.eos_token_id)
    for token in ("<|im_end|>", "<|eot_id|>", "<end_of_turn>", "<|end|>", "<|return|>"):
        token_id = tokenizer.convert_tokens_to_ids(token)
        if token_id != tokenizer.unk_token_id and token_id in tokenizer.added_tokens_decoder:
            ids.add(token_id)
    return frozenset(token_id for token_id in ids if token_id is not None)
