"""What is said of models."""

from PySide6.QtCore import QT_TRANSLATE_NOOP

MODELS = (
    QT_TRANSLATE_NOOP("CoreTexts", "A package is missing"),
    QT_TRANSLATE_NOOP("CoreTexts", "Model not found"),
    QT_TRANSLATE_NOOP("CoreTexts", "Not a GGUF file"),
    QT_TRANSLATE_NOOP("CoreTexts", "Not a model"),
    QT_TRANSLATE_NOOP("CoreTexts", "Not a model folder"),
    QT_TRANSLATE_NOOP("CoreTexts", "Not enough disk space"),
    QT_TRANSLATE_NOOP("CoreTexts", "Quantising needs a GPU"),
    QT_TRANSLATE_NOOP("CoreTexts", "Quantised experts cannot be kept in host memory"),
    QT_TRANSLATE_NOOP("CoreTexts", "The GGUF file cannot be read"),
    QT_TRANSLATE_NOOP("CoreTexts", "The engine cannot run this model"),
    QT_TRANSLATE_NOOP("CoreTexts", "The expert budget is too small"),
    QT_TRANSLATE_NOOP("CoreTexts", "The experts do not fit the compute device"),
    QT_TRANSLATE_NOOP("CoreTexts", "The model cannot be loaded"),
    QT_TRANSLATE_NOOP("CoreTexts", "The model could not be converted"),
    QT_TRANSLATE_NOOP("CoreTexts", "The model does not fit the GPU"),
    QT_TRANSLATE_NOOP("CoreTexts", "The model has no weights"),
    QT_TRANSLATE_NOOP("CoreTexts", "The model is damaged"),
    QT_TRANSLATE_NOOP("CoreTexts", "The model is incomplete"),
    QT_TRANSLATE_NOOP("CoreTexts", "The model is quantised already"),
    QT_TRANSLATE_NOOP("CoreTexts", "The model needs a GPU"),
    QT_TRANSLATE_NOOP("CoreTexts", "The model needs code of its own"),
    QT_TRANSLATE_NOOP("CoreTexts", "The model states no context length"),
    QT_TRANSLATE_NOOP("CoreTexts", "The model's positions cannot be scaled"),
    QT_TRANSLATE_NOOP("CoreTexts", "The starter model arrived damaged"),
    QT_TRANSLATE_NOOP("CoreTexts", "The starter model cannot be downloaded"),
    QT_TRANSLATE_NOOP("CoreTexts", "The starter model cannot be stored"),
    QT_TRANSLATE_NOOP("CoreTexts", "The starter model is missing"),
    QT_TRANSLATE_NOOP("CoreTexts", "Two ways to save memory that do not go together"),
    QT_TRANSLATE_NOOP("CoreTexts", "Unknown quantisation"),
    QT_TRANSLATE_NOOP(
        "CoreTexts", "{model} is neither a folder with config.json and safetensors nor a .gguf file."
    ),
    QT_TRANSLATE_NOOP("CoreTexts", "{folder} has no config.json."),
    QT_TRANSLATE_NOOP(
        "CoreTexts", "{folder} misses {count} of its weight files, the first is {file}. Download it again."
    ),
    QT_TRANSLATE_NOOP(
        "CoreTexts", "{folder} has neither model.safetensors nor model.safetensors.index.json."
    ),
    QT_TRANSLATE_NOOP("CoreTexts", "{file} cannot be read: {error}."),
    QT_TRANSLATE_NOOP("CoreTexts", "{file} cannot be read: {error}. Download it again."),
    QT_TRANSLATE_NOOP(
        "CoreTexts", "{count} of its weights are not in {folder}, the first is {name}. Download it again."
    ),
    QT_TRANSLATE_NOOP(
        "CoreTexts",
        "{folder} is damaged or not supported ({kind}: {error}). Download it again or choose another model.",
    ),
    QT_TRANSLATE_NOOP(
        "CoreTexts",
        "{file} is damaged or of an architecture that transformers does not read from GGUF ({kind}: "
        "{error}). Download it again or choose another model.",
    ),
    QT_TRANSLATE_NOOP("CoreTexts", "{file} does not begin as a GGUF file does. Choose another model."),
    QT_TRANSLATE_NOOP(
        "CoreTexts", "Writing to {folder} failed: {error}. Free some disk space and try again."
    ),
    QT_TRANSLATE_NOOP("CoreTexts", "Converting the model needs {needed} in {folder}; {free} are free."),
    QT_TRANSLATE_NOOP(
        "CoreTexts",
        "Architecture {architecture}: {reason}. Choose another model; Llama, Qwen, Gemma, Mistral, "
        "gpt-oss, Granite, OLMo and LFM models work.",
    ),
    QT_TRANSLATE_NOOP("CoreTexts", "{count} of its {total} attention layers do not use the shared interface"),
    QT_TRANSLATE_NOOP("CoreTexts", "its code failed in the trial run ({kind})"),
    QT_TRANSLATE_NOOP(
        "CoreTexts", "It has layers of a kind whose cache cannot be tiered: {kinds}. Choose another model."
    ),
    QT_TRANSLATE_NOOP("CoreTexts", "Its config.json has no max_position_embeddings."),
    QT_TRANSLATE_NOOP(
        "CoreTexts",
        "{name} ({architecture}) is no architecture that transformers knows; it brings Python code "
        "(auto_map in config.json), and code from model folders is never run here. Choose another model, "
        "or a newer release of Lectern.",
    ),
    QT_TRANSLATE_NOOP(
        "CoreTexts",
        "The model's weights are quantised in a way that transformers does not know ({method}). Choose "
        "another model.",
    ),
    QT_TRANSLATE_NOOP(
        "CoreTexts",
        "Its weights are quantised ({method}) for a GPU, and torch finds none. Choose a GGUF file or a "
        "plain folder.",
    ),
    QT_TRANSLATE_NOOP("CoreTexts", "The model's weights are quantised ({method}); reading them"),
    QT_TRANSLATE_NOOP("CoreTexts", "{what} needs {packages}. Install with: pip install {command}{extra}."),
    QT_TRANSLATE_NOOP("CoreTexts", ", or install Lectern with its extra gpu"),
    QT_TRANSLATE_NOOP(
        "CoreTexts",
        "The model's weights are {stored} on disk and {loaded} in memory, because they are dequantised.",
    ),
    QT_TRANSLATE_NOOP(
        "CoreTexts", "The experts could not be pinned in host memory, so they reach the GPU at a lower speed."
    ),
    QT_TRANSLATE_NOOP("CoreTexts", "This installation cannot fetch it. {by_hand}"),
    QT_TRANSLATE_NOOP(
        "CoreTexts",
        "It is fetched with pip, and {python} has none: run `{program} -m ensurepip` first. Or: {by_hand}",
    ),
    QT_TRANSLATE_NOOP("CoreTexts", "{reason} Or: {by_hand}"),
    QT_TRANSLATE_NOOP("CoreTexts", "There is no connection to the package index: go online and try again."),
    QT_TRANSLATE_NOOP("CoreTexts", "pip says: {error}. Is this machine online?"),
    QT_TRANSLATE_NOOP("CoreTexts", "nothing"),
    QT_TRANSLATE_NOOP(
        "CoreTexts",
        "Put the file {file} ({size} bytes, SHA-256 {sha256}; it is inside the Python package {package}) "
        "at {path}.",
    ),
    QT_TRANSLATE_NOOP(
        "CoreTexts",
        "{file} from {package} was not kept: {reason}. Try again; if this comes back, clear pip's cache "
        "with `pip cache purge`.",
    ),
    QT_TRANSLATE_NOOP("CoreTexts", "it holds {size} bytes instead of {expected}"),
    QT_TRANSLATE_NOOP("CoreTexts", "its SHA-256 is {found} instead of {expected}"),
    QT_TRANSLATE_NOOP("CoreTexts", "it has no rotary positions (rope)"),
    QT_TRANSLATE_NOOP("CoreTexts", "its full-attention layers have no rotary positions (rope)"),
    QT_TRANSLATE_NOOP("CoreTexts", "its code computes positions without regard to rope scaling"),
    QT_TRANSLATE_NOOP("CoreTexts", "its configuration already scales them ({kind})"),
    QT_TRANSLATE_NOOP("CoreTexts", "its configuration does not say how long a context it was trained on"),
)
