"""The tiered cache computes what transformers computes: the same logits, the same text."""

from pathlib import Path

import pytest
import torch
from transformers import AutoModelForCausalLM, AutoTokenizer

from core.attention.tiered import register
from core.bench.tiny_models import TINY_CONFIGS, VOCAB_SIZE, tiny_model
from core.documents.worker import DocumentWorker
from core.errors import UsageError
from core.samples import default_sample
from tests.reference import stock_logits, tiered_logits, tiny_cache

NUM_TOKENS = 257
ODD_CHUNKS = (37, 1, 50, 64, 55)
TOLERANCE = 1e-5
DEVICES = ["cpu", pytest.param("cuda", marks=pytest.mark.gpu)]

register()


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("name", sorted(TINY_CONFIGS))
def test_logits_equal_stock_attention(name: str, device: str) -> None:
    """Teacher-forced: prefill in odd chunks, then 50 tokens one by one, with most KV cold."""
    stock = tiny_model(name, attention="eager", device=device)
    tiered = tiny_model(name, attention="tiered", device=device)
    token_ids = torch.randint(3, VOCAB_SIZE, (NUM_TOKENS,), generator=torch.Generator().manual_seed(1)).to(
        device
    )
    cache = tiny_cache(tiered)
    logits = tiered_logits(tiered, cache, token_ids, ODD_CHUNKS)
    expected = stock_logits(stock, token_ids)
    difference = (logits - expected).abs().max().item()
    print(f"{name} on {device}: largest difference of logits {difference:.1e}")
    assert difference < TOLERANCE
    assert expected.abs().max() > 0.3, "the logits are not all alike"
    assert cache.usage.hot_tokens < NUM_TOKENS / 3, "most of the KV was cold"
    cache.store.check_integrity()


@pytest.mark.parametrize("name", sorted(TINY_CONFIGS))
def test_greedy_text_equals_stock_generate_through_stock_generate(name: str) -> None:
    stock = tiny_model(name, attention="eager")
    tiered = tiny_model(name, attention="tiered")
    prompt = torch.randint(3, VOCAB_SIZE, (1, 90), generator=torch.Generator().manual_seed(2))
    options = {"max_new_tokens": 50, "min_new_tokens": 50, "do_sample": False, "pad_token_id": 0}
    expected = stock.generate(prompt, **options)
    cache = tiny_cache(tiered)
    text = tiered.generate(prompt, cache=cache, **options)
    assert text.tolist() == expected.tolist()
    assert cache.num_tokens == 139, "all but the last token are in the cache"


def test_a_missing_block_would_be_noticed() -> None:
    """The tolerance above is far below what one lost block of KV changes."""
    model = tiny_model("llama", attention="tiered")
    token_ids = torch.randint(3, VOCAB_SIZE, (200,), generator=torch.Generator().manual_seed(3))
    whole, broken = tiny_cache(model), tiny_cache(model)
    tiered_logits(model, whole, token_ids[:-1], (199,))
    tiered_logits(model, broken, token_ids[:-1], (199,))
    whole.seal()
    broken.seal()
    del broken.tiered_layers[2].blocks[4]
    last = token_ids[-1:].unsqueeze(0)
    with torch.inference_mode():
        difference = (model(last, cache=whole).logits - model(last, cache=broken).logits).abs().max()
    assert difference > 10 * TOLERANCE


@pytest.mark.parametrize("hot_blocks", [(0, 1), (0, 3), (3, 100)])
def test_residency_does_not_change_a_bit(hot_blocks: tuple[int, int]) -> None:
    model = tiny_model("qwen3", attention="tiered")
    token_ids = torch.randint(3, VOCAB_SIZE, (230,), generator=torch.Generator().manual_seed(4))
    logits = [
        tiered_logits(model, tiny_cache(model, num_hot_blocks=count), token_ids, (100, 65, 40))
        for count in hot_blocks
    ]
    assert torch.equal(logits[0], logits[1])


def test_runs_repeat_to_the_bit() -> None:
    model = tiny_model("gpt_oss", attention="tiered")
    token_ids = torch.randint(3, VOCAB_SIZE, (150,), generator=torch.Generator().manual_seed(5))
    first = tiered_logits(model, tiny_cache(model), token_ids, (64, 50))
    second = tiered_logits(model, tiny_cache(model), token_ids, (64, 50))
    assert torch.equal(first, second)


def test_a_batch_is_refused() -> None:
    model = tiny_model("llama", attention="tiered")
    cache = tiny_cache(model)
    with pytest.raises(UsageError, match="batch of 2"):
        model(torch.zeros(2, 3, dtype=torch.long), cache=cache)


def test_padding_is_refused() -> None:
    model = tiny_model("llama", attention="tiered")
    cache = tiny_cache(model)
    mask = torch.tensor([[0, 1, 1]])
    with pytest.raises(UsageError, match="padding"):
        model(torch.zeros(1, 3, dtype=torch.long), attention_mask=mask, cache=cache)


def test_the_starter_reads_real_text_exactly(starter_folder: Path) -> None:
    """Teacher-forced on the sample contract, fp32 KV, most of it cold; argmax ties below 1e-4 excepted."""
    stock = AutoModelForCausalLM.from_pretrained(
        starter_folder, dtype=torch.float32, attn_implementation="eager"
    )
    tiered = AutoModelForCausalLM.from_pretrained(
        starter_folder, dtype=torch.float32, attn_implementation="tiered"
    )
    tokenizer = AutoTokenizer.from_pretrained(starter_folder)
    with DocumentWorker() as worker:
        text = worker.read(default_sample().path).pages[0].text
    token_ids = torch.tensor(tokenizer.encode(text)[:400])
    logits = tiered_logits(tiered, tiny_cache(tiered, block_tokens=64), token_ids, (201, 49, 100))
    expected = stock_logits(stock, token_ids)
    difference = (logits - expected).abs().max().item()
    print(f"starter: largest difference of logits {difference:.1e}")
    assert difference < 1e-4
    margin = expected.topk(2).values
    certain = margin[:, 0] - margin[:, 1] > 1e-4
    assert torch.equal(logits.argmax(-1)[certain], expected.argmax(-1)[certain])
