"""What the system check finds for an engine with given settings."""

from collections.abc import Sequence

from app.probes import Probes
from core.errors import LecternError
from core.paths import models_dir
from core.planning.loading import plan_loading
from core.planning.machine import Machine
from core.planning.models import find_geometry
from core.planning.needs import needs_of
from core.planning.system_check import check_system
from core.planning.system_facts import Finding, Severity, SystemFacts, SystemNeeds
from core.settings import EngineSettings

_GRAVEST_FIRST = (Severity.PROBLEM, Severity.WARNING, Severity.HINT, Severity.OK)


def find_for(settings: EngineSettings, probes: Probes) -> tuple[Finding, ...]:
    """Look at this machine, its disk included; takes a moment."""
    machine = probes.machine()
    return findings_of(settings, machine, probes.system(True))


def findings_of(
    settings: EngineSettings, machine: Machine, facts: SystemFacts, num_tokens: int | None = None
) -> tuple[Finding, ...]:
    """What is found with the plan for `num_tokens`; without a plan, for a model that needs nothing."""
    strategy, policy = settings.cpu_memory_strategy, settings.cpu_memory_policy
    try:
        geometry = find_geometry(settings.model, models_dir(settings.cache_root))
        plan = plan_loading(machine, geometry, settings, num_tokens, keeps_on_disk=True)
        needs = needs_of(plan, machine, strategy, policy)
    except LecternError:
        needs = SystemNeeds(0, 0, 0, 0, 0, strategy, policy)
    return check_system(facts, needs)


def gravest_first(findings: Sequence[Finding]) -> list[Finding]:
    return sorted(findings, key=lambda finding: _GRAVEST_FIRST.index(finding.severity))
