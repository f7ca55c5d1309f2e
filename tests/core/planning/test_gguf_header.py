"""GGUF headers as the reference writer makes them, and as damage leaves them."""

import struct
from pathlib import Path

import gguf
import numpy as np
import pytest

from core.errors import ModelError
from core.planning.geometry import read_geometry
from core.planning.gguf_header import read_gguf_config
from core.planning.layers import LayerKind
from core.planning.reach import Engine


def write(path: Path, architecture: str, *, kv_heads: int | list[int] = 2, tied: bool = True) -> Path:
    writer = gguf.GGUFWriter(path, architecture)
    writer.add_block_count(4)
    writer.add_context_length(4096)
    writer.add_embedding_length(64)
    writer.add_feed_forward_length(128)
    writer.add_head_count(8)
    writer.add_head_count_kv(kv_heads)
    writer.add_token_list([f"token {number}" for number in range(5000)])
    writer.add_token_scores([0.5] * 5000)
    writer.add_chat_template("{{ messages }}")
    writer.add_tensor("token_embd.weight", np.zeros((8, 4), dtype=np.float32))
    if not tied:
        writer.add_tensor("output.weight", np.zeros((8, 4), dtype=np.float32))
    if isinstance(kv_heads, list):
        writer.add_uint32(f"{architecture}.shortconv.l_cache", 3)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path


@pytest.mark.parametrize("tied", [True, False])
def test_a_header_gives_the_geometry(tmp_path: Path, tied: bool) -> None:
    model = read_geometry(write(tmp_path / "tiny.gguf", "llama", tied=tied))
    assert (model.name, model.model_type, model.attention) == ("tiny", "llama", "GQA")
    assert (len(model.layers), model.native_context, model.vocab_size) == (4, 4096, 5000)
    assert model.kv_values_per_token == 4 * 2 * 2 * 8
    assert model.parameters.embedding == 5000 * 64
    assert model.parameters.head == (0 if tied else 5000 * 64)
    assert model.reach.engine is Engine.SUPPORTED


def test_heads_of_each_layer_say_which_layers_attend(tmp_path: Path) -> None:
    model = read_geometry(write(tmp_path / "hybrid.gguf", "lfm2", kv_heads=[0, 2, 0, 2]))
    kinds = [layer.kind for layer in model.layers]
    assert kinds == [LayerKind.CONV, LayerKind.FULL] * 2


def test_a_header_that_ends_too_early_is_an_error_in_words(tmp_path: Path) -> None:
    whole = write(tmp_path / "whole.gguf", "llama").read_bytes()
    cut = tmp_path / "cut.gguf"
    for size in (0, 3, 4, 10, 24, 60, 200, 1000):
        cut.write_bytes(whole[:size])
        with pytest.raises(ModelError, match="GGUF"):
            read_gguf_config(cut)


@pytest.mark.parametrize(
    "header",
    [
        b"GGML" + bytes(64),
        b"GGUF" + struct.pack("<IQQ", 1, 0, 0),
        b"GGUF" + struct.pack("<IQQ", 3, 0, 1 << 60),
        b"GGUF" + struct.pack("<IQQ", 3, 1 << 60, 0),
        b"GGUF" + struct.pack("<IQQQ", 3, 0, 1, 1 << 62),
        b"GGUF" + struct.pack("<IQQQ", 3, 0, 1, 1) + b"k" + struct.pack("<I", 77),
    ],
)
def test_nonsense_is_an_error_in_words(tmp_path: Path, header: bytes) -> None:
    path = tmp_path / "odd.gguf"
    path.write_bytes(header)
    with pytest.raises(ModelError, match="GGUF"):
        read_gguf_config(path)
