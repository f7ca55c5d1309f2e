"""The memory that the planner foretells for loading and reading, beside what loading and reading take."""

import gc
from collections.abc import Callable, Sequence

import torch

from core.attention.tiered import IMPLEMENTATION_NAME, register
from core.bench.memory import (
    mapped_weights_bytes,
    peak_of_own_memory,
    read_and_forget,
)
from core.bench.result import BenchResult, Target
from core.bench.sample import contract_tokens
from core.bench.tiny_models import tiny_model
from core.cancel import CancelToken
from core.engine import Engine, open_model
from core.generation.prefill import prefill
from core.generation.runner import ModelRunner
from core.kv.cache import TieredCache
from core.kv.store import KvSettings, KvStore
from core.models.loader import LoadedModel
from core.models.quiet import silence_transformers
from core.paths import cache_dir, models_dir
from core.planning.loading import plan_loading
from core.planning.machine_probe import probe_machine
from core.planning.models import find_geometry
from core.planning.own_memory import own_ram_bytes
from core.settings import EngineSettings

_NUM_TOKENS = (2048, 8192, 16_384)
_MIB = 1 << 20
_WARMING = ("llama", "gemma3_text")
_WARM_TOKENS = 1024
_WARM_WIDTH = 2048
_MOST_DEVIATION = 0.05


def measure(settings: EngineSettings, context: int | None, cancel: CancelToken) -> BenchResult:
    """Growth of memory in MiB for `context` tokens, or for three lengths, from an empty program on.

    On a CPU it is the program's own memory and the mapped weights that grow, on a GPU what torch has
    reserved there.
    """
    silence_transformers()
    rows = growth_rows(settings, [context] if context else _NUM_TOKENS, cancel)
    deviation = max(
        (abs(float(row["measured_mib"]) / float(row["planned_mib"]) - 1) for row in rows), default=0
    )
    return BenchResult(
        tuple(rows),
        (
            Target(
                "measured memory against the plan, largest deviation",
                deviation,
                _MOST_DEVIATION,
                at_least=False,
            ),
        ),
    )


def growth_rows(
    settings: EngineSettings,
    contexts: Sequence[int],
    cancel: CancelToken,
    text: Callable[[LoadedModel, int], list[int]] = contract_tokens,
) -> list[dict[str, float | int]]:
    """For each of `contexts` that the model reads: tokens, planned and measured MiB.

    `text` gives so many token ids for a model.
    """
    warm_up(cancel)
    before = own_ram_bytes()
    rows = []
    with open_model(settings, cancel=cancel) as engine:
        for num_tokens in contexts:
            if num_tokens <= engine.parts.max_seq_len:
                peak = _peak_of_reading(engine, text(engine.parts.loaded, num_tokens), cancel, before)
                planned = planned_bytes(settings, num_tokens)
                rows.append(
                    {
                        "tokens": num_tokens,
                        "planned_mib": planned / _MIB,
                        "measured_mib": peak / _MIB,
                        "measured_to_planned": peak / planned,
                    }
                )
    return rows


def planned_bytes(settings: EngineSettings, num_tokens: int) -> int:
    """What the plan says of the compute device's memory, the program itself and the CUDA context left out."""
    geometry = find_geometry(settings.model, models_dir(settings.cache_root))
    machine = probe_machine(settings.cache_root or cache_dir())
    places = plan_loading(machine, geometry, settings, num_tokens).places
    items = places["vram"] or places["ram"]
    return sum(size for item, size in items.items() if item not in ("program", "CUDA context"))


def warm_up(cancel: CancelToken) -> None:
    """Read with tiny models first: what a program loads at its first reading is not the model's."""
    register()
    for name in _WARMING:
        model = tiny_model(name, attention=IMPLEMENTATION_NAME)
        store = KvStore(KvSettings(block_tokens=256, dtype=torch.bfloat16), 4)
        cache = TieredCache(model.config, store)
        for _ in prefill(ModelRunner(model), cache, [1] * _WARM_TOKENS, chunk_tokens=512, cancel=cancel):
            pass
        cache.close()
    wide = torch.ones(_WARM_WIDTH, _WARM_WIDTH)
    torch.mm(wide, wide)
    gc.collect()


def _peak_of_reading(engine: Engine, token_ids: list[int], cancel: CancelToken, before: int) -> int:
    parts = engine.parts
    gc.collect()
    if parts.loaded.device.type == "cuda":
        torch.cuda.empty_cache()
        torch.cuda.reset_peak_memory_stats(parts.loaded.device)
    with peak_of_own_memory() as peak:
        read_and_forget(parts, token_ids, cancel)
    if parts.loaded.device.type == "cuda":
        return torch.cuda.max_memory_reserved(parts.loaded.device)
    return peak.num_bytes - before + mapped_weights_bytes()
