"""What the catalogue says of its models, counted once more in the plainest way."""

from typing import Any

import pytest

from core.catalogue.bundled import CatalogueEntry, catalogue
from core.catalogue.downloaded import is_hub_id
from core.planning.catalogue import CataloguePlan, plan_entry
from core.planning.profiles import load_profile
from core.planning.reach import Engine

LONG_TOKENS = 65_536
NUM_LONG = 12
GROWING = {
    "gemma-3-4b": 5,
    "gemma-3-12b": 8,
    "gpt-oss-20b": 12,
    "gpt-oss-120b": 18,
    "granite-4.0-h-micro": 4,
    "lfm2-1.2b": 6,
    "qwen3.5-9b": 8,
}
"""Where not every layer grows with the context."""
GEMMA = {
    "num_attention_heads": 8,
    "num_key_value_heads": 4,
    "head_dim": 256,
    "max_position_embeddings": 131_072,
}


def planned(entry: CatalogueEntry) -> CataloguePlan:
    profile = load_profile("rtx3060-12g")
    assert profile.machine is not None
    return plan_entry(entry, profile.machine, profile)


def numbers(entry: CatalogueEntry) -> dict[str, Any]:
    stated = dict(entry.config.get("text_config", entry.config))
    return GEMMA | stated if stated["model_type"] == "gemma3_text" else stated


def test_a_dozen_models_read_long_documents() -> None:
    lengths = [numbers(entry)["max_position_embeddings"] for entry in catalogue()]
    assert sum(length >= LONG_TOKENS for length in lengths) >= NUM_LONG


@pytest.mark.parametrize("entry", catalogue(), ids=lambda entry: entry.name)
def test_planned_numbers_are_those_of_the_configuration(entry: CatalogueEntry) -> None:
    stated, plan = numbers(entry), planned(entry)
    head_dim = stated.get("head_dim") or stated["hidden_size"] // stated["num_attention_heads"]
    num_growing = GROWING.get(entry.name, stated["num_hidden_layers"])
    kv_bytes = num_growing * 2 * stated["num_key_value_heads"] * head_dim * 2
    assert plan.plan.kv_bytes_per_token == kv_bytes
    assert plan.native_context == stated["max_position_embeddings"]
    assert plan.plan.reach.engine is Engine.SUPPORTED
    assert is_hub_id(entry.hub_id)
    assert entry.title
    assert entry.licence

    fields = plan.fields
    if fields["stored_quantization"] is None:
        assert plan.download_bytes == 2 * fields["num_parameters"]
        assert fields["quantizations"] == ["none", "nf4", "int8"]
        return
    layers, hidden, width = (
        stated[name] for name in ("num_hidden_layers", "hidden_size", "intermediate_size")
    )
    experts = layers * stated["num_local_experts"] * 3 * hidden * width
    plain = fields["num_parameters"] - experts
    assert plan.download_bytes == pytest.approx(2 * plain + experts * 4.25 / 8, rel=0.02)
    assert fields["quantizations"] == ["none"]
