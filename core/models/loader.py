"""Loading a model: located, tried without memory, then read into it."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
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
from core.errors import DoesNotFitError, LecternError, ModelError, UsageError
from core.events import Progress, Stage
from core.models import experts
from core.models.dry_run import Reach, dry_run
from core.models.experts import ExpertTier, tier_experts
from core.models.gguf import convert_gguf, converted_folder, is_converted, source_bytes
from core.models.native_class import require_native_class
from core.models.quantized import dequantised_note, loading_arguments, stored_method
from core.models.rope_scaling import require_scaled, scale_rope
from core.models.sharding import Anatomy, LayerWeights, Sharding, move_between_parts_only, shard
from core.models.steady_rope import hold_rope_still
from core.models.tokenizer import ChatTokenizer
from core.settings import EngineSettings, RopeScaling

OnProgress = Callable[[Progress], None]

_QUANTIZED_BYTES_PER_VALUE = {"nf4": 0.55, "int8": 1.05}


@dataclass(frozen=True)
class LoadOptions:
    """What a user may change about a model's weights and positions; see `EngineSettings`.

    With two `devices` or more the layers are divided among them. `max_seq_len` is the longest sequence that
    will be asked for, in tokens; None is the model's own context.
    """

    quantization: str = "none"
    expert_budget_bytes: int | None = None
    rope_scaling: RopeScaling | None = None
    devices: tuple[torch.device, ...] = ()
    max_seq_len: int | None = None

    @classmethod
    def of(cls, settings: EngineSettings, devices: tuple[torch.device, ...] = ()) -> "LoadOptions":
        return cls(
            settings.quantization,
            settings.expert_budget_bytes,
            settings.rope_scaling,
            devices,
            settings.max_seq_len,
        )


@dataclass(frozen=True)
class LoadedModel:
    """A model ready to run. `context_length` is in tokens, as the model's configuration states it.

    `experts` are those that live in tiers, None if they stay with the model or there are none. `sharding`
    says where its layers are, None if all are on one device. `notes` is what the user should know about the
    way it was loaded. `folder` holds its files.
    """

    name: str
    model: PreTrainedModel
    tokenizer: ChatTokenizer
    context_length: int
    reach: Reach
    experts: ExpertTier | None = None
    sharding: Sharding | None = None
    notes: tuple[str, ...] = ()
    folder: Path | None = None

    @property
    def device(self) -> torch.device:
        """Where token ids go in."""
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


def load_model(
    folder: Path, name: str, device: torch.device, dtype: torch.dtype, options: LoadOptions | None = None
) -> LoadedModel:
    """Load the safetensors `folder` to `device`, or to `options.devices`, with weights in `dtype`.

    Whether the engine reaches the model's attention is found out before the weights are read. Raises
    `ModelError` for damaged or foreign files, with what to do, `DoesNotFitError` if the devices are too small
    and `UsageError` if the options contradict each other or the model.
    """
    options = options or LoadOptions()
    register()
    experts.register()
    check_folder(folder)
    require_native_class(folder)
    with _speaking_plainly(folder):
        config = AutoConfig.from_pretrained(folder, local_files_only=True, trust_remote_code=False)
        notes = [scale_rope(config, options.rope_scaling)] if options.rope_scaling else []
        context_length = _context_length(config)
        notes += hold_rope_still(config, min(options.max_seq_len or context_length, context_length))
        arguments = _loading_arguments(config, device, dtype, options)
        reach = dry_run(config)
        sharding = _sharding(folder, config, dtype, options, reach, is_quantized="device_map" in arguments)
        if sharding is not None:
            arguments["device_map"] = sharding.device_map
        tokenizer = AutoTokenizer.from_pretrained(folder, local_files_only=True, trust_remote_code=False)
        model = _from_pretrained(folder, config, dtype, arguments)
        if sharding is not None:
            move_between_parts_only(model, sharding)
        if options.rope_scaling:
            require_scaled(model, options.rope_scaling)
        notes += _weight_notes(folder, config, model)
        tier = _place(model, device, options, is_placed="device_map" in arguments)
        if options.expert_budget_bytes is not None:
            notes += _expert_notes(tier, device)
    return LoadedModel(
        name=name,
        model=model,
        tokenizer=ChatTokenizer(tokenizer, _stop_ids(model, tokenizer)),
        context_length=context_length,
        reach=reach,
        experts=tier,
        sharding=sharding,
        notes=tuple(notes),
        folder=folder,
    )


@contextmanager
def _speaking_plainly(folder: Path) -> Iterator[None]:
    """Turn what parsers and devices raise into words."""
    try:
        yield
    except LecternError:
        raise
    except torch.OutOfMemoryError as error:
        raise DoesNotFitError(
            "The model does not fit the GPU",
            "Its weights are larger than the free memory of the GPU. Choose a smaller model, --quantization "
            "nf4, or, for a mixture of experts, --expert-budget.",
        ) from error
    except Exception as error:  # damaged files surface as whatever their parser raises
        raise ModelError(
            "The model cannot be loaded",
            f"{folder} is damaged or not supported ({type(error).__name__}: {error}). Download it again or "
            "choose another model.",
        ) from error


def _loading_arguments(
    config: PreTrainedConfig, device: torch.device, dtype: torch.dtype, options: LoadOptions
) -> dict[str, Any]:
    keeps_experts_on_host = options.expert_budget_bytes is not None
    arguments = loading_arguments(
        config, options.quantization, device=device, dtype=dtype, keeps_experts_on_host=keeps_experts_on_host
    )
    if keeps_experts_on_host:
        arguments["experts_implementation"] = experts.IMPLEMENTATION_NAME
    return arguments


def _sharding(
    folder: Path,
    config: PreTrainedConfig,
    dtype: torch.dtype,
    options: LoadOptions,
    reach: Reach,
    *,
    is_quantized: bool,
) -> Sharding | None:
    """Where the layers go, None for one device; `is_quantized` if the weights stay in few bits."""
    if len(options.devices) < 2:
        return None
    if options.expert_budget_bytes is not None:
        raise UsageError(
            "Experts in host memory serve one GPU",
            "--expert-budget and --kv-sharding-strategy layer_wise do not go together. Leave one of them "
            "out.",
        )
    weights = LayerWeights(_QUANTIZED_BYTES_PER_VALUE.get(options.quantization, dtype.itemsize))
    if is_quantized and options.quantization == "none":
        weights = LayerWeights(dtype.itemsize, _stored_bytes(folder))
    return shard(Anatomy(config, dtype), options.devices, weights, reach, _context_length(config))


def _from_pretrained(
    folder: Path, config: PreTrainedConfig, dtype: torch.dtype, arguments: dict[str, Any]
) -> PreTrainedModel:
    loaded: Any = AutoModelForCausalLM.from_pretrained(
        folder,
        config=config,
        dtype=dtype,
        attn_implementation=IMPLEMENTATION_NAME,
        local_files_only=True,
        trust_remote_code=False,
        output_loading_info=True,
        **arguments,
    )
    model: PreTrainedModel = loaded[0]
    missing = sorted(loaded[1]["missing_keys"])
    if missing:
        raise ModelError(
            "The model is incomplete",
            f"{len(missing)} of its weights are not in {folder}, the first is {missing[0]}. "
            "Download it again.",
        )
    return model


def _place(
    model: PreTrainedModel, device: torch.device, options: LoadOptions, *, is_placed: bool
) -> ExpertTier | None:
    """Bring to `device` what belongs there: all weights, or all but the experts."""
    tier = None
    if options.expert_budget_bytes is not None:
        tier = tier_experts(model, options.expert_budget_bytes, device)
    if not is_placed:
        torch.nn.Module.to(model, device)
    model.eval()
    return tier


def _weight_notes(folder: Path, config: PreTrainedConfig, model: PreTrainedModel) -> list[str]:
    stored_bytes = source_bytes(folder)
    if stored_bytes is None and stored_method(config) is not None:
        stored_bytes = _stored_bytes(folder)
    if stored_bytes is None:
        return []
    note = dequantised_note(stored_bytes, sum(parameter.nbytes for parameter in model.parameters()))
    return [note] if note else []


def _stored_bytes(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.glob("*.safetensors"))


def _expert_notes(tier: ExpertTier | None, device: torch.device) -> list[str]:
    if tier is None:
        return ["The model has no experts that could be kept in host memory: --expert-budget does nothing."]
    if device.type == "cpu":
        return ["Without a GPU --expert-budget saves nothing and costs copies."]
    if not tier.store.is_pinned:
        return ["The experts could not be pinned in host memory, so they reach the GPU at a lower speed."]
    return []


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
