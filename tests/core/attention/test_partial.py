"""Every path of partial attention agrees with the plain one, on every device that exists."""

import pytest
import torch

from core.attention.partial import partial_attention
from tests.reference import naive_attention

DEVICES = ["cpu", pytest.param("cuda", marks=pytest.mark.gpu)]


def qkv(k_dim: int, v_dim: int, device: str, num_queries: int = 9, num_keys: int = 9) -> list[torch.Tensor]:
    generator = torch.Generator().manual_seed(1)
    shapes = [(1, 6, num_queries, k_dim), (1, 2, num_keys, k_dim), (1, 2, num_keys, v_dim)]
    return [torch.randn(*shape, generator=generator).to(device) for shape in shapes]


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize(("k_dim", "v_dim"), [(16, 16), (24, 16), (16, 24), (20, 20), (13, 7)])
def test_key_and_value_sizes_may_differ(k_dim: int, v_dim: int, device: str) -> None:
    query, key, value = qkv(k_dim, v_dim, device)
    out, lse = partial_attention(query, key, value, scaling=0.3)
    expected = naive_attention(query, key, value, scaling=0.3)
    assert out.shape == (1, 6, 9, v_dim)
    assert lse.shape == (1, 6, 9)
    torch.testing.assert_close(out.double(), expected, atol=2e-6, rtol=1e-5)


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("softcap", [None, 2.0])
def test_causal_attention_hides_the_future(softcap: float | None, device: str) -> None:
    query, key, value = qkv(16, 16, device)
    out, _ = partial_attention(query, key, value, scaling=0.5, is_causal=True, softcap=softcap)
    visible = torch.ones(9, 9, dtype=torch.bool, device=device).tril()
    expected = naive_attention(query, key, value, scaling=0.5, visible=visible, softcap=softcap)
    torch.testing.assert_close(out.double(), expected, atol=2e-6, rtol=1e-5)


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("softcap", [None, 2.0])
def test_a_mask_chooses_the_keys(softcap: float | None, device: str) -> None:
    query, key, value = qkv(16, 16, device, num_queries=5, num_keys=12)
    visible = torch.rand(5, 12, generator=torch.Generator().manual_seed(2)).to(device) > 0.4
    visible[:, 3] = True
    out, _ = partial_attention(
        query, key, value, scaling=0.5, mask=visible.view(1, 1, 5, 12), softcap=softcap
    )
    expected = naive_attention(query, key, value, scaling=0.5, visible=visible, softcap=softcap)
    torch.testing.assert_close(out.double(), expected, atol=2e-6, rtol=1e-5)


def test_transposed_keys_are_read_right() -> None:
    query, key, value = qkv(16, 16, "cpu")
    transposed = key.transpose(-1, -2).contiguous().transpose(-1, -2)
    assert transposed.stride(-1) != 1
    out, _ = partial_attention(query, transposed, value, scaling=0.3)
    torch.testing.assert_close(out, partial_attention(query, key, value, scaling=0.3)[0])


def test_the_log_sum_exp_is_natural() -> None:
    query, key, value = qkv(16, 16, "cpu")
    _, lse = partial_attention(query, key, value, scaling=0.3)
    scores = query.double() @ key.double().repeat_interleave(3, dim=1).transpose(-1, -2) * 0.3
    torch.testing.assert_close(lse.double(), scores.logsumexp(-1), atol=2e-6, rtol=1e-5)


@pytest.mark.gpu
@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_the_fused_cuda_kernel_agrees(dtype: torch.dtype) -> None:
    query, key, value = (x.to(dtype) for x in qkv(64, 64, "cuda", num_queries=33, num_keys=200))
    out, lse = partial_attention(query, key, value, scaling=0.125)
    expected = naive_attention(query, key, value, scaling=0.125)
    torch.testing.assert_close(out.double(), expected, atol=2e-2, rtol=2e-2)
    assert lse.shape == (1, 6, 33)


@pytest.mark.gpu
@pytest.mark.parametrize("is_causal", [False, True])
@pytest.mark.parametrize(("k_dim", "v_dim"), [(24, 16), (192, 128)])
def test_fused_attention_takes_values_shorter_than_keys(k_dim: int, v_dim: int, is_causal: bool) -> None:
    query, key, value = (x.half() for x in qkv(k_dim, v_dim, "cuda"))
    out, _ = partial_attention(query, key, value, scaling=0.1, is_causal=is_causal)
    visible = torch.ones(9, 9, dtype=torch.bool, device="cuda").tril() if is_causal else None
    expected = naive_attention(query, key, value, scaling=0.1, visible=visible)
    assert out.shape[-1] == v_dim
    torch.testing.assert_close(out.double(), expected, atol=5e-3, rtol=5e-3)
