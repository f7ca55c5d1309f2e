"""A model on several devices: with real tensors on two names of the CPU, and with tensors that have no data
but know their device, so that an operation across devices fails as it would on GPUs."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch
from accelerate.hooks import attach_align_device_hook_on_blocks
from torch._subclasses.fake_tensor import FakeTensorMode
from transformers import AutoModelForCausalLM, PreTrainedModel
from transformers.integrations.moe import ALL_EXPERTS_FUNCTIONS

from core import engine as core_engine
from core.attention.call import AttentionCall
from core.attention.merge import Partial
from core.attention.tiered import register
from core.bench.tiny_models import TINY_CONFIGS, tiny_config
from core.errors import DoesNotFitError, UsageError
from core.generation.runner import ModelRunner
from core.kv.cache import TieredCache, num_tiered_layers
from core.kv.executor import ImmediateExecutor
from core.kv.latent_layer import LatentLayer
from core.kv.layer import TieredLayer
from core.kv.store import KvSettings, KvStore, Shard
from core.models import sharding
from core.models.dry_run import dry_run
from core.models.loader import LoadedModel, LoadOptions, load_model
from core.models.sharding import Anatomy, LayerWeights, Sharding, move_between_parts_only, shard
from core.settings import EngineSettings
from tests.tiny_folder import save_tiny_model

register()

CPU, FP32 = torch.device("cpu"), torch.float32
TWO_NAMES = torch.device("cpu", 0), torch.device("cpu", 1)
PROMPT = torch.arange(3, 73)


@pytest.fixture
def _equal_devices(monkeypatch: pytest.MonkeyPatch) -> None:
    """As much room on every device. Real tensors forget the number of a CPU; accelerate must not wonder."""
    monkeypatch.setattr("accelerate.utils.modeling.check_device_same", lambda one, two: one.type == two.type)
    monkeypatch.setattr("accelerate.big_modeling.find_tied_parameters", lambda _model: [])
    monkeypatch.setattr(sharding, "free_bytes", lambda _device: 1 << 30)


def step_logits(loaded: LoadedModel, store: KvStore) -> torch.Tensor:
    """Logits of a prompt in two chunks and of three tokens decoded one by one."""
    runner, cache = ModelRunner(loaded.model), TieredCache(loaded.model.config, store)
    pieces = [PROMPT[:50], PROMPT[50:], *PROMPT[:3].unsqueeze(1)]
    logits = [runner.step(piece, cache).cpu() for piece in pieces]
    cache.close()
    store.check_integrity()
    return torch.stack(logits)


def store_of(loaded: LoadedModel, hot_budget_bytes: int = 30_000) -> KvStore:
    shards = []
    if loaded.sharding is not None:
        shards = [
            Shard(frozenset(layers), hot_budget_bytes // 2)
            for _, layers in loaded.sharding.tiered_layers_by_device
        ]
    settings = KvSettings(block_tokens=16, hot_budget_bytes=hot_budget_bytes)
    return KvStore(settings, loaded.reach.num_tiered_layers, shards=shards)


@pytest.mark.usefixtures("_equal_devices")
@pytest.mark.parametrize("architecture", ["llama", "gemma3_text", "gpt_oss", "qwen3_5_text"])
def test_a_divided_model_computes_the_same_to_the_bit(architecture: str, tmp_path: Path) -> None:
    folder = save_tiny_model(tmp_path, architecture=architecture)
    whole = load_model(folder, "tiny", CPU, FP32)
    divided = load_model(folder, "tiny", CPU, FP32, LoadOptions(devices=TWO_NAMES))
    assert divided.sharding is not None
    assert set(divided.sharding.placement.device_of_layer) == {0, 1}
    assert divided.model.hf_device_map == divided.sharding.device_map
    hooked = {name for name, module in divided.model.named_modules() if hasattr(module, "_hf_hook")}
    assert hooked == {"", *divided.sharding.device_map}, "tensors are moved between parts, not inside of them"
    assert torch.equal(step_logits(divided, store_of(divided)), step_logits(whole, store_of(whole)))


@pytest.fixture
def two_devices(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> Iterator[tuple[PreTrainedModel, Sharding]]:
    """An architecture without data on `cpu` and `cpu:1`, with the hooks that transformers would attach.

    `torch.tensor` forgets the number of a CPU; routing to experts looks at data.
    """
    make, second = torch.tensor, torch.device("cpu", 1)

    def make_there(*data: object, device: torch.device | None = None, **how: object) -> torch.Tensor:
        made = make(*data, device=device, **how)
        return torch.empty(made.shape, dtype=made.dtype, device=device) if device == second else made

    monkeypatch.setattr(torch, "tensor", make_there)
    ALL_EXPERTS_FUNCTIONS.register("no_experts", lambda _module, hidden_states, *_: hidden_states)
    architecture, main_device = request.param
    config = tiny_config(architecture)
    devices = CPU, second
    divided = shard(Anatomy(config, FP32), devices, LayerWeights(4), dry_run(config), 2048)
    with FakeTensorMode(allow_non_fake_inputs=True), torch.inference_mode():
        model = AutoModelForCausalLM.from_config(
            config, attn_implementation="tiered", experts_implementation="no_experts", dtype=FP32
        ).eval()
        for name, device in divided.device_map.items():
            _move(model, name, torch.device(device))
        attach_align_device_hook_on_blocks(
            model,
            execution_device=divided.device_map | {"": str(devices[main_device])},
            offload=dict.fromkeys(divided.device_map, False),
            skip_keys=model._skip_keys_device_placement,
        )
        move_between_parts_only(model, divided)
        yield model, divided


def full_attention_places(model: PreTrainedModel, divided: Sharding) -> list[int]:
    """The device of every layer that attends to everything, also of those that use another layer's KV."""
    kinds = getattr(model.config, "layer_types", None) or ["full_attention"] * model.config.num_hidden_layers
    return [
        place
        for kind, place in zip(kinds, divided.placement.device_of_layer, strict=True)
        if kind in ("full_attention", "attention")
    ]


