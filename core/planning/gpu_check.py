"""What could be set up better about the GPU: its driver, what others hold of it, and how it is connected."""

from collections.abc import Iterator

from core.planning.machine import Gpu, PcieLink
from core.planning.system_facts import Finding, Severity, SystemFacts, SystemNeeds
from core.units import format_size

_NOTABLE_BYTES = 64 << 20


def _driver(facts: SystemFacts, _needs: SystemNeeds) -> Iterator[Finding]:
    if facts.gpu_error is not None:
        yield Finding(
            "GPU driver",
            Severity.WARNING,
            f"The driver does not answer: {facts.gpu_error}.",
            "Without it the model computes on the processor, many times slower.",
            "nvidia-smi",
        )
    elif not facts.gpus:
        yield Finding(
            "GPU driver", Severity.OK, "There is no NVIDIA GPU; the model computes on the processor."
        )
    else:
        yield from _torch_against_driver(facts)


def _torch_against_driver(facts: SystemFacts) -> Iterator[Finding]:
    build, driver = facts.torch, facts.driver or "of unknown version"
    if build is None:
        yield Finding(
            "GPU driver",
            Severity.PROBLEM,
            "torch is not installed.",
            "Nothing can be computed without it.",
            "pip install torch",
        )
    elif build.cuda is None:
        vram = sum(gpu.total_bytes for gpu in facts.gpus)
        yield Finding(
            "GPU driver",
            Severity.PROBLEM,
            f"torch {build.version} was built for processors only; the driver is {driver}.",
            f"The {format_size(vram)} of GPU memory stay unused.",
            f"pip install --force-reinstall torch=={build.version.partition('+')[0]}",
        )
    elif facts.driver_cuda is not None and _major(facts.driver_cuda) < _major(build.cuda):
        yield Finding(
            "GPU driver",
            Severity.PROBLEM,
            f"The driver {driver} runs CUDA {facts.driver_cuda}; torch {build.version} needs {build.cuda}.",
            "torch will not find the GPU, and the model computes on the processor, many times slower.",
            "sudo ubuntu-drivers install" if facts.platform == "linux" else None,
        )
    else:
        yield Finding(
            "GPU driver", Severity.OK, f"Driver {driver}, torch {build.version} for CUDA {build.cuda}."
        )


def _vram(facts: SystemFacts, needs: SystemNeeds) -> Iterator[Finding]:
    for gpu in facts.gpus:
        what = f"{gpu.name}: {format_size(gpu.free_bytes)} of {format_size(gpu.total_bytes)} are free."
        if needs.vram_bytes <= gpu.usable_bytes and not _notable(gpu):
            yield Finding("GPU memory", Severity.OK, what)
            continue
        others = "; ".join(
            f"{process.name} (pid {process.pid}) holds "
            + (format_size(process.used_bytes) if process.used_bytes is not None else "some of it")
            for process in gpu.processes
        )
        over = needs.vram_bytes - gpu.usable_bytes
        why = f"Other programs: {others}." if others else "No other program is known to hold memory."
        if over > 0:
            why += f" {format_size(over)} are missing for the plan."
        yield Finding("GPU memory", Severity.WARNING if over > 0 else Severity.HINT, what, why, _look(facts))


def _pcie(facts: SystemFacts, needs: SystemNeeds) -> Iterator[Finding]:
    for gpu in facts.gpus:
        now, most = gpu.pcie_now, gpu.pcie_max
        if now is None or most is None:
            continue
        what = f"{gpu.name} runs at {_link(now)} and can do {_link(most)}."
        if now.width < most.width:
            yield Finding("PCIe", Severity.WARNING, what, _cost(now, most, needs) + " Try another slot.")
        elif now.generation < most.generation:
            yield Finding(
                "PCIe",
                Severity.HINT,
                what,
                "At rest a GPU lowers its link; look again while an answer is written. If it stays: "
                + _cost(now, most, needs),
                "nvidia-smi --query-gpu=pcie.link.gen.current,pcie.link.width.current --format=csv -l 1",
            )
        else:
            yield Finding("PCIe", Severity.OK, what)


def _cost(now: PcieLink, most: PcieLink, needs: SystemNeeds) -> str:
    now_s = needs.streamed_bytes_per_token / now.bytes_per_s
    best_s = needs.streamed_bytes_per_token / most.bytes_per_s
    return f"each word part takes {now_s:.2f} s on the bus instead of {best_s:.2f} s.".capitalize()


def _link(link: PcieLink) -> str:
    return f"PCIe {link.generation}.0 ×{link.width} ({link.bytes_per_s / 1e9:.0f} GB/s)"


def _notable(gpu: Gpu) -> bool:
    return any((process.used_bytes or 0) >= _NOTABLE_BYTES for process in gpu.processes)


def _look(facts: SystemFacts) -> str | None:
    return "nvidia-smi" if facts.driver is not None else None


def _major(version: str) -> int:
    first = version.partition(".")[0]
    return int(first) if first.isdecimal() else 0


GPU_CHECKS = (_driver, _vram, _pcie)
