"""Numbers beyond a narrow type's range are cut and said, never stored as infinities; nonsense is an error."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
import torch

from core.attention.tiered import register
from core.bench.tiny_models import tiny_model
from core.cancel import CancelToken
from core.engine import open_model
from core.errors import DeviceError
from core.events import Finished
from core.generation.runner import ModelRunner
from core.kv.block import BlockShape
from core.kv.cache import TieredCache
from core.kv.codec import Codec
from core.kv.layer import TieredLayer
from core.kv.layer_store import LayerStore
from core.kv.narrow import narrowed
from core.kv.store import CUT_NOTE, KvSettings, KvStore
from core.kv.traffic import TrafficMeter
from core.settings import KV_CODECS, EngineSettings, SamplingSettings
from tests.core.test_engine import DOCUMENT

register()

FP16_LARGEST = 65504.0
INF, NAN = float("inf"), float("nan")


def test_what_is_out_of_range_becomes_the_largest_number() -> None:
    values = torch.tensor([1.5, -3e9, 65519.0, 65520.0, INF, -INF])
    expected = torch.tensor([1.5, -FP16_LARGEST, FP16_LARGEST, FP16_LARGEST, FP16_LARGEST, -FP16_LARGEST])
    assert torch.equal(narrowed(values, torch.float16).float(), expected)
    assert narrowed(torch.tensor([NAN]), torch.float16).isnan().all(), "nonsense stays nonsense"


def test_nothing_is_copied_or_cut_where_the_range_is_the_same() -> None:
    values = torch.tensor([1e38, -2.0])
    assert narrowed(values, torch.float32) is values
    assert narrowed(values, torch.bfloat16).isfinite().all()
    half = torch.tensor([FP16_LARGEST], dtype=torch.float16)
    assert narrowed(half, torch.bfloat16).item() == pytest.approx(FP16_LARGEST, rel=0.01)


def layer_of(dtype: torch.dtype, codec: str, compute_dtype: torch.dtype) -> tuple[TieredLayer, LayerStore]:
    shape = BlockShape(num_kv_heads=2, k_dim=32, v_dim=32, dtype=dtype, num_tokens=16)
    store = LayerStore(Codec(codec, shape, compute_dtype), 1, torch.device("cpu"), TrafficMeter())
    return TieredLayer(lambda *_: store), store


@pytest.mark.parametrize("codec", KV_CODECS)
@pytest.mark.parametrize("compute_dtype", [torch.float32, torch.float16, torch.bfloat16])
def test_a_layer_stores_finite_numbers_and_gives_finite_attention(
    codec: str, compute_dtype: torch.dtype
) -> None:
    """Also after a crop has brought a block back, whose decoded values round upwards."""
    layer, store = layer_of(torch.float16, codec, compute_dtype)
    key = torch.randn(1, 2, 40, 32, generator=torch.Generator().manual_seed(0))
    value = key.flip(-1).clone()
    for tensor in (key, value):
        tensor[:, :, 3] = 60_000.0
        tensor[:, 0, 5, :9] = FP16_LARGEST
        tensor[:, 1, 5, 4:] = -FP16_LARGEST
        tensor[:, 0, 20] = 1e30 if compute_dtype is not torch.float16 else FP16_LARGEST
    layer.update(key.to(compute_dtype), value.to(compute_dtype))
    layer.seal()
    with store.reading(layer.blocks) as pieces:
        assert all(tensor.isfinite().all() for piece in pieces for tensor in piece)
    assert store.was_cut is (compute_dtype is not torch.float16)
    layer.crop(-30)
    assert layer.num_tail_tokens == 10
    assert layer._tail_key.isfinite().all()
    assert layer._tail_value.isfinite().all()
    layer.reset()


@pytest.mark.parametrize("codec", KV_CODECS[1:])
@pytest.mark.parametrize("dtype", [torch.float32, torch.float16, torch.bfloat16])
@pytest.mark.parametrize("largest", [0.0, 1e-9, 1.0, 500.0, FP16_LARGEST, 1e7, 1e30])
def test_scales_and_offsets_stay_finite(codec: str, dtype: torch.dtype, largest: float) -> None:
    shape = BlockShape(num_kv_heads=2, k_dim=32, v_dim=32, dtype=dtype, num_tokens=16)
    few_bits = Codec(codec, shape, dtype)
    values = torch.rand(8, 2, 16, 32, generator=torch.Generator().manual_seed(1)) * 2 - 1
    values[2] = values[2].abs()
    values[3] = 1.0 - values[3].abs() * 1e-3
    values[4] = -1.0
    values = narrowed(values * largest, dtype)
    key, value = few_bits.decode(few_bits.encode(values, values))
    assert key.isfinite().all()
    assert value.isfinite().all()
    if 1 <= largest <= 500:
        error = (key.float() - values.float()).abs().max() / largest
        assert error < 0.08, "ordinary values are encoded as ever"


def test_a_group_that_spans_more_than_fp16_holds_keeps_its_lower_part() -> None:
    """The one loss: 4 bits in fp16 reach 65,460 above the smallest value."""
    shape = BlockShape(num_kv_heads=1, k_dim=32, v_dim=32, dtype=torch.float16, num_tokens=16)
    few_bits = Codec("int4", shape, torch.float16)
    key = torch.linspace(-40_000, 40_000, 16).half().view(1, 1, 16, 1).expand(1, 1, 16, 32)
    decoded, _ = few_bits.decode(few_bits.encode(key, torch.zeros_like(key)))
    assert (decoded - key)[:, :, :12].abs().max() < 2500
    assert decoded.isfinite().all()


def test_a_query_that_float16_cannot_hold_gives_no_nonsense() -> None:
    model = tiny_model("llama", attention="tiered")
    with torch.no_grad():
        for layer in model.model.layers:
            layer.self_attn.q_proj.weight.mul_(1e6)
    cache = TieredCache(model.config, KvStore(KvSettings(block_tokens=16, dtype=torch.float16), 4))
    runner = ModelRunner(model)
    assert runner.step(torch.arange(3, 60), cache).isfinite().all()
    assert runner.step(torch.tensor([5]), cache).isfinite().all()
    cache.close()


def scaled_engine_settings(folder: Path, **changes: str) -> EngineSettings:
    sampling = SamplingSettings(max_new_tokens=4)
    return replace(
        EngineSettings(model=str(folder), max_seq_len=2048, prefill_chunk=128, sampling=sampling), **changes
    )


def answer(settings: EngineSettings, spoil: Callable[[torch.nn.Module], None]) -> Finished:
    with open_model(settings) as engine:
        spoil(engine.parts.loaded.model)
        session = engine.open_document([DOCUMENT])
        conversation = engine.converse(session)
        *_, finished = conversation.ask("What is the rent?", settings.sampling, CancelToken())
        conversation.close()
        session.close()
        assert isinstance(finished, Finished)
        return finished


def enlarge_keys(model: torch.nn.Module) -> None:
    with torch.no_grad():
        model.get_submodule("model.layers.1.self_attn.k_proj").weight.mul_(1e6)


def test_an_answer_says_that_keys_were_cut(tiny_folder: Path) -> None:
    cut = answer(scaled_engine_settings(tiny_folder, kv_dtype="float16"), enlarge_keys)
    assert cut.notes.count(CUT_NOTE) == 1
    for dtype in ("float32", "bfloat16"):
        assert CUT_NOTE not in answer(scaled_engine_settings(tiny_folder, kv_dtype=dtype), enlarge_keys).notes
    whole = answer(scaled_engine_settings(tiny_folder, kv_dtype="float16"), lambda _: None)
    assert CUT_NOTE not in whole.notes


@pytest.mark.parametrize("bad", [INF, -INF, NAN])
def test_logits_that_are_not_finite_are_an_error_and_leave_no_trace(bad: float) -> None:
    model = tiny_model("llama", attention="tiered")
    store = KvStore(KvSettings(block_tokens=16), 4)
    cache, runner = TieredCache(model.config, store), ModelRunner(model)
    first = runner.step(torch.arange(3, 43), cache)
    with torch.no_grad():
        kept = model.lm_head.weight[7, 0].clone()
        model.lm_head.weight[7, 0] = bad
    before = store.cold_bytes
    with pytest.raises(DeviceError, match="overflowed") as caught:
        runner.step(torch.arange(3, 43), cache)
    assert "--kv-dtype bfloat16" in caught.value.message
    assert (cache.num_tokens, store.cold_bytes) == (40, before)
    store.check_integrity()
    with torch.no_grad():
        model.lm_head.weight[7, 0] = kept
    cache.crop(-40)
    assert torch.equal(runner.step(torch.arange(3, 43), cache), first)
    cache.close()


def test_half_precision_weights_that_overflow_are_an_error(tiny_folder: Path) -> None:
    def overflow(model: torch.nn.Module) -> None:
        torch.nn.Module.half(model)
        with torch.no_grad():
            model.get_submodule("model.layers.1.self_attn.v_proj").weight.fill_(6e4)

    with pytest.raises(DeviceError, match="overflowed"):
        answer(scaled_engine_settings(tiny_folder, kv_dtype="float16"), overflow)
