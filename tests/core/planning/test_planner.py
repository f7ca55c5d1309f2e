"""Plans against the bytes that the engine really takes, against published floors, and as users meet them."""

from dataclasses import replace
from pathlib import Path

import pytest
import torch

from core.attention.tiered import IMPLEMENTATION_NAME, register
from core.bench.tiny_models import TINY_CONFIGS, tiny_config, tiny_model
from core.errors import UsageError
from core.kv.batch import BatchCache, Feed
from core.kv.cache import TieredCache, num_tiered_layers
from core.kv.executor import ImmediateExecutor
from core.kv.sparse import SparseSettings
from core.kv.store import KvSettings, KvStore
from core.kv.streamer import NUM_SLOTS
from core.models.forward import ForwardSignature
from core.planning.advice import fastest_codec
from core.planning.assessment import assess
from core.planning.devices import Sizing
from core.planning.estimates import copy_floor_s, prefill_flop
from core.planning.geometry import ModelGeometry, read_geometry
from core.planning.kv_sizes import KvSizes
from core.planning.machine import Gpu, Machine, PcieLink, SpeedFigures
from core.planning.planner import max_context, plan
from core.planning.profiles import load_profile
from core.planning.request import PlanRequest
from core.settings import KV_CODECS, RopeScaling

CONFIGS = Path(__file__).parents[2] / "data" / "model_configs"
GIB = 1 << 30
LONG = 262_144


def geometry(name: str) -> ModelGeometry:
    return read_geometry(CONFIGS / f"{name}.json", name)


def rtx3060() -> Machine:
    machine = load_profile("rtx3060-12g").machine
    assert machine is not None
    return machine


def request(context: int = LONG, **choices: object) -> PlanRequest:
    """As the profile for the RTX 3060 asks, with other choices."""
    usual = PlanRequest(context, codec="int8", prefill_chunk=2048, active_window=1024)
    return replace(usual, **({"hot_budget_bytes": 2 * GIB} | choices))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("codec", "stream_all_s", "with_6_gb_s", "sparse_s"),
    [("none", 1.55, 1.31, 0.024), ("int8", 0.82, 0.58, 0.013), ("int4", 0.46, 0.22, 0.007)],
)
def test_floors_of_a_long_context_on_a_3060(
    codec: str, stream_all_s: float, with_6_gb_s: float, sparse_s: float
) -> None:
    kv = KvSizes(geometry("qwen3-4b-instruct-2507").growing_layers, codec, 2, 64)
    bus = rtx3060().speeds.pcie
    assert bus == 25e9
    assert copy_floor_s(kv.cold_bytes(LONG), 0, bus) == pytest.approx(stream_all_s, abs=0.005)
    assert copy_floor_s(kv.cold_bytes(LONG), 6e9, bus) == pytest.approx(with_6_gb_s, abs=0.005)
    assert copy_floor_s(kv.cold_bytes(4096), 0, bus) == pytest.approx(sparse_s, abs=0.0005)


def test_reading_180_000_tokens_takes_ten_to_the_sixteen_operations() -> None:
    flop = prefill_flop(geometry("qwen3-4b-instruct-2507"), 180_000)
    assert flop == pytest.approx(1e16, rel=0.1)
    estimate = assess(rtx3060(), geometry("qwen3-4b-instruct-2507"), request(180_000)).estimate
    assert 7 * 60 <= estimate.prefill_s <= 13 * 60


@pytest.mark.parametrize("codec", KV_CODECS)
@pytest.mark.parametrize("name", ["llama", "gemma3_text", "qwen3_5_text", "lfm2", "gpt_oss", "gemma4_text"])
def test_the_pools_hold_the_bytes_of_the_plan(name: str, codec: str) -> None:
    config = tiny_config(name)
    num_tiered, num_tokens, budget = num_tiered_layers(config), 300, 40_000
    store = KvStore(
        KvSettings(block_tokens=64, dtype=torch.bfloat16, codec=codec, hot_budget_bytes=budget), num_tiered
    )
    cache = _read(name, num_tokens, store)
    kv = KvSizes(ModelGeometry.from_config(config.to_dict(), name).growing_layers, codec, 2, 64)
    assert store.cold_bytes == kv.cold_bytes(num_tokens)
    assert sum(layer.hot.size_bytes for layer in store.layers) == kv.hot_bytes(budget, num_tiered)
    taken = sum(region.num_bytes for layer in store.layers for region in layer.cold._regions.values())
    assert taken <= store.cold_bytes + kv.slab_rounding_bytes(num_tokens, 1)
    assert cache.usage.tail_bytes <= kv.tail_bytes
    cache.close()


