"""Quantised folders run, or say before any weight is read what is missing."""

import json
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import load_file, save_file
from transformers import AutoConfig, AutoModelForCausalLM, PreTrainedConfig

from core.bench.tiny_models import tiny_config
from core.errors import ModelError, UsageError
from core.models import quantized
from core.models.gguf import source_bytes
from core.models.loader import LoadedModel, LoadOptions, load_model
from core.models.quantized import dequantised_note, loading_arguments, stored_method
from tests.tiny_folder import byte_tokenizer, save_tiny_model

CPU, GPU, FP32 = torch.device("cpu"), torch.device("cuda", 0), torch.float32
TOKENS = torch.randint(3, 200, (1, 50), generator=torch.Generator().manual_seed(0))
FP8_BLOCK = 16
FP4_VALUES = (0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0, -0.0, -0.5, -1.0, -1.5, -2.0, -3.0, -4.0, -6.0)
FP4_SCALE_BIAS = 127


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return save_tiny_model(tmp_path / "model")


@pytest.fixture
def no_packages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(quantized, "find_spec", lambda _name: None)


def rewrite_config(folder: Path, **changes: Any) -> None:
    path = folder / "config.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | changes))


def config_with(method: str, **more: Any) -> PreTrainedConfig:
    config = tiny_config("llama")
    config.quantization_config = {"quant_method": method} | more
    return config


def arguments(
    config: PreTrainedConfig,
    quantization: str = "none",
    device: torch.device = CPU,
    *,
    keeps_experts_on_host: bool = False,
) -> dict[str, Any]:
    return loading_arguments(
        config, quantization, device=device, dtype=FP32, keeps_experts_on_host=keeps_experts_on_host
    )


def logits(loaded: LoadedModel) -> torch.Tensor:
    with torch.inference_mode():
        out: torch.Tensor = loaded.model(TOKENS).logits[0]
    return out


@pytest.mark.usefixtures("no_packages")
@pytest.mark.parametrize(
    ("method", "install"),
    [
        ("awq", "pip install gptqmodel"),
        ("gptq", "pip install gptqmodel optimum"),
        ("compressed-tensors", "pip install compressed-tensors"),
        ("bitsandbytes", "pip install bitsandbytes, or install Lectern with its extra gpu"),
    ],
)
def test_a_missing_package_is_named_before_weights_are_read(folder: Path, method: str, install: str) -> None:
    rewrite_config(folder, quantization_config={"quant_method": method, "bits": 4})
    (folder / "model.safetensors").write_bytes(b"never read")
    with pytest.raises(ModelError, match="package is missing") as caught:
        load_model(folder, "tiny", CPU, FP32)
    assert install in caught.value.message
    assert caught.value.exit_code == 5


def test_a_method_for_gpus_only_says_so_on_a_cpu() -> None:
    with pytest.raises(ModelError, match="needs a GPU"):
        arguments(config_with("vptq"))


def test_an_unknown_method_is_refused() -> None:
    with pytest.raises(ModelError, match="does not know"):
        arguments(config_with("tea-leaves"))


@pytest.mark.parametrize(
    ("stored", "method"),
    [
        ({"quant_method": "awq"}, "awq"),
        ({"load_in_4bit": True, "quant_method": "bitsandbytes"}, "bitsandbytes"),
        ({"load_in_8bit": True}, "bitsandbytes"),
    ],
)
def test_the_stored_method_is_recognised(stored: dict[str, Any], method: str) -> None:
    config = tiny_config("llama")
    assert stored_method(config) is None
    config.quantization_config = stored
    assert stored_method(config) == method


def test_plain_weights_need_nothing() -> None:
    assert arguments(tiny_config("llama")) == {}


def test_quantising_on_a_cpu_is_refused(folder: Path) -> None:
    (folder / "model.safetensors").write_bytes(b"never read")
    for quantization in ("nf4", "int8"):
        with pytest.raises(ModelError, match="needs a GPU"):
            load_model(folder, "tiny", CPU, FP32, LoadOptions(quantization=quantization))


