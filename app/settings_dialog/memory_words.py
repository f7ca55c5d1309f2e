"""What the choices about the engine are called, on whatever page they stand."""

from collections.abc import Mapping

from PySide6.QtCore import QCoreApplication

from core.settings_change import Effect


def field_words() -> dict[str, str]:
    """By field of a profile or of `MemoryChoices`."""
    return {
        "mode": QCoreApplication.translate("MemoryPage", "Mode"),
        "kv_compression": QCoreApplication.translate("MemoryPage", "Compression"),
        "kv_hot_budget": QCoreApplication.translate("MemoryPage", "Hot budget"),
        "kv_active_window": QCoreApplication.translate("MemoryPage", "Active window"),
        "kv_migration_interval": QCoreApplication.translate("MemoryPage", "Migration interval"),
        "cpu_memory_strategy": QCoreApplication.translate("MemoryPage", "Host memory"),
        "cpu_memory_policy": QCoreApplication.translate("MemoryPage", "Place of host memory"),
        "prefill_chunk": QCoreApplication.translate("MemoryPage", "Read in chunks of"),
        "threads": QCoreApplication.translate("MemoryPage", "Threads"),
        "max_seq_len": QCoreApplication.translate("MemoryPage", "Longest context"),
        "kv_dtype": QCoreApplication.translate("MemoryPage", "Numbers of the cache"),
        "kv_cache_device": QCoreApplication.translate("MemoryPage", "Device of the cache"),
        "quantization": QCoreApplication.translate("MemoryPage", "Quantisation of the weights"),
        "kv_sharding_strategy": QCoreApplication.translate("MemoryPage", "Sharding"),
        "gpu_ids": QCoreApplication.translate("MemoryPage", "GPUs"),
    }


def strategy_names() -> dict[str, str]:
    return {
        "auto": QCoreApplication.translate("MemoryPage", "Automatic"),
        "hugetlb": QCoreApplication.translate("MemoryPage", "Reserved huge pages"),
        "madvise_hugepage": QCoreApplication.translate("MemoryPage", "Transparent huge pages"),
        "mmap_anonymous": QCoreApplication.translate("MemoryPage", "Ordinary memory"),
        "pinned": QCoreApplication.translate("MemoryPage", "Pinned for the GPU"),
    }


def policy_names() -> dict[str, str]:
    return {
        "default": QCoreApplication.translate("MemoryPage", "Left to the system"),
        "numactl_bind": QCoreApplication.translate("MemoryPage", "Near the GPU (NUMA)"),
    }


def dtype_names() -> dict[str, str]:
    names = {name: name for name in ("float32", "bfloat16", "float16")}
    return {"auto": QCoreApplication.translate("MemoryPage", "Automatic"), **names}


def device_names() -> dict[str, str]:
    return {
        "auto": QCoreApplication.translate("MemoryPage", "Automatic"),
        "gpu": QCoreApplication.translate("MemoryPage", "All on the GPU"),
        "cpu": QCoreApplication.translate("MemoryPage", "Only the active window on the GPU"),
        "multi_gpu": QCoreApplication.translate("MemoryPage", "Divided among the GPUs"),
    }


def quantization_names() -> dict[str, str]:
    return {
        "none": QCoreApplication.translate("MemoryPage", "None"),
        "nf4": QCoreApplication.translate("MemoryPage", "nf4 (4 bits)"),
        "int8": QCoreApplication.translate("MemoryPage", "int8 (8 bits)"),
    }


def sharding_names() -> dict[str, str]:
    return {
        "none": QCoreApplication.translate("MemoryPage", "One GPU computes all layers"),
        "layer_wise": QCoreApplication.translate("MemoryPage", "Layers divided among the GPUs"),
    }


def effect_words(effect: Effect) -> str:
    """What applying a change costs, in few words; nothing for what the engine does not see."""
    words: Mapping[Effect, str] = {
        Effect.NOTHING: "",
        Effect.AT_ONCE: QCoreApplication.translate("MemoryPage", "Takes effect at once."),
        Effect.READ_AGAIN: QCoreApplication.translate("MemoryPage", "The documents are read again."),
        Effect.LOAD_AGAIN: QCoreApplication.translate("MemoryPage", "The model is loaded again."),
    }
    return words[effect]


def effect_sentence(effect: Effect) -> str:
    """The same for all changes together, with what stays."""
    words: Mapping[Effect, str] = {
        Effect.NOTHING: "",
        Effect.AT_ONCE: QCoreApplication.translate(
            "MemoryPage", "This takes effect at once; what was read stays read."
        ),
        Effect.READ_AGAIN: QCoreApplication.translate(
            "MemoryPage",
            "The documents are read again; the model stays loaded. Your conversation stays on screen.",
        ),
        Effect.LOAD_AGAIN: QCoreApplication.translate(
            "MemoryPage",
            "The model is loaded again and the documents are read again. Your conversation stays on screen.",
        ),
    }
    return words[effect]