def test_the_ring_of_staging_slots_has_the_bytes_of_the_plan() -> None:
    store = KvStore(KvSettings(block_tokens=64, dtype=torch.bfloat16, codec="k8v4"), 2, ImmediateExecutor())
    cache = _read("gemma4_text", 300, store)
    model = ModelGeometry.from_config(tiny_config("gemma4_text").to_dict(), "x")
    (streamer,) = store._streamers
    assert NUM_SLOTS * streamer.slot_bytes == KvSizes(model.growing_layers, "k8v4", 2, 64).staging_bytes
    cache.close()


def test_digests_have_the_bytes_of_the_plan() -> None:
    store = KvStore(KvSettings(block_tokens=64, dtype=torch.bfloat16), 4)
    cache = _read("llama", 300, store)
    cache.decode_sparsely(SparseSettings())
    real = sum(layer.sparse.index.digest.size_bytes for layer in cache.tiered_layers if layer.sparse)
    model = ModelGeometry.from_config(tiny_config("llama").to_dict(), "llama")
    sizing = Sizing(model, PlanRequest(300, mode="sparse"), has_gpu=True)
    assert real == sizing.sizes(sizing.growing(0, 4, sparse=True)).digest_bytes(300) > 0
    cache.close()


@pytest.mark.parametrize(("name", "codec"), [("llama", "none"), ("gemma4_text", "int8"), ("lfm2", "k8v4")])
def test_questions_at_once_have_the_bytes_of_the_plan(name: str, codec: str) -> None:
    register()
    model = tiny_model(name, attention=IMPLEMENTATION_NAME)
    num_tiered, num_tokens = num_tiered_layers(model.config), 110
    store = KvStore(KvSettings(block_tokens=64, dtype=torch.bfloat16, codec=codec), num_tiered)
    batch = BatchCache(_read(name, num_tokens, store), model.config)
    feeds = [Feed(batch.join(), [3] * 7) for _ in range(5)]
    with torch.inference_mode(), batch.forward_pass(feeds):
        ids = [token_id for feed in feeds for token_id in feed.token_ids]
        ForwardSignature(model).run_batch(model, batch, ids)
    geometry_of = ModelGeometry.from_config(model.config.to_dict(), name)
    request = PlanRequest(num_tokens, codec=codec, num_branches=5, branch_tokens=7, block_tokens=64)
    machine = Machine("cpu", 64 * GIB, 60 * GIB)
    assert batch.own_bytes == assess(machine, geometry_of, request).places["ram"]["questions at once"]
    one = assess(machine, geometry_of, replace(request, num_branches=1))
    assert "questions at once" not in one.places["ram"]
    batch.close()


def _read(name: str, num_tokens: int, store: KvStore) -> TieredCache:
    register()
    model = tiny_model(name, attention=IMPLEMENTATION_NAME)
    cache = TieredCache(model.config, store)
    with torch.inference_mode():
        ids = torch.zeros(1, num_tokens, dtype=torch.long)
        ForwardSignature(model).run(model, ids, cache, first_position=0)
        cache.seal()
    return cache


@pytest.mark.parametrize("name", sorted(TINY_CONFIGS))
def test_weights_have_the_bytes_of_the_model(name: str) -> None:
    real = sum(parameter.nbytes for parameter in tiny_model(name, attention="eager").parameters())
    model = ModelGeometry.from_config(tiny_config(name).to_dict(), name)
    machine = Machine("cpu", 64 * GIB, 60 * GIB)
    planned = assess(machine, model, PlanRequest(256)).places["ram"]["weights"]
    assert planned == pytest.approx(real, rel=0.02)


