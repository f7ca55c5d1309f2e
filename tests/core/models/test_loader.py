"""Loading: sharded folders work, damaged and incomplete ones say what is wrong."""

import json
import shutil
from pathlib import Path

import pytest
import torch
from transformers import AutoModelForCausalLM

from core.catalogue.locate import ModelKind, locate_model
from core.errors import ModelError
from core.models.gguf import convert_gguf, is_converted
from core.models.loader import load_model

CPU, FP32 = torch.device("cpu"), torch.float32


@pytest.fixture
def folder(tiny_folder: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(tiny_folder, tmp_path / "model"))


def test_a_folder_loads(folder: Path) -> None:
    loaded = load_model(folder, "tiny", CPU, FP32)
    assert loaded.context_length == 8192
    assert loaded.model.config._attn_implementation == "tiered"
    assert loaded.tokenizer.stop_ids == {2}


def test_a_sharded_folder_loads_the_same_weights(folder: Path, tmp_path: Path) -> None:
    model = AutoModelForCausalLM.from_pretrained(folder)
    sharded = Path(shutil.copytree(folder, tmp_path / "sharded"))
    (sharded / "model.safetensors").unlink()
    model.save_pretrained(sharded, max_shard_size="100KB")
    assert len(list(sharded.glob("model-*.safetensors"))) > 1
    loaded = load_model(sharded, "tiny", CPU, FP32)
    for name, weight in model.state_dict().items():
        assert torch.equal(loaded.model.state_dict()[name], weight), name


def test_a_missing_shard_is_named(folder: Path) -> None:
    AutoModelForCausalLM.from_pretrained(folder).save_pretrained(folder, max_shard_size="100KB")
    (folder / "model.safetensors").unlink()
    next(iter(sorted(folder.glob("model-*-of-*.safetensors")))).unlink()
    with pytest.raises(ModelError, match="model-00001-of"):
        load_model(folder, "tiny", CPU, FP32)


def test_a_missing_weight_is_named_instead_of_made_up(folder: Path) -> None:
    from safetensors.torch import load_file, save_file

    weights = load_file(folder / "model.safetensors")
    del weights["model.layers.1.mlp.up_proj.weight"]
    save_file(weights, folder / "model.safetensors", metadata={"format": "pt"})
    with pytest.raises(ModelError, match=r"layers\.1\.mlp\.up_proj"):
        load_model(folder, "tiny", CPU, FP32)


def test_a_truncated_weight_file_is_damaged(folder: Path) -> None:
    path = folder / "model.safetensors"
    path.write_bytes(path.read_bytes()[:-1000])
    with pytest.raises(ModelError, match="damaged"):
        load_model(folder, "tiny", CPU, FP32)


def test_a_folder_without_tokenizer_is_damaged(folder: Path) -> None:
    (folder / "tokenizer.json").unlink()
    (folder / "tokenizer_config.json").unlink()
    with pytest.raises(ModelError, match="damaged or not supported"):
        load_model(folder, "tiny", CPU, FP32)


def test_a_foreign_architecture_is_refused_before_its_weights_are_read(folder: Path) -> None:
    config = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps(config | {"model_type": "bloom"}))
    (folder / "model.safetensors").write_bytes(b"never read")
    with pytest.raises(ModelError, match="cannot run this model"):
        load_model(folder, "tiny", CPU, FP32)


def test_what_a_model_may_be_called(tiny_folder: Path, tmp_path: Path) -> None:
    gguf = tmp_path / "some.gguf"
    gguf.write_bytes(b"GGUF")
    assert locate_model("starter", tmp_path).kind is ModelKind.STARTER
    assert locate_model(str(tiny_folder), tmp_path).kind is ModelKind.FOLDER
    assert locate_model(str(gguf), tmp_path).kind is ModelKind.GGUF
    (tmp_path / "notes.txt").write_text("no model")
    for spec in ("no/such/model", str(tmp_path / "notes.txt"), str(tmp_path)):
        with pytest.raises(ModelError):
            locate_model(spec, tmp_path)


@pytest.mark.parametrize("content", [b"not a model at all", b"GGUF\x03\x00\x00\x00" + b"\xff" * 64])
def test_a_damaged_gguf_is_refused_and_leaves_nothing(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "broken.gguf"
    path.write_bytes(content)
    with pytest.raises(ModelError):
        convert_gguf(path, tmp_path / "converted" / "broken")
    assert not list((tmp_path).glob("converted/*"))


def test_a_conversion_that_lost_bytes_is_not_taken_for_complete(folder: Path) -> None:
    sizes = {path.name: path.stat().st_size for path in folder.iterdir()}
    (folder / "lectern.json").write_text(json.dumps({"files": sizes, "source_bytes": 1}))
    assert is_converted(folder)
    weights = folder / "model.safetensors"
    weights.write_bytes(weights.read_bytes()[:-10])
    assert not is_converted(folder)
    (folder / "lectern.json").write_text("")
    assert not is_converted(folder)
