"""Tiered experts give what the model's own code gives, however few of them fit the device."""

from functools import cache
from pathlib import Path
from typing import Any

import pytest
import torch
from transformers import AutoConfig, AutoModelForCausalLM, PreTrainedModel
from transformers.integrations.moe import ALL_EXPERTS_FUNCTIONS

from core.errors import UsageError
from core.models import experts
from core.models.expert_pool import ExpertPool
from core.models.expert_store import ExpertLayout, ExpertStore
from core.models.experts import ExpertTier, tier_experts
from core.models.loader import LoadOptions, load_model
from tests.tiny_folder import save_tiny_model

CPU = torch.device("cpu")
NUM_PROMPT_TOKENS, NUM_NEW_TOKENS = 40, 30

_COMMON: dict[str, Any] = {
    "vocab_size": 128,
    "hidden_size": 48,
    "intermediate_size": 64,
    "moe_intermediate_size": 40,
    "num_hidden_layers": 4,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "head_dim": 16,
    "num_experts": 6,
    "num_local_experts": 6,
    "n_routed_experts": 6,
    "num_experts_per_tok": 2,
    "max_position_embeddings": 256,
    "pad_token_id": 0,
    "bos_token_id": 1,
    "eos_token_id": 2,
}
_LATENT_ATTENTION: dict[str, Any] = {
    "num_key_value_heads": 4,
    "head_dim": 8,
    "kv_lora_rank": 16,
    "q_lora_rank": 24,
    "qk_nope_head_dim": 16,
    "qk_rope_head_dim": 8,
    "v_head_dim": 16,
}
CONFIGS: dict[str, dict[str, Any]] = {
    "mixtral": _COMMON,
    "qwen3_moe": _COMMON | {"decoder_sparse_step": 1, "norm_topk_prob": True},
    "deepseek_v3": _COMMON
    | _LATENT_ATTENTION
    | {"first_k_dense_replace": 1, "n_group": 2, "topk_group": 1, "n_shared_experts": 1},
    "gpt_oss": _COMMON
    | {
        "sliding_window": 24,
        "layer_types": ["sliding_attention", "full_attention"] * 2,
        "rope_parameters": {"rope_type": "default", "rope_theta": 10000.0},
    },
    "nemotron_h": _COMMON
    | {
        "layers_block_type": ["attention", "moe", "attention", "moe"],
        "moe_shared_expert_intermediate_size": 32,
        "n_group": 1,
        "topk_group": 1,
    },
}


def model_of(name: str, device: str = "cpu") -> PreTrainedModel:
    """Random weights, large enough that the choice of experts varies and matters."""
    torch.manual_seed(0)
    config = AutoConfig.for_model(name, **CONFIGS[name])
    model: PreTrainedModel = AutoModelForCausalLM.from_config(
        config, attn_implementation="eager", experts_implementation="eager", dtype=torch.float32
    )
    with torch.no_grad():
        for parameter_name, parameter in model.named_parameters():
            if "norm" not in parameter_name and "A_log" not in parameter_name:
                parameter.normal_(std=0.2)
    model.requires_grad_(requires_grad=False)
    model.eval()
    torch.nn.Module.to(model, device)
    return model


def tiered_model_of(
    name: str, num_slots: int, device: torch.device = CPU
) -> tuple[PreTrainedModel, ExpertTier]:
    """The same weights with all experts in the host tier and `num_slots` on the device."""
    experts.register()
    model = model_of(name)
    model.set_experts_implementation(experts.IMPLEMENTATION_NAME)
    tier = tier_experts(model, num_slots * row_bytes(model) + 1, device)
    assert tier is not None
    torch.nn.Module.to(model, device)
    return model, tier


def row_bytes(model: PreTrainedModel) -> int:
    module = next(module for module in model.modules() if hasattr(module, "has_post_expert_norm"))
    return ExpertLayout.of(dict(module.named_parameters(recurse=False))).row_bytes


