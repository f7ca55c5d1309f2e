"""GGUF files: dequantised once to a safetensors folder, because reading GGUF takes transformers long."""

import hashlib
import io
import json
import shutil
import tempfile
import time
from contextlib import redirect_stderr, suppress
from pathlib import Path
from typing import Any

import torch
from transformers import AutoModelForCausalLM, AutoTokenizer, GenerationConfig

from core.errors import ModelError
from core.units import format_size

_MAGIC = b"GGUF"
_SAMPLE_BYTES = 1 << 20
_STORED_DTYPE = torch.float16
_COMPLETE_MARK = "lectern.json"
_TEMPORARY_PREFIX = ".converting-"
_STALE_SECONDS = 24 * 3600


def converted_folder(gguf_path: Path, models_dir: Path) -> Path:
    """Where the converted form of this very file belongs, whether it is there or not.

    The name holds a digest of the file's size, beginning and end: a replaced file converts anew.
    """
    digest = hashlib.sha256()
    size = gguf_path.stat().st_size
    digest.update(str(size).encode())
    with gguf_path.open("rb") as file:
        digest.update(file.read(_SAMPLE_BYTES))
        file.seek(max(0, size - _SAMPLE_BYTES))
        digest.update(file.read(_SAMPLE_BYTES))
    return models_dir / "converted" / f"{gguf_path.stem}-{digest.hexdigest()[:16]}"


def is_converted(folder: Path) -> bool:
    """Whether `folder` holds a complete conversion: the mark, written last, and every file in full size."""
    mark = _read_mark(folder)
    try:
        return mark is not None and all(
            (folder / name).stat().st_size == size for name, size in mark["files"].items()
        )
    except OSError:
        return False


def source_bytes(folder: Path) -> int | None:
    """The size of the GGUF file that `folder` was converted from; None if it is no such folder."""
    mark = _read_mark(folder)
    return int(mark["source_bytes"]) if mark is not None else None


def _read_mark(folder: Path) -> dict[str, Any] | None:
    try:
        mark = json.loads((folder / _COMPLETE_MARK).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return mark if isinstance(mark, dict) and {"files", "source_bytes"} <= mark.keys() else None


def convert_gguf(gguf_path: Path, folder: Path) -> None:
    """Dequantise `gguf_path` to fp16 safetensors with its tokenizer, in one atomic step.

    Raises `ModelError` if the file is no GGUF, is damaged, of an architecture that transformers cannot
    read, or if the disk is too full.
    """
    _check_gguf(gguf_path)
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        _sweep(folder.parent)
        with tempfile.TemporaryDirectory(
            prefix=_TEMPORARY_PREFIX, dir=folder.parent, ignore_cleanup_errors=True
        ) as name:
            _convert_into(gguf_path, Path(name) / "model", folder)
    except OSError as error:
        raise ModelError(
            "The model could not be converted",
            f"Writing to {folder.parent} failed: {error.strerror or error}. Free some disk space and try "
            "again.",
        ) from error


def _convert_into(gguf_path: Path, temporary: Path, folder: Path) -> None:
    temporary.mkdir()
    _convert(gguf_path, temporary)
    mark = {
        "source": gguf_path.name,
        "source_bytes": gguf_path.stat().st_size,
        "files": {path.name: path.stat().st_size for path in temporary.iterdir()},
    }
    (temporary / _COMPLETE_MARK).write_text(json.dumps(mark), encoding="utf-8")
    _make_readable(temporary)
    if is_converted(folder):
        return
    shutil.rmtree(folder, ignore_errors=True)
    temporary.replace(folder)


def _sweep(parent: Path) -> None:
    """Remove what a conversion that was killed a day ago or more has left."""
    for leftover in parent.glob(_TEMPORARY_PREFIX + "*"):
        with suppress(FileNotFoundError):
            if time.time() - leftover.stat().st_mtime > _STALE_SECONDS:
                shutil.rmtree(leftover, ignore_errors=True)


def _convert(gguf_path: Path, temporary: Path) -> None:
    try:
        with redirect_stderr(io.StringIO()):  # the reader draws a progress bar that cannot be switched off
            model = AutoModelForCausalLM.from_pretrained(
                gguf_path.parent, gguf_file=gguf_path.name, dtype=torch.float32, local_files_only=True
            )
        tokenizer = AutoTokenizer.from_pretrained(
            gguf_path.parent, gguf_file=gguf_path.name, local_files_only=True
        )
    except Exception as error:  # the GGUF reader and transformers raise whatever they meet
        raise ModelError(
            "The GGUF file cannot be read",
            f"{gguf_path.name} is damaged or of an architecture that transformers does not read from GGUF "
            f"({type(error).__name__}: {error}). Download it again or choose another model.",
        ) from error
    _require_space(temporary, model.num_parameters() * _STORED_DTYPE.itemsize)
    if hasattr(model.config, "quantization_config"):
        del model.config.quantization_config
    plain = AutoModelForCausalLM.from_config(model.config, dtype=torch.float32)
    plain.load_state_dict(model.state_dict())
    plain.generation_config = GenerationConfig.from_model_config(model.config)
    plain.to(_STORED_DTYPE).save_pretrained(temporary)
    tokenizer.save_pretrained(temporary)


def _check_gguf(gguf_path: Path) -> None:
    with gguf_path.open("rb") as file:
        if file.read(4) != _MAGIC:
            raise ModelError(
                "Not a GGUF file", f"{gguf_path} does not begin as a GGUF file does. Choose another model."
            )


def _require_space(folder: Path, needed_bytes: int) -> None:
    free = shutil.disk_usage(folder).free
    if free < needed_bytes * 1.1:
        raise ModelError(
            "Not enough disk space",
            f"Converting the model needs {format_size(needed_bytes)} in {folder.parent}; "
            f"{format_size(free)} are free.",
        )


def _make_readable(folder: Path) -> None:
    """safetensors creates files for their owner only; a shared models folder needs more."""
    for path in [folder, *folder.iterdir()]:
        path.chmod(0o755 if path.is_dir() else 0o644)
