"""What is said of plans, profiles and settings."""

from PySide6.QtCore import QT_TRANSLATE_NOOP

PLANS = (
    QT_TRANSLATE_NOOP("CoreTexts", "Not enough GPUs"),
    QT_TRANSLATE_NOOP("CoreTexts", "No such GPU"),
    QT_TRANSLATE_NOOP("CoreTexts", "The model does not fit this machine"),
    QT_TRANSLATE_NOOP("CoreTexts", "The model may not fit this machine"),
    QT_TRANSLATE_NOOP(
        "CoreTexts",
        "{model} seems to need {needed}; {usable} can be used now. Its kind is not known well enough to stop "
        "it, so it is being loaded.",
    ),
    QT_TRANSLATE_NOOP("CoreTexts", "{model} needs {needed} of GPU memory; {usable} of it can be used now."),
    QT_TRANSLATE_NOOP("CoreTexts", "{model} needs {needed} of memory; {usable} of it can be used now."),
    QT_TRANSLATE_NOOP("CoreTexts", "The model does not fit the GPUs"),
    QT_TRANSLATE_NOOP("CoreTexts", "The model cannot be divided among GPUs"),
    QT_TRANSLATE_NOOP("CoreTexts", "Experts in host memory serve one GPU"),
    QT_TRANSLATE_NOOP("CoreTexts", "its attention reads something else than what its cache keeps"),
    QT_TRANSLATE_NOOP("CoreTexts", "it computes attention in code of its own, which the engine cannot reach"),
    QT_TRANSLATE_NOOP("CoreTexts", "its layers keep the past in a form that cannot be tiered"),
    QT_TRANSLATE_NOOP("CoreTexts", "it needs Python code from its own folder, which is never run"),
    QT_TRANSLATE_NOOP("CoreTexts", "no layer of it keeps keys and values that grow with the context"),
    QT_TRANSLATE_NOOP("CoreTexts", "{tokens} tokens need {needed}; the budget is {budget}."),
    QT_TRANSLATE_NOOP("CoreTexts", "The model's configuration is incomplete"),
    QT_TRANSLATE_NOOP(
        "CoreTexts",
        "Its config.json has no usable {key}, so nothing can be planned. Download it again or choose "
        "another model.",
    ),
    QT_TRANSLATE_NOOP("CoreTexts", "GPU {index} was asked for; {machine} has {count}, counted from 0."),
    QT_TRANSLATE_NOOP("CoreTexts", "{file} holds no configuration. Download it again."),
    QT_TRANSLATE_NOOP("CoreTexts", "The model cannot be read"),
    QT_TRANSLATE_NOOP("CoreTexts", "{file} is no complete GGUF file: {error}. Download it again."),
    QT_TRANSLATE_NOOP("CoreTexts", "The model's configuration is wrong"),
    QT_TRANSLATE_NOOP("CoreTexts", "It states {count} layers. Download it again or choose another model."),
    QT_TRANSLATE_NOOP(
        "CoreTexts",
        "It states {heads} KV heads with keys of {keys} and values of {values} numbers. Download it "
        "again or choose another model.",
    ),
    QT_TRANSLATE_NOOP("CoreTexts", "The list of models is damaged"),
    QT_TRANSLATE_NOOP("CoreTexts", "{file}: {error}. Reinstall Lectern."),
    QT_TRANSLATE_NOOP(
        "CoreTexts",
        "There is no {model}.{hint} A plan can be made for a folder with config.json, a .gguf file, "
        "{starter} and {names}.",
    ),
    QT_TRANSLATE_NOOP("CoreTexts", "No such profile"),
    QT_TRANSLATE_NOOP("CoreTexts", "There is no profile {name}; there are {names}."),
    QT_TRANSLATE_NOOP("CoreTexts", "The profile cannot be read"),
    QT_TRANSLATE_NOOP("CoreTexts", "{file} is too large to be a profile."),
    QT_TRANSLATE_NOOP("CoreTexts", "Not a name for a profile"),
    QT_TRANSLATE_NOOP("CoreTexts", "{name}: use letters, digits, dots, hyphens and underscores, 64 at most."),
    QT_TRANSLATE_NOOP("CoreTexts", "The profile cannot be saved"),
    QT_TRANSLATE_NOOP("CoreTexts", "The profile is wrong"),
    QT_TRANSLATE_NOOP("CoreTexts", "{file}: {key} must be a table."),
    QT_TRANSLATE_NOOP("CoreTexts", "{file} has an unknown key {prefix}{key}; there are {names}."),
    QT_TRANSLATE_NOOP("CoreTexts", "{file}: {prefix}{key} cannot be {value}; it must be {allowed}."),
    QT_TRANSLATE_NOOP("CoreTexts", "{file} has no machine.{key}."),
    QT_TRANSLATE_NOOP("CoreTexts", "{file} has no {prefix}{key}."),
    QT_TRANSLATE_NOOP("CoreTexts", "machine.gpus[{index}]."),
    QT_TRANSLATE_NOOP("CoreTexts", "This machine"),
    QT_TRANSLATE_NOOP("CoreTexts", "CPU only, 64 GB"),
    QT_TRANSLATE_NOOP("CoreTexts", "Two RTX 4090, 24 GB each"),
    QT_TRANSLATE_NOOP("CoreTexts", "The profile cannot be deleted"),
    QT_TRANSLATE_NOOP("CoreTexts", "There is no profile {name} of your own."),
    QT_TRANSLATE_NOOP("CoreTexts", "A built-in profile stays as it is"),
    QT_TRANSLATE_NOOP(
        "CoreTexts", "{name} comes with Lectern. Save it under another name and change that one."
    ),
    QT_TRANSLATE_NOOP("CoreTexts", "The name is taken"),
    QT_TRANSLATE_NOOP("CoreTexts", "There is a profile {name} already. Choose another name."),
    QT_TRANSLATE_NOOP("CoreTexts", "its code keeps the past in a cache of its own"),
    QT_TRANSLATE_NOOP(
        "CoreTexts",
        "its code chooses by computed numbers, so that it cannot be tried before its weights are loaded",
    ),
    QT_TRANSLATE_NOOP("CoreTexts", "it is a part of a larger model and cannot be loaded as a language model"),
    QT_TRANSLATE_NOOP(
        "CoreTexts",
        "its rotary positions are scaled dynamically, so that they change for everything already "
        "read whenever the text grows",
    ),
    QT_TRANSLATE_NOOP("CoreTexts", "it has no rotary positions that could be stretched"),
    QT_TRANSLATE_NOOP("CoreTexts", "it scales its positions itself, so that they cannot be stretched"),
)