def greedy(model: PreTrainedModel) -> tuple[list[int], torch.Tensor]:
    """The tokens chosen after a fixed prompt, and the logits `(num_tokens, vocab_size)` behind them."""
    prompt = torch.randint(3, 128, (1, NUM_PROMPT_TOKENS), generator=torch.Generator().manual_seed(1))
    with torch.inference_mode():
        out = model(prompt.to(model.device), use_cache=True)
        logits, tokens = [out.logits[0].cpu()], [int(out.logits[0, -1].argmax())]
        for _ in range(NUM_NEW_TOKENS):
            step = torch.tensor([tokens[-1:]], device=model.device)
            out = model(step, cache=out.cache, use_cache=True)
            logits.append(out.logits[0].cpu())
            tokens.append(int(out.logits[0, -1].argmax()))
    return tokens, torch.cat(logits)


@cache
def eager_result(name: str) -> tuple[list[int], torch.Tensor]:
    """What transformers' own eager code gives."""
    return greedy(model_of(name))


@pytest.mark.parametrize("num_slots", [3, 9])
@pytest.mark.parametrize("name", sorted(CONFIGS))
def test_experts_in_tiers_give_what_the_model_gives(name: str, num_slots: int) -> None:
    tokens, logits = eager_result(name)
    model, tier = tiered_model_of(name, num_slots)
    tiered_tokens, tiered_logits = greedy(model)
    assert len(set(tokens)) > 3, "a model that repeats one token proves nothing"
    assert tiered_tokens == tokens
    assert (tiered_logits - logits).abs().max() < 1e-5
    tier.check_integrity()
    assert tier.traffic.evictions > 20
    assert sum(pool.num_slots for pool in tier.pools) == num_slots


@pytest.mark.parametrize("name", ["qwen3_moe", "gpt_oss"])
def test_residency_never_changes_a_result(name: str) -> None:
    results = []
    for num_slots in (1, 7, 1000):
        model, tier = tiered_model_of(name, num_slots)
        results.append(greedy(model)[1])
        tier.check_integrity()
    assert torch.equal(results[0], results[1])
    assert torch.equal(results[0], results[2])


def test_only_chosen_experts_move_and_every_byte_is_counted() -> None:
    model, tier = tiered_model_of("qwen3_moe", 1000)
    assert all(pool.num_slots == 6 for pool in tier.pools), "no more slots than experts"
    _, logits = greedy(model)
    traffic = tier.traffic
    used = sum(len(pool.residents) for pool in tier.pools)
    assert traffic.misses == used <= 24
    assert traffic.evictions == 0
    assert traffic.host_to_device_bytes == traffic.misses * row_bytes(model_of("qwen3_moe"))
    assert traffic.hits + traffic.misses >= NUM_NEW_TOKENS * 4 * 2
    assert logits.isfinite().all()


def test_more_slots_hit_more_often() -> None:
    rates = []
    for num_slots in (4, 8, 16, 24):
        model, tier = tiered_model_of("qwen3_moe", num_slots)
        greedy(model)
        rates.append(tier.traffic.hit_rate)
    assert rates == sorted(rates, key=lambda rate: rate or 0)
    assert rates[0] is not None
    assert rates[0] > 0, "even one slot a layer meets the same expert again"
    assert rates[-1] is not None
    assert rates[-1] > 0.8


def test_the_experts_exist_once() -> None:
    model, tier = tiered_model_of("gpt_oss", 3)
    assert not [name for name, _ in model.named_parameters() if ".experts." in name]
    assert tier.store.size_bytes == 4 * 6 * row_bytes(model_of("gpt_oss"))
    assert tier.device_bytes == 3 * row_bytes(model_of("gpt_oss"))


def test_a_budget_below_one_expert_is_refused_with_the_numbers() -> None:
    model = model_of("mixtral")
    with pytest.raises(UsageError, match="One expert takes"):
        tier_experts(model, row_bytes(model) - 1, CPU)
    assert greedy(model)[1].isfinite().all(), "the model is left as it was"


def test_a_folder_is_loaded_with_its_experts_in_tiers(tmp_path: Path) -> None:
    folder = save_tiny_model(tmp_path, architecture="gpt_oss")
    tokens = torch.randint(3, 200, (1, 60), generator=torch.Generator().manual_seed(2))
    results = []
    for budget_bytes in (None, 200_000):
        loaded = load_model(folder, "tiny", CPU, torch.float32, LoadOptions(expert_budget_bytes=budget_bytes))
        with torch.inference_mode():
            results.append(loaded.model(tokens).logits)
        assert (loaded.experts is None) is (budget_bytes is None)
    assert (results[0] - results[1]).abs().max() < 1e-5
    assert loaded.experts is not None
    assert loaded.experts.device_bytes <= 200_000
    assert loaded.notes == ("Without a GPU --expert-budget saves nothing and costs copies.",)