@pytest.mark.usefixtures("no_packages")
def test_quantising_without_the_package_is_refused() -> None:
    with pytest.raises(ModelError, match="pip install bitsandbytes"):
        arguments(tiny_config("llama"), "nf4", GPU)


def test_wishes_that_contradict_each_other_are_refused() -> None:
    with pytest.raises(UsageError, match="quantised already"):
        arguments(config_with("awq"), "nf4", GPU)
    with pytest.raises(UsageError, match="Choose one"):
        arguments(tiny_config("llama"), "nf4", GPU, keeps_experts_on_host=True)
    with pytest.raises(UsageError, match="plain weights"):
        arguments(config_with("bitnet"), device=GPU, keeps_experts_on_host=True)


@pytest.mark.gpu
@pytest.mark.parametrize("quantization", ["nf4", "int8"])
def test_plain_weights_are_quantised_on_a_gpu(folder: Path, quantization: str) -> None:
    pytest.importorskip("bitsandbytes")
    exact = logits(load_model(folder, "tiny", CPU, FP32))
    loaded = load_model(folder, "tiny", GPU, torch.bfloat16, LoadOptions(quantization=quantization))
    with torch.inference_mode():
        coarse = loaded.model(TOKENS.to(GPU)).logits[0].float().cpu()
    assert loaded.model.num_parameters() > 0
    assert (coarse - exact).abs().max() < 0.5 * exact.abs().max()