def _move(model: PreTrainedModel, name: str, device: torch.device) -> None:
    for module in model.get_submodule(name).modules():
        for key, weight in module._parameters.items():
            if weight is not None:
                module._parameters[key] = torch.nn.Parameter(weight.detach().to(device), requires_grad=False)
        for key, buffer in module._buffers.items():
            module._buffers[key] = None if buffer is None else buffer.to(device)


@pytest.mark.usefixtures("_equal_devices")
@pytest.mark.parametrize(
    "two_devices", [(name, main) for name in sorted(TINY_CONFIGS) for main in (0, 1)], indirect=True
)
def test_nothing_is_computed_across_devices(
    two_devices: tuple[PreTrainedModel, Sharding], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whichever device the whole model's hook sends its inputs to first; every layer finds its tiers."""
    model, divided = two_devices
    attended: list[torch.device] = []
    for kind in (TieredLayer, LatentLayer):

        def noting(
            layer: TieredLayer,
            query: torch.Tensor,
            call: AttentionCall,
            attend: Any = kind.attend,
            **how: Any,
        ) -> Partial:
            attended.append(query.device)
            return attend(layer, query, call, **how)

        monkeypatch.setattr(kind, "attend", noting)
    monkeypatch.setattr("core.generation.runner.require_finite", lambda _logits: None)  # there are no values
    executors = ImmediateExecutor(), ImmediateExecutor()
    shards = [
        Shard(frozenset(layers), 15_000, executor)
        for (_, layers), executor in zip(divided.tiered_layers_by_device, executors, strict=False)
    ]
    store = KvStore(KvSettings(block_tokens=16), num_tiered_layers(model.config), shards=shards)
    cache, runner = TieredCache(model.config, store), ModelRunner(model)
    for num_tokens in (20, 20, 1):
        attended.clear()
        logits = runner.step(torch.zeros(num_tokens, dtype=torch.long), cache)
        assert logits.device == CPU, "logits come back to where the token ids went in"
        assert attended == [divided.devices[index] for index in full_attention_places(model, divided)]
    assert store.streams
    by_layer = {index: layer.hot.rows_tensor(0, 1).device for index, layer in store._layers.items()}
    for device, layers in divided.tiered_layers_by_device:
        assert {by_layer[layer] for layer in layers} == {device}


def test_fake_devices_do_notice_a_mistake() -> None:
    with FakeTensorMode(), pytest.raises(RuntimeError, match="device"):
        torch.zeros(2) + torch.zeros(2, device="cpu:1")


@pytest.mark.usefixtures("_equal_devices")
@pytest.mark.parametrize("architecture", sorted(TINY_CONFIGS))
def test_every_weight_has_one_place(architecture: str) -> None:
    config = tiny_config(architecture)
    anatomy = Anatomy(config, FP32)
    device_map = shard(anatomy, TWO_NAMES, LayerWeights(4), dry_run(config), 2048).device_map
    for name, _ in (*anatomy.model.named_parameters(), *anatomy.model.named_buffers()):
        assert sum(name == part or name.startswith(f"{part}.") for part in device_map) == 1, name


def test_parts_weigh_what_the_model_weighs() -> None:
    config = tiny_config("llama")
    for is_tied in (False, True):
        config.tie_word_embeddings = is_tied
        anatomy = Anatomy(config, FP32)
        parts = anatomy.weigh(LayerWeights(4), dry_run(config), 2048)
        assert parts.total_bytes == sum(weight.nbytes for weight in anatomy.model.parameters())
        assert parts.is_head_tied is is_tied
        assert (parts.head_bytes == 0) is is_tied
        assert sum(parts.hot_kv_bytes) == 2048 * 4 * 2 * 2 * 16 * 4, (
            "tokens, layers, K and V, heads, dim, fp32"
        )


def test_layers_that_use_each_others_kv_stay_together() -> None:
    config = tiny_config("gemma4_text")
    parts = Anatomy(config, FP32).weigh(LayerWeights(4), dry_run(config), 2048)
    assert config.kv_sharing_modes == [None, None, "store", "store", "reuse", "reuse"]
    assert parts.inseparable == (range(2, 6),)


def test_weights_in_few_bits_are_weighed_as_they_are_stored() -> None:
    config = tiny_config("llama")
    anatomy, reach = Anatomy(config, FP32), dry_run(config)
    plain = anatomy.weigh(LayerWeights(4), reach, 2048)
    other_bytes = plain.embedding_bytes + plain.head_bytes
    stored = anatomy.weigh(LayerWeights(4, stored_bytes=other_bytes + 4000), reach, 2048)
    assert stored.layer_bytes == (1000,) * 4
    assert anatomy.weigh(LayerWeights(1), reach, 2048).layer_bytes[0] == plain.layer_bytes[0] // 4


def test_too_little_memory_is_said_before_weights_are_read(
    tiny_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sharding, "free_bytes", lambda _device: 100_000)
    monkeypatch.setattr("core.models.loader._from_pretrained", lambda *_: pytest.fail("weights were read"))
    with pytest.raises(DoesNotFitError, match="does not fit the GPUs"):
        load_model(tiny_folder, "tiny", CPU, FP32, LoadOptions(devices=TWO_NAMES))


def test_experts_in_host_memory_and_several_devices_are_refused(tmp_path: Path) -> None:
    folder = save_tiny_model(tmp_path, architecture="gpt_oss")
    with pytest.raises(UsageError, match="--expert-budget"):
        load_model(folder, "tiny", CPU, FP32, LoadOptions(expert_budget_bytes=1 << 20, devices=TWO_NAMES))


@pytest.mark.usefixtures("_equal_devices")
def test_the_engine_answers_the_same_on_several_devices(
    tiny_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = EngineSettings(model=str(tiny_folder), block_tokens=16, hot_budget_bytes=1 << 17)
    with core_engine.open_model(settings) as engine:
        expected = step_logits(engine.parts.loaded, engine.parts.store)
        slots = [layer.hot.num_rows for layer in engine.parts.store.layers]
    monkeypatch.setattr(core_engine, "compute_devices", lambda _settings: TWO_NAMES)
    with core_engine.open_model(replace(settings, kv_sharding_strategy="layer_wise")) as engine:
        store = engine.parts.store
        assert torch.equal(step_logits(engine.parts.loaded, store), expected)
        assert len(store.shards) == 2
        assert (
            sum(part.hot_budget_bytes for part in store.shards) == store.settings.hot_budget_bytes == 1 << 17
        )
        assert [layer.hot.num_rows for layer in store.layers] == slots


@pytest.mark.gpu
def test_two_gpus_compute_what_one_does(tmp_path: Path) -> None:
    if torch.cuda.device_count() < 2:
        pytest.skip("this machine has one GPU; two are needed")
    folder = save_tiny_model(tmp_path, architecture="qwen3")
    gpus = torch.device("cuda", 0), torch.device("cuda", 1)
    one = load_model(folder, "tiny", gpus[0], FP32)
    two = load_model(folder, "tiny", gpus[0], FP32, LoadOptions(devices=gpus))
    expected = step_logits(one, store_of(one))
    store = store_of(two)
    torch.testing.assert_close(step_logits(two, store), expected, rtol=0, atol=1e-4)
    devices = {layer.hot.rows_tensor(0, 1).device for layer in store.layers}
    assert devices == set(gpus)
