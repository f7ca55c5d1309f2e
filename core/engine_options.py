"""The options that choose an engine's settings, and the settings that come of them."""

import argparse
from dataclasses import replace

from core.errors import UsageError
from core.paths import cache_dir
from core.planning.machine_probe import probe_machine
from core.planning.profile_settings import SETTING_OF_CHOICE, settings_of
from core.planning.profiles import load_profile
from core.settings import (
    CACHE_DEVICES,
    CPU_MEMORY_POLICIES,
    CPU_MEMORY_STRATEGIES,
    KV_CODECS,
    KV_DTYPES,
    MODES,
    QUANTIZATIONS,
    SHARDING_STRATEGIES,
    EngineSettings,
    RopeScaling,
    SamplingSettings,
)
from core.units import parse_size


def engine_settings(options: argparse.Namespace) -> EngineSettings:
    """The settings that the common options ask for, the profile's where they are silent.

    Raises `UsageError`.
    """
    profile = load_profile(options.profile)
    num_gpus = len(probe_machine(options.cache_dir or cache_dir()).gpus)
    chosen = {
        setting: getattr(options, name) for name, setting in SETTING_OF_CHOICE.items() if name in options
    }
    return replace(
        settings_of(profile, chosen, num_gpus),
        model=options.model,
        mode=options.mode,
        sparse_budget=options.sparse_budget,
        max_seq_len=options.max_seq_len,
        expert_budget_bytes=options.expert_budget,
        rope_scaling=options.rope_scaling,
        cache_root=options.cache_dir,
        document_caches=not options.no_cache,
        cache_quota_bytes=options.cache_quota,
        evidence=not options.no_evidence,
        sampling=SamplingSettings(
            temperature=options.temperature,
            top_p=options.top_p,
            top_k=options.top_k,
            repetition_penalty=options.repetition_penalty,
            seed=options.seed,
            max_new_tokens=options.max_new_tokens,
        ),
    )


def add_engine(parser: argparse.ArgumentParser) -> None:
    """The options that `engine_settings` reads, but for `--cache-dir`."""
    engine = EngineSettings()
    group = parser.add_argument_group("engine")
    group.add_argument("--profile", default="auto", metavar="NAME", help="chooses what is left out below")
    group.add_argument("--model", default=engine.model, metavar="starter|DIR|FILE.gguf|NAME|HUB_ID")
    group.add_argument("--mode", choices=MODES, default=engine.mode)
    group.add_argument("--sparse-budget", type=positive, default=engine.sparse_budget, metavar="TOKENS")
    group.add_argument("--max-seq-len", type=positive, metavar="TOKENS")
    add_choices(group)
    group.add_argument(
        "--kv-migration-interval",
        type=positive,
        metavar="TOKENS",
        help="decoded tokens after which the hot tier is looked at anew",
    )
    group.add_argument("--cpu-memory-strategy", choices=CPU_MEMORY_STRATEGIES)
    group.add_argument("--cpu-memory-policy", choices=CPU_MEMORY_POLICIES)
    group.add_argument("--threads", type=positive)
    group.add_argument(
        "--no-cache", action="store_true", help="keep nothing of what is read on the disk, use nothing kept"
    )
    add_cache_quota(group)
    group.add_argument(
        "--no-evidence", action="store_true", help="do not look up which pages an answer looked at"
    )
    _add_sampling(parser)


def add_choices(parser: argparse.ArgumentParser | argparse._ArgumentGroup) -> None:
    """What a plan and an engine alike can be asked for; what is left out is the profile's to choose."""
    parser.add_argument("--quantization", choices=QUANTIZATIONS)
    parser.add_argument("--kv-compression", choices=KV_CODECS)
    parser.add_argument("--kv-dtype", choices=KV_DTYPES)
    parser.add_argument("--kv-cache-device", choices=CACHE_DEVICES)
    parser.add_argument(
        "--kv-hot-budget", type=_size, metavar="SIZE", help="bytes of the hot tier, for example 512M"
    )
    parser.add_argument("--kv-active-window", type=_natural, metavar="TOKENS", help="newest tokens kept hot")
    parser.add_argument(
        "--expert-budget", type=_size, metavar="SIZE", help="bytes of experts on the GPU, the rest in RAM"
    )
    parser.add_argument(
        "--rope-scaling", type=_rope_scaling, metavar="yarn:F|linear:F", help="a context F times as long"
    )
    parser.add_argument(
        "--kv-sharding-strategy",
        choices=SHARDING_STRATEGIES,
        help="layer_wise divides the layers and their KV among the GPUs",
    )
    parser.add_argument("--gpu-ids", type=_gpu_ids, metavar="0,1", help="the GPUs to use")


def add_cache_quota(parser: argparse.ArgumentParser | argparse._ArgumentGroup) -> None:
    parser.add_argument(
        "--cache-quota",
        type=_size,
        metavar="SIZE",
        help="what all document caches may take on the disk, for example 20G; a quarter of what is free",
    )


def _add_sampling(parser: argparse.ArgumentParser) -> None:
    sampling = SamplingSettings()
    group = parser.add_argument_group("answer")
    group.add_argument("--max-new-tokens", type=positive, default=sampling.max_new_tokens, metavar="N")
    group.add_argument("--temperature", type=float, default=sampling.temperature, help="0 is greedy")
    group.add_argument("--top-p", type=float, default=sampling.top_p)
    group.add_argument("--top-k", type=_natural, default=sampling.top_k)
    group.add_argument("--repetition-penalty", type=float, default=sampling.repetition_penalty)
    group.add_argument("--seed", type=int)


def positive(text: str) -> int:
    """The type of an option that takes 1 or more."""
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError(f"{text} is not 1 or more")
    return value


def _natural(text: str) -> int:
    value = int(text)
    if value < 0:
        raise argparse.ArgumentTypeError(f"{text} is negative")
    return value


def _size(text: str) -> int:
    try:
        return parse_size(text)
    except UsageError as error:
        raise argparse.ArgumentTypeError(error.message) from error


def _gpu_ids(text: str) -> tuple[int, ...]:
    """GPU numbers from `0,1`."""
    parts = [part.strip() for part in text.split(",")]
    if not all(part.isdecimal() and len(part) < 4 for part in parts):
        raise argparse.ArgumentTypeError(f"{text!r} names no GPUs; write for example 0,1")
    return tuple(dict.fromkeys(map(int, parts)))


def _rope_scaling(text: str) -> RopeScaling:
    try:
        return RopeScaling.parse(text)
    except UsageError as error:
        raise argparse.ArgumentTypeError(error.message) from error