def test_fp8_weights_are_dequantised(folder: Path) -> None:
    plain = load_file(folder / "model.safetensors")
    stored, expected = {}, dict(plain)
    for name, weight in plain.items():
        if "_proj" in name:
            scale = torch.rand(-(-weight.shape[0] // FP8_BLOCK), -(-weight.shape[1] // FP8_BLOCK)) + 0.5
            spread = scale.repeat_interleave(FP8_BLOCK, 0).repeat_interleave(FP8_BLOCK, 1)
            stored[name] = weight.to(torch.float8_e4m3fn)
            stored[f"{name}_scale_inv"] = scale
            expected[name] = stored[name].float() * spread[: weight.shape[0], : weight.shape[1]]
        else:
            stored[name] = weight
    save_file(stored, folder / "model.safetensors", metadata={"format": "pt"})
    rewrite_config(
        folder, quantization_config={"quant_method": "fp8", "weight_block_size": [FP8_BLOCK, FP8_BLOCK]}
    )
    weights = load_model(folder, "tiny", CPU, FP32).model.state_dict()
    for name, weight in expected.items():
        assert torch.allclose(weights[name], weight, rtol=1e-3, atol=1e-6), name


@pytest.fixture
def fp4_folder(tmp_path: Path) -> tuple[Path, dict[str, torch.Tensor]]:
    """A gpt-oss whose experts are stored as that model's are, and its weights in plain form."""
    config = tiny_config("gpt_oss")
    config.vocab_size, config.hidden_size, config.intermediate_size = 259, 64, 32
    torch.manual_seed(0)
    model = AutoModelForCausalLM.from_config(config, dtype=torch.bfloat16)
    model.save_pretrained(tmp_path)
    byte_tokenizer().save_pretrained(tmp_path)
    stored = load_file(tmp_path / "model.safetensors")
    expected = dict(stored)
    for name in [name for name in stored if name.endswith(("gate_up_proj", "down_proj"))]:
        num_experts, num_in, num_out = stored.pop(name).shape
        blocks = torch.randint(0, 256, (num_experts, num_out, num_in // 32, 16), dtype=torch.uint8)
        scales = torch.randint(118, 122, (num_experts, num_out, num_in // 32), dtype=torch.uint8)
        stored[f"{name}_blocks"], stored[f"{name}_scales"] = blocks, scales
        expected[name] = _from_fp4(blocks, scales).transpose(1, 2)
    save_file(stored, tmp_path / "model.safetensors", metadata={"format": "pt"})
    rewrite_config(tmp_path, quantization_config={"quant_method": "mxfp4"})
    return tmp_path, expected


def _from_fp4(blocks: torch.Tensor, scales: torch.Tensor) -> torch.Tensor:
    """Two values a byte, the lower half first; 32 values share a power of two."""
    table = torch.tensor(FP4_VALUES)
    pairs = torch.stack([table[(blocks & 15).long()], table[(blocks >> 4).long()]], dim=-1).flatten(-2)
    values = pairs * 2.0 ** (scales.float() - FP4_SCALE_BIAS).unsqueeze(-1)
    return values.flatten(-2)


@pytest.mark.parametrize("budget_bytes", [None, 100_000])
def test_fp4_experts_are_dequantised_and_may_be_tiered(
    fp4_folder: tuple[Path, dict[str, torch.Tensor]], budget_bytes: int | None
) -> None:
    folder, expected = fp4_folder
    loaded = load_model(folder, "tiny", CPU, FP32, LoadOptions(expert_budget_bytes=budget_bytes))
    plain = AutoModelForCausalLM.from_config(
        AutoConfig.from_pretrained(folder), attn_implementation="eager", dtype=FP32
    )
    plain.load_state_dict({name: weight.float() for name, weight in expected.items()})
    plain.eval()
    with torch.inference_mode():
        wanted = plain(TOKENS).logits[0]
    assert (logits(loaded) - wanted).abs().max() < 1e-4 * wanted.abs().max()
    assert (loaded.experts is None) is (budget_bytes is None)
    if loaded.experts is not None:
        assert loaded.experts.traffic.evictions > 0


@pytest.mark.parametrize(
    ("stored_gib", "loaded_gib", "is_said"), [(4, 16, True), (0.1, 0.5, False), (4, 4, False)]
)
def test_the_memory_that_dequantising_costs_is_said(
    stored_gib: float, loaded_gib: float, is_said: bool
) -> None:
    note = dequantised_note(int(stored_gib * 2**30), int(loaded_gib * 2**30))
    assert (note is not None) is is_said
    if note is not None:
        assert f"{loaded_gib:.1f} GiB" in note


def test_a_converted_gguf_says_what_it_costs(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert source_bytes(folder) is None
    assert load_model(folder, "tiny", CPU, FP32).notes == ()
    (folder / "lectern.json").write_text(json.dumps({"files": {}, "source_bytes": 1000}))
    monkeypatch.setattr(quantized, "_WORTH_SAYING_BYTES", 1000)
    (note,) = load_model(folder, "tiny", CPU, FP32).notes
    assert note.startswith("The model's weights are 1000 B on disk")


def test_code_in_a_folder_is_never_run(folder: Path) -> None:
    rewrite_config(folder, model_type="my_own", auto_map={"AutoModelForCausalLM": "modeling.MyOwn"})
    (folder / "modeling.py").write_text("raise SystemExit('this ran')")
    with pytest.raises(ModelError, match="code of its own"):
        load_model(folder, "tiny", CPU, FP32)


def test_code_beside_a_known_architecture_is_passed_over(folder: Path) -> None:
    before = logits(load_model(folder, "tiny", CPU, FP32))
    rewrite_config(folder, auto_map={"AutoModelForCausalLM": "modeling.MyOwn"})
    assert torch.equal(logits(load_model(folder, "tiny", CPU, FP32)), before)


@pytest.mark.parametrize("damage", ["{", "[1]"])
def test_a_damaged_configuration_is_said(folder: Path, damage: str) -> None:
    (folder / "config.json").write_text(damage)
    with pytest.raises(ModelError):
        load_model(folder, "tiny", CPU, FP32)