@pytest.mark.parametrize(
    ("name", "choices", "gigabytes"),
    [
        ("qwen3-4b-instruct-2507", {}, 8.0),
        ("qwen3-4b-instruct-2507", {"quantization": "int8"}, 4.4),
        ("qwen3-4b-instruct-2507", {"quantization": "nf4"}, 2.7),
        ("gpt-oss-20b", {}, 13.8),
        ("gpt-oss-20b", {"expert_budget_bytes": 2 * GIB}, 5.8),
        ("deepseek-v3", {}, 1342),
    ],
)
def test_weights_on_a_gpu_by_quantisation(name: str, choices: dict[str, object], gigabytes: float) -> None:
    planned = assess(rtx3060(), geometry(name), request(4096, **choices)).places["vram"]["weights"]
    assert planned == pytest.approx(gigabytes * 1e9, rel=0.02)


ROWS = [
    ("one 256K context in int8", request(), True, LONG),
    ("the same uncompressed", request(codec="none"), False, 167_936),
    ("two 256K contexts in int8", request(num_documents=2), False, 157_440),
    ("two 256K contexts in int4", request(num_documents=2, codec="int4"), True, LONG),
    ("512K as it is", request(2 * LONG), False, LONG),
    (
        "512K stretched, in int8",
        request(2 * LONG, rope_scaling=RopeScaling("yarn", 2.0)),
        False,
        None,
    ),
    (
        "512K stretched, in int4",
        request(2 * LONG, codec="int4", rope_scaling=RopeScaling("yarn", 2.0)),
        True,
        2 * LONG,
    ),
    ("6 GB of hot KV beside 16-bit weights", request(hot_budget_bytes=6 * GIB), False, None),
    (
        "6 GB of hot KV beside 4-bit weights",
        request(hot_budget_bytes=6 * GIB, quantization="nf4"),
        True,
        LONG,
    ),
    ("an automatic hot budget", request(hot_budget_bytes=None, active_window=None), True, LONG),
]


TOO_LARGE = [row for row in ROWS if not row[2]]


@pytest.mark.parametrize(
    ("wanted", "fits", "longest"), [row[1:] for row in ROWS], ids=[row[0] for row in ROWS]
)
def test_what_fits_a_3060(wanted: PlanRequest, fits: bool, longest: int | None) -> None:
    model = geometry("qwen3-4b-instruct-2507")
    result = plan(rtx3060(), model, wanted)
    assert result.fits is fits
    if longest is not None:
        assert result.max_context == longest
    assert result.kv_bytes_per_token == 147_456
    assert fits or result.advice
    assert all(advice.endswith(".") for advice in result.advice)


def test_the_largest_context_fits_and_one_block_more_does_not() -> None:
    model, wanted = geometry("qwen3-4b-instruct-2507"), request(codec="none")
    longest = max_context(rtx3060(), model, wanted)
    assert 0 < longest < LONG
    assert assess(rtx3060(), model, replace(wanted, context=longest)).fits
    assert not assess(rtx3060(), model, replace(wanted, context=longest + 64)).fits


@pytest.mark.parametrize("wanted", [row[1] for row in TOO_LARGE], ids=[row[0] for row in TOO_LARGE])
def test_every_change_that_is_named_makes_it_fit(wanted: PlanRequest) -> None:
    model = geometry("qwen3-4b-instruct-2507")
    advice = plan(rtx3060(), model, wanted).advice
    options = {
        f"--kv-compression {codec}": {"codec": codec} for codec in ("int8", "k8v4", "int4")
    } | {
        "--quantization int8": {"quantization": "int8"},
        "--quantization nf4": {"quantization": "nf4"},
        "--rope-scaling yarn:2": {"rope_scaling": RopeScaling("yarn", 2.0)},
    }  # fmt: skip
    followed = 0
    for sentence in advice:
        changes: dict[str, object] = {}
        for option, change in options.items():
            changes |= change if option in sentence else {}
        if changes and "then it fits" in sentence:
            followed += 1
            assert assess(rtx3060(), model, replace(wanted, **changes)).fits, sentence  # type: ignore[arg-type]
    assert followed


def test_no_codec_is_named_for_speed_whose_whole_sum_is_slower() -> None:
    model = geometry("qwen3-4b-instruct-2507")
    for machine in (rtx3060(), replace(rtx3060(), figures=SpeedFigures(pcie_gb_s=200, vram_gb_s=360))):
        wanted = request(65_536, hot_budget_bytes=0, active_window=None)
        chosen = fastest_codec(machine, model, wanted)
        seconds = {
            codec: assess(machine, model, replace(wanted, codec=codec)).estimate.per_token_s
            for codec in KV_CODECS
        }
        assert seconds[chosen] == min(seconds.values())
    assert chosen == "none", "over a bus this fast turning values back costs more than it saves"


