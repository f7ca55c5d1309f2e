"""What the first steps need to know about this computer; found out away from the window's thread."""

from dataclasses import dataclass

from app.engine_choices import engine_settings, profile_of
from app.model_list.model_item import ModelItem, model_items, recommended_item
from app.preferences import Preferences
from app.probes import Probes
from app.system_check.finding import findings_of, gravest_first
from core.paths import models_dir
from core.planning.machine import Machine
from core.planning.profiles import AUTO
from core.planning.system_facts import Finding, Severity


@dataclass(frozen=True)
class SetupLook:
    """`findings` are what should be mended for the model that would be recommended, gravest first."""

    machine: Machine
    recommended: ModelItem
    findings: tuple[Finding, ...]


def look(probes: Probes) -> SetupLook:
    machine, facts = probes.machine(), probes.system(False)
    profile = profile_of(AUTO)
    best = recommended_item(model_items(machine, profile, models_dir()))
    settings = engine_settings(Preferences(model=best.name), len(machine.gpus), profile)
    found = findings_of(settings, machine, facts, best.plan.plan.max_context or None)
    return SetupLook(
        machine,
        best,
        tuple(finding for finding in gravest_first(found) if finding.severity is not Severity.OK),
    )