def test_a_folder_without_experts_says_that_the_budget_does_nothing(tiny_folder: Path) -> None:
    loaded = load_model(tiny_folder, "tiny", CPU, torch.float32, LoadOptions(expert_budget_bytes=1 << 20))
    assert loaded.experts is None
    assert "does nothing" in loaded.notes[0]


def test_a_model_without_experts_has_no_expert_tier() -> None:
    config = AutoConfig.for_model("llama", **_COMMON)
    model = AutoModelForCausalLM.from_config(config)
    assert tier_experts(model, 1 << 30, CPU) is None


@pytest.mark.gpu
@pytest.mark.parametrize("name", sorted(CONFIGS))
def test_experts_in_tiers_on_a_gpu(name: str) -> None:
    tokens, logits = greedy(model_of(name, "cuda"))
    model, tier = tiered_model_of(name, 3, torch.device("cuda", 0))
    assert tier.store.is_pinned
    tiered_tokens, tiered_logits = greedy(model)
    assert tiered_tokens == tokens
    assert (tiered_logits - logits).abs().max() < 1e-4
    tier.check_integrity()


def test_the_least_recently_used_expert_gives_way() -> None:
    pool = ExpertPool(64, 2, CPU)
    for expert in (0, 1):
        pool.prepare_load((0, expert))
        pool.complete_load((0, expert))
    assert pool.use((0, 0)) is not None
    slot, evicted = pool.prepare_load((0, 2))
    assert evicted == (0, 1)
    assert pool.use((0, 2)) is None, "what is in flight is not valid"
    pool.complete_load((0, 2))
    assert pool.use((0, 2)) == slot
    assert pool.residents == ((0, 0), (0, 2))
    pool.check_integrity()


def test_an_expert_in_flight_is_not_evicted() -> None:
    pool = ExpertPool(64, 1, CPU)
    pool.prepare_load((0, 0))
    with pytest.raises(AssertionError, match="in flight"):
        pool.prepare_load((0, 1))
    pool.cancel_load((0, 0))
    pool.prepare_load((0, 1))
    pool.check_integrity()


def test_integrity_is_really_checked() -> None:
    pool = ExpertPool(64, 2, CPU)
    pool.prepare_load((0, 0))
    pool.complete_load((0, 0))
    pool._free.append(pool._residents[0, 0])
    with pytest.raises(AssertionError):
        pool.check_integrity()


def test_a_failed_copy_leaves_the_pool_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    model, tier = tiered_model_of("mixtral", 2)
    read, calls = ExpertStore.row, []

    def fail_once(store: ExpertStore, index: int) -> torch.Tensor:
        calls.append(index)
        if len(calls) == 5:
            raise RuntimeError("the bus is gone")
        return read(store, index)

    monkeypatch.setattr(ExpertStore, "row", fail_once)
    with pytest.raises(RuntimeError, match="the bus is gone"):
        greedy(model)
    tier.check_integrity()
    assert greedy(model)[0] == eager_result("mixtral")[0]


def test_rows_span_slabs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("core.models.expert_store._MIN_SLAB_BYTES", 1)
    weights = {"up_proj": torch.randn(20, 3, 5), "down_proj": torch.randn(20, 5, 3).half()}
    layout = ExpertLayout.of(weights)
    store = ExpertStore(layout.row_bytes, 20, pinned=False)
    for expert in range(20):
        store.append({name: tensor[expert] for name, tensor in weights.items()}, layout)
    assert len(store._slabs) > 1
    for expert in range(20):
        for name, view in layout.views(store.row(expert)).items():
            assert torch.equal(view, weights[name][expert])


def test_the_function_is_registered_beside_those_of_transformers() -> None:
    experts.register()
    assert ALL_EXPERTS_FUNCTIONS[experts.IMPLEMENTATION_NAME] is experts.tiered_experts
