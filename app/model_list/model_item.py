"""The models that a list shows: the starter and the catalogue, with their plans, the best choice first."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from core.catalogue.bundled import CatalogueEntry, catalogue
from core.catalogue.downloaded import download_folder, is_downloaded
from core.catalogue.locate import STARTER_NAME
from core.catalogue.part_file import has_parts
from core.catalogue.starter import STARTER
from core.errors import UsageError
from core.planning.catalogue import CataloguePlan, plan_entry
from core.planning.machine import Machine
from core.planning.models import STARTER_MODEL
from core.planning.profiles import AUTO, Profile
from core.planning.recommend import recommended

_log = logging.getLogger(__name__)


class Availability(StrEnum):
    """`BEGUN` is a download that was stopped or cut; `HERE` can be used at once."""

    ABSENT = "absent"
    BEGUN = "begun"
    HERE = "here"


@dataclass(frozen=True)
class ModelItem:
    """`name` is what preferences keep; `size_bytes` is what is downloaded."""

    name: str
    plan: CataloguePlan
    size_bytes: int
    availability: Availability
    is_recommended: bool = False

    @property
    def entry(self) -> CatalogueEntry:
        return self.plan.entry

    @property
    def is_starter(self) -> bool:
        return self.name == STARTER_NAME


def model_items(machine: Machine, profile: Profile, models_dir: Path) -> tuple[ModelItem, ...]:
    """The starter, then the recommended model, what runs on `machine` with `profile`, and what does not.

    Looks at the disk and plans for every model: a tenth of a second, away from the window's thread.
    """
    plans = [_plan(entry, machine, profile) for entry in catalogue()]
    best = recommended(plans, profile, machine.disk_free_bytes)
    items = [_item(planned, models_dir, is_recommended=planned is best) for planned in plans]
    return tuple(sorted(items, key=_order))


def availability_of(entry: CatalogueEntry, models_dir: Path) -> Availability:
    folder = download_folder(entry.hub_id, models_dir)
    if is_downloaded(folder):
        return Availability.HERE
    return Availability.BEGUN if has_parts(folder) else Availability.ABSENT


def recommended_item(items: Sequence[ModelItem]) -> ModelItem:
    """The recommended model, the starter where there is none."""
    starter = next(item for item in items if item.is_starter)
    return next((item for item in items if item.is_recommended), starter)


def _plan(entry: CatalogueEntry, machine: Machine, profile: Profile) -> CataloguePlan:
    """With the choices of `profile`, or without any if they contradict each other."""
    try:
        return plan_entry(entry, machine, profile)
    except UsageError as error:
        _log.info("no plan with the profile %s: %s", profile.name, error)
        return plan_entry(entry, machine, Profile(AUTO, AUTO))


def _item(planned: CataloguePlan, models_dir: Path, *, is_recommended: bool) -> ModelItem:
    if planned.entry.name == STARTER_MODEL:
        return ModelItem(STARTER_NAME, planned, STARTER.size_bytes, Availability.HERE)
    availability = availability_of(planned.entry, models_dir)
    return ModelItem(
        planned.entry.name, planned, planned.download_bytes, availability, is_recommended=is_recommended
    )


def _order(item: ModelItem) -> tuple[bool, bool, bool, int]:
    return not item.is_starter, not item.is_recommended, not item.plan.can_run, item.size_bytes