def test_sparse_mode_counts_digests_and_chosen_keys_as_hot() -> None:
    model = geometry("qwen3-4b-instruct-2507")
    exact, sparse = (assess(rtx3060(), model, request(mode=mode)) for mode in ("exact", "sparse"))
    assert "sparse digests" not in exact.places["vram"]
    digest_bits = sparse.places["vram"]["sparse digests"] * 8 / LONG / (34 * 8)
    assert digest_bits == pytest.approx(128, rel=0.01), "a quarter of 128 dims in 4 bits"
    assert sparse.estimate.per_token_s < exact.estimate.per_token_s / 4


def test_layers_are_spread_over_gpus_by_their_free_memory() -> None:
    gpus = tuple(Gpu("RTX 4090", 24 * GIB, free * GIB, PcieLink(4, 8), PcieLink(4, 8)) for free in (20, 10))
    machine = Machine("two", 128 * GIB, 120 * GIB, gpus=gpus)
    model = geometry("qwen3-4b-instruct-2507")
    both = assess(machine, model, request(sharding="layer_wise"))
    first, second = both.vram_by_gpu
    assert first["weights"] == pytest.approx(2 * second["weights"], rel=1e-6)
    assert both.places["vram"]["hot KV"] == first["hot KV"] + second["hot KV"]
    alone = assess(machine, model, request(gpu_ids=(1,)))
    assert len(alone.vram_by_gpu) == 1
    assert [short.place for short in alone.shortfalls] == ["vram"]
    assert any("layer_wise" in advice for advice in plan(machine, model, request(gpu_ids=(1,))).advice)


def test_a_gpu_that_is_not_there_is_wrong_usage() -> None:
    with pytest.raises(UsageError, match="GPU 3"):
        assess(rtx3060(), geometry("qwen3-4b-instruct-2507"), request(gpu_ids=(3,)))


def test_without_a_gpu_everything_is_in_host_memory() -> None:
    machine = Machine("cpu", 64 * GIB, 60 * GIB, num_cores=8)
    result = plan(machine, geometry("smollm2-135m"), PlanRequest(8192))
    assert result.places["vram"] == {}
    assert result.places["ram"]["weights"] == 4 * 134_515_008
    assert result.places["ram"]["cold KV"] == 8192 * 23_040
    assert result.kv_bytes_per_token == 23_040
    assert result.fits


def test_a_model_out_of_reach_does_not_fit_and_its_bytes_are_still_told() -> None:
    result = plan(rtx3060(), geometry("deepseek-moe-16b"), PlanRequest(4096))
    assert not result.fits
    assert result.kv_bytes_per_token == 229_376
    assert "Choose another model" in result.advice[0]


def test_experts_can_be_kept_in_host_memory() -> None:
    model = geometry("qwen3-30b-a3b-instruct-2507")
    machine = replace(rtx3060(), ram_total_bytes=128 * GIB, ram_available_bytes=120 * GIB)
    result = plan(machine, model, request())
    assert not result.fits
    assert any("--expert-budget 2G" in advice for advice in result.advice)
    tiered = assess(machine, model, request(expert_budget_bytes=2 * GIB))
    assert tiered.fits
    assert tiered.places["ram"]["experts"] == pytest.approx(58e9, rel=0.02)


def test_an_active_window_larger_than_the_hot_budget_is_wrong_usage() -> None:
    with pytest.raises(UsageError, match="does not fit the hot budget"):
        assess(rtx3060(), geometry("qwen3-4b-instruct-2507"), request(hot_budget_bytes=1 << 20))


def test_a_full_disk_is_said_and_stops_nothing() -> None:
    machine = replace(rtx3060(), disk_free_bytes=GIB)
    result = plan(machine, geometry("qwen3-4b-instruct-2507"), request())
    assert result.fits
    assert any("--cache-dir" in advice for advice in result.advice)


@pytest.mark.parametrize(
    "choices",
    [{"context": 0}, {"codec": "int3"}, {"mode": "magic"}, {"prefill_chunk": 0}, {"num_documents": 0}],
)
def test_values_that_there_are_not_are_wrong_usage(choices: dict[str, object]) -> None:
    with pytest.raises(UsageError):
        replace(PlanRequest(1024), **choices)  # type: ignore[arg-type]
