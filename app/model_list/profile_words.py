"""What a profile is for and what it sets."""

from PySide6.QtCore import QCoreApplication

from core.planning.profiles import Profile
from core.units import format_size


def profile_words(profile: Profile) -> str:
    """What it sets, in one sentence."""
    engine = profile.engine
    words = QCoreApplication.translate("ModelPage", "compression {codec}")
    parts = [words.format(codec=engine.kv_compression)]
    if engine.kv_hot_budget is not None:
        words = QCoreApplication.translate("ModelPage", "hot budget {size}")
        parts.append(words.format(size=format_size(engine.kv_hot_budget)))
    if engine.kv_active_window is not None:
        words = QCoreApplication.translate("ModelPage", "active window {count} tokens")
        parts.append(words.format(count=f"{engine.kv_active_window:,}"))
    words = QCoreApplication.translate("ModelPage", "chunks of {count} tokens")
    parts.append(words.format(count=f"{engine.prefill_chunk:,}"))
    if engine.kv_sharding_strategy != "none":
        parts.append(QCoreApplication.translate("ModelPage", "layers divided among GPUs"))
    joint = QCoreApplication.translate("ModelPage", ", ", "list")
    return QCoreApplication.translate("ModelPage", "Sets: {parts}.").format(parts=joint.join(parts))


def purpose_words(profile: Profile) -> str:
    """The machine that it was made for."""
    machine = profile.machine
    if machine is None:
        return QCoreApplication.translate(
            "ProfileWords", "For this computer as it is: Lectern chooses what is not set here."
        )
    ram = format_size(machine.ram_total_bytes)
    if not machine.gpus:
        words = QCoreApplication.translate("ProfileWords", "For a computer with {ram} of memory and no GPU.")
        return words.format(ram=ram)
    gpu = machine.gpus[0].name
    if len(machine.gpus) == 1:
        words = QCoreApplication.translate("ProfileWords", "For a computer with {ram} of memory and {gpu}.")
        return words.format(ram=ram, gpu=gpu)
    words = QCoreApplication.translate(
        "ProfileWords", "For a computer with {ram} of memory and {count} × {gpu}."
    )
    return words.format(ram=ram, count=len(machine.gpus), gpu=gpu)
