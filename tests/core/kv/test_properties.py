"""Whatever is done to sequences in whatever order, they answer as if their tokens were read anew.

A machine of random steps drives two worlds that differ in nothing but where blocks live. Without a codec both
answer as stock attention does on the same tokens; under any codec they agree to the bit.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache

import torch
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from transformers import PreTrainedModel

from core.attention.tiered import register
from core.bench.tiny_models import VOCAB_SIZE, tiny_model
from core.cancel import CancelToken
from core.errors import CancelledError
from core.generation.prefill import prefill
from core.generation.runner import ModelRunner
from core.kv.cache import TieredCache
from core.kv.store import KvSettings, KvStore
from core.settings import KV_CODECS
from tests.core.kv.adversary import AdversarialExecutor
from tests.reference import stock_logits

register()

NUM_LAYERS = 2
CHUNK = 24
MOST_TOKENS = 400
MOST_SEQUENCES = 4
TOLERANCE = 1e-5
CHOICES = st.randoms(use_true_random=False)


@cache
def model_with(attention: str) -> PreTrainedModel:
    return tiny_model("llama", attention=attention, num_hidden_layers=NUM_LAYERS)


@dataclass
class World:
    """One way of keeping KV, and the sequences in it."""

    store: KvStore
    runner: ModelRunner
    sequences: list[TieredCache] = field(default_factory=list)

    def start(self) -> None:
        self.sequences.append(TieredCache(model_with("tiered").config, self.store))

    def prefill(self, index: int, token_ids: list[int], cancel_after: int | None) -> torch.Tensor | None:
        cancel = CancelToken()
        reading = prefill(self.runner, self.sequences[index], token_ids, chunk_tokens=CHUNK, cancel=cancel)
        try:
            for number in _count():
                if number == cancel_after:
                    cancel.cancel()
                next(reading)
        except StopIteration as end:
            logits: torch.Tensor | None = end.value
            return logits
        except CancelledError:
            return None
        raise AssertionError("a reading ends")

    def out_of_memory_at(self, layer: int) -> None:
        """The next pass fails in the middle, once."""
        module = self.runner._model.model.layers[layer].mlp

        def fail(*_: object) -> None:
            hook.remove()
            raise torch.OutOfMemoryError("CUDA out of memory.")

        hook = module.register_forward_pre_hook(fail)


def _count() -> Iterator[int]:
    number = 0
    while True:
        yield number
        number += 1


def world_of(codec: str, block_tokens: int, hot_blocks: int, seed: int | None) -> World:
    executor = None if seed is None else AdversarialExecutor(seed)
    block_bytes = block_tokens * 2 * 2 * 16 * 4
    hot_bytes = hot_blocks * block_bytes * NUM_LAYERS
    kv = KvSettings(block_tokens=block_tokens, codec=codec, hot_budget_bytes=hot_bytes)
    return World(KvStore(kv, NUM_LAYERS, executor), ModelRunner(model_with("tiered")))


class Sequences(RuleBasedStateMachine):
    """`token_ids` of every sequence is all that is known of it: the naive reference."""

    @initialize(
        codec=st.sampled_from(KV_CODECS),
        block_tokens=st.sampled_from([8, 16, 32]),
        hot_blocks=st.sampled_from([1, 3, 100]),
        seed=st.none() | st.integers(0, 1000),
    )
    def open(self, codec: str, block_tokens: int, hot_blocks: int, seed: int | None) -> None:
        self.is_exact = codec == "none"
        self.tiers = world_of(codec, block_tokens, hot_blocks, seed)
        self.all_cold = world_of(codec, block_tokens, 0, None)
        self.token_ids: list[list[int]] = []
        self.start()

    @property
    def worlds(self) -> tuple[World, World]:
        return self.tiers, self.all_cold

    @precondition(lambda self: len(self.token_ids) < MOST_SEQUENCES)
    @rule()
    def start(self) -> None:
        for world in self.worlds:
            world.start()
        self.token_ids.append([])

    @precondition(lambda self: self.token_ids)
    @rule(choice=CHOICES, size=st.integers(1, 90), cancel_after=st.none() | st.integers(0, 2))
    def read(self, choice: object, size: int, cancel_after: int | None) -> None:
        index = self._pick(choice)
        text = self._next_tokens(index, size)
        first, second = (
            world.prefill(index, self.token_ids[index] + text, cancel_after) for world in self.worlds
        )
        num_tokens = self.tiers.sequences[index].num_tokens
        self.token_ids[index] = (self.token_ids[index] + text)[:num_tokens]
        self._compare(index, first, second)

    @precondition(lambda self: any(self.token_ids))
    @rule(choice=CHOICES, count=st.integers(1, 3))
    def decode(self, choice: object, count: int) -> None:
        index = self._pick(choice)
        for token_id in self._next_tokens(index, count):
            first, second = (
                world.runner.step(torch.tensor([token_id]), world.sequences[index]) for world in self.worlds
            )
            self.token_ids[index].append(token_id)
            self._compare(index, first, second)

    @precondition(lambda self: any(self.token_ids))
    @rule(choice=CHOICES, size=st.integers(1, 100))
    def crop(self, choice: object, size: int) -> None:
        index = self._pick(choice)
        size = min(size, len(self.token_ids[index]))
        if size:
            for world in self.worlds:
                world.sequences[index].crop(-size)
            del self.token_ids[index][-size:]

    @precondition(lambda self: self.token_ids and len(self.token_ids) < MOST_SEQUENCES)
    @rule(choice=CHOICES)
    def branch(self, choice: object) -> None:
        index = self._pick(choice)
        for world in self.worlds:
            world.sequences.append(world.sequences[index].branch())
        self.token_ids.append(list(self.token_ids[index]))

    @precondition(lambda self: self.token_ids)
    @rule(choice=CHOICES)
    def close(self, choice: object) -> None:
        index = self._pick(choice)
        for world in self.worlds:
            world.sequences.pop(index).close()
        del self.token_ids[index]

    @precondition(lambda self: self.token_ids)
    @rule(choice=CHOICES)
    def promote(self, choice: object) -> None:
        self.tiers.sequences[self._pick(choice)].promote()

    @rule()
    def evict(self) -> None:
        for layer in self.tiers.store.layers:
            layer._migrator.evict_all()

    @precondition(lambda self: self.token_ids)
    @rule(choice=CHOICES, size=st.integers(1, 60), layer=st.integers(0, NUM_LAYERS - 1))
    def run_out_of_memory(self, choice: object, size: int, layer: int) -> None:
        """Half of the hot tier goes and nothing else changes: steps are as small as they get already."""
        if not any(layer.hot.num_rows for layer in self.tiers.store.layers):
            return
        self.tiers.out_of_memory_at(layer)
        self.read(choice, size, None)
        assert self.tiers.runner.reliefs

    @invariant()
    def pools_are_whole(self) -> None:
        for world in self.worlds:
            world.store.check_integrity()
            lengths = [
                {layer.get_seq_length() for layer in sequence.tiered_layers} for sequence in world.sequences
            ]
            assert lengths == [{len(token_ids)} for token_ids in self.token_ids]
            for layer_idx, layer in enumerate(world.store.layers):
                held = {
                    block
                    for sequence in world.sequences
                    for block in sequence.tiered_layers[layer_idx].blocks
                }
                assert layer.cold.num_used == len(held), "each sealed block has an owner, or is gone"

    def teardown(self) -> None:
        for world in self.worlds:
            for sequence in world.sequences:
                sequence.close()
            assert (world.store.cold_bytes, world.store.hot_bytes) == (0, 0)
            world.store.check_integrity()

    def _pick(self, choice: object) -> int:
        index: int = choice.randrange(len(self.token_ids))  # type: ignore[attr-defined]
        return index

    def _next_tokens(self, index: int, count: int) -> list[int]:
        """Text that no other place has: a token in a wrong place would show."""
        start = len(self.token_ids[index])
        count = max(1, min(count, MOST_TOKENS - start))
        generator = torch.Generator().manual_seed(31 * start + sum(self.token_ids[index]))
        return torch.randint(3, VOCAB_SIZE, (count,), generator=generator).tolist()

    def _compare(self, index: int, first: torch.Tensor | None, second: torch.Tensor | None) -> None:
        assert (first is None) == (second is None)
        if first is None or second is None:
            return
        assert torch.equal(first, second), "where blocks live does not change a bit"
        if self.is_exact:
            expected = stock_logits(model_with("eager"), torch.tensor(self.token_ids[index]))[-1]
            assert (first - expected).abs().max() < TOLERANCE
            assert (second - expected).abs().max() < TOLERANCE


TestSequences = Sequences.TestCase
TestSequences.settings = settings(
    max_examples=40,
    stateful_step_count=30,
    deadline=None,
    derandomize=True,
    database=None,
    phases=[Phase.generate],  # a failure is a few dozen steps long; making it shorter takes minutes
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
