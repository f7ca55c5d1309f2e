"""What a plan needs of the system that it is to run on."""

from core.planning.machine import Machine
from core.planning.planner import Plan
from core.planning.system_facts import SystemNeeds


def needs_of(plan: Plan, machine: Machine, memory_strategy: str, memory_policy: str) -> SystemNeeds:
    """The bytes of `plan` by place, and how its host memory is wanted."""
    host, disk = plan.places["ram"], plan.places["disk"]
    return SystemNeeds(
        cold_bytes=host["cold KV"],
        ram_bytes=sum(host.values()),
        vram_bytes=max((sum(items.values()) for items in plan.assessment.vram_by_gpu), default=0),
        disk_bytes=sum(disk.values()),
        streamed_bytes_per_token=int(plan.assessment.estimate.copy_s * machine.speeds.pcie),
        memory_strategy=memory_strategy,
        memory_policy=memory_policy,
    )
