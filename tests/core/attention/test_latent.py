"""The algebra of latent attention against keys and values written out."""

from types import SimpleNamespace
from typing import Any

import pytest
import torch

from core.attention import latent as latent_module
from core.attention.latent import LatentHeads, as_shared_key, attend_expanded, has_latent_heads
from core.attention.over_tiers import attend_set
from tests.reference import naive_attention

CPU = torch.device("cpu")


def module_of(num_heads: int, latent_dim: int, nope_dim: int, rope_dim: int, v_dim: int) -> Any:
    torch.manual_seed(0)
    linear = torch.nn.Linear(latent_dim, num_heads * (nope_dim + v_dim), bias=False)
    linear.requires_grad_(requires_grad=False)

    def expand_kv(latent: torch.Tensor, rope: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        heads = linear(latent).view(1, latent.shape[2], num_heads, -1).transpose(1, 2)
        nope, value = heads.split([nope_dim, v_dim], dim=-1)
        return torch.cat([nope, rope.expand(-1, num_heads, -1, -1)], dim=-1), value

    return SimpleNamespace(
        kv_lora_rank=latent_dim,
        qk_nope_head_dim=nope_dim,
        qk_rope_head_dim=rope_dim,
        v_head_dim=v_dim,
        kv_b_proj=linear,
        expand_kv=expand_kv,
    )


@pytest.fixture
def case() -> tuple[Any, torch.Tensor, torch.Tensor, torch.Tensor]:
    generator = torch.Generator().manual_seed(1)
    query = torch.randn(1, 6, 5, 16 + 8, generator=generator)
    rope = torch.randn(1, 1, 50, 8, generator=generator)
    latent = torch.randn(1, 1, 50, 24, generator=generator)
    return module_of(6, 24, 16, 8, 12), query, rope, latent


def test_absorbed_queries_see_what_expanded_keys_show(case: Any) -> None:
    module, query, rope, latent = case
    heads = LatentHeads(module, query.dtype, CPU)
    folded = heads.absorb(query).reshape(1, 1, -1, 32)
    gathered, _ = attend_set(folded, *as_shared_key(rope, latent), 0.2, None)
    out = heads.project(gathered[..., 8:].reshape(1, 6, 5, 24))
    expected = naive_attention(query, *module.expand_kv(latent, rope), scaling=0.2)
    torch.testing.assert_close(out.double(), expected, atol=2e-6, rtol=1e-5)


@pytest.mark.parametrize("max_values", [1, 36 * 6 * 7, 1 << 25])
def test_expanding_in_parts_changes_nothing(
    case: Any, max_values: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    module, query, rope, latent = case
    sizes = []
    expand_kv = module.expand_kv
    module.expand_kv = lambda part, rope_part: sizes.append(part.shape[-2]) or expand_kv(part, rope_part)
    monkeypatch.setattr(latent_module, "_MAX_EXPANDED_VALUES", max_values)
    out, _ = attend_expanded(LatentHeads(module, query.dtype, CPU), query, rope, latent, 0.2, None)
    expected = naive_attention(query, *expand_kv(latent, rope), scaling=0.2)
    torch.testing.assert_close(out.double(), expected, atol=2e-6, rtol=1e-5)
    assert sum(sizes) == 50
    assert max(sizes) == min(50, max(1, max_values // (36 * 6)))


@pytest.mark.parametrize(
    ("num_queries", "num_keys", "expands"),
    [
        (1, 100_000, False),
        (64, 100_000, False),
        (170, 1_000_000, False),
        (172, 1_000_000, True),
        (512, 64, True),
    ],
)
def test_many_queries_expand_and_few_absorb(num_queries: int, num_keys: int, expands: bool) -> None:
    """The sizes of DeepSeek V3: with many keys expanding pays from 512 * 256 / (1088 - 320) queries on."""
    heads = LatentHeads(module_of(2, 512, 128, 64, 128), torch.float32, CPU)
    assert heads.is_cheaper_expanded(num_queries, num_keys) is expands


def test_modules_without_latents_are_recognised(case: Any) -> None:
    module = case[0]
    assert has_latent_heads(module)
    module.kv_b_proj = torch.nn.Linear(24, 6 * 28)
    assert not has_latent_heads(module), "a bias is not linear"
    module.kv_b_proj.bias = None
    assert has_latent_heads(module)
    del module.expand_kv
    assert not has_latent_heads(module)
    assert not has_latent_heads(torch.nn.Linear(2, 2))
