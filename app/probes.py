"""What is looked up about this machine; tests and pictures put machines of their own in its place."""

from collections.abc import Callable
from dataclasses import dataclass

from core.paths import cache_dir
from core.planning.machine import Machine
from core.planning.machine_probe import probe_machine
from core.planning.own_memory import own_ram_bytes, without_own
from core.planning.system_facts import SystemFacts
from core.planning.system_probe import probe_system
from core.telemetry import Sampler


def _this_machine() -> Machine:
    sampler = Sampler()
    try:
        return without_own(probe_machine(cache_dir()), own_ram_bytes(), sampler.read().gpus)
    finally:
        sampler.close()


def _this_system(measures_disk: bool) -> SystemFacts:
    return probe_system(cache_dir(), measures_disk=measures_disk)


@dataclass(frozen=True)
class Probes:
    """Both take a moment and are called away from the window's thread.

    `machine` is as if this program held no memory: a model makes room for the next one. `system` takes
    whether the speed of the disk is measured, which writes to it.
    """

    machine: Callable[[], Machine] = _this_machine
    system: Callable[[bool], SystemFacts] = _this_system
