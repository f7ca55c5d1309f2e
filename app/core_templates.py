"""Every text that `core` can say to a user of the window, with `{names}` in place of what varies.

A test compares them with the source of `core`. The first argument of QT_TRANSLATE_NOOP is the context of the
translation; lupdate needs it spelled out.
"""

from PySide6.QtCore import QT_TRANSLATE_NOOP

UNEXPECTED_TITLE = "Something went wrong in Lectern"
UNEXPECTED_MESSAGE = "The step was not finished; your document is unchanged. The details are in the log file."

PARTS = frozenset({"by_hand", "extra", "fallback", "hint", "memory", "others", "reason", "what", "where"})
"""The names whose values are texts of `core` themselves."""

_PROGRAM = (
    QT_TRANSLATE_NOOP("CoreTexts", "Something went wrong in Lectern"),
    QT_TRANSLATE_NOOP(
        "CoreTexts", "The step was not finished; your document is unchanged. The details are in the log file."
    ),
    QT_TRANSLATE_NOOP(
        "CoreTexts", "The document could not be read because of an error in the program; see its log."
    ),
)

_DOCUMENTS = (
    QT_TRANSLATE_NOOP("CoreTexts", "All pages are blank."),
    QT_TRANSLATE_NOOP("CoreTexts", "Cannot be opened"),
    QT_TRANSLATE_NOOP("CoreTexts", "Cannot be read"),
    QT_TRANSLATE_NOOP("CoreTexts", "Damaged file"),
    QT_TRANSLATE_NOOP("CoreTexts", "Empty file"),
    QT_TRANSLATE_NOOP("CoreTexts", "File cannot be read"),
    QT_TRANSLATE_NOOP("CoreTexts", "File not found"),
    QT_TRANSLATE_NOOP("CoreTexts", "No pages"),
    QT_TRANSLATE_NOOP("CoreTexts", "No sample document"),
    QT_TRANSLATE_NOOP("CoreTexts", "No such page"),
    QT_TRANSLATE_NOOP("CoreTexts", "No such pages"),
    QT_TRANSLATE_NOOP("CoreTexts", "No text to read"),
    QT_TRANSLATE_NOOP("CoreTexts", "Not a PDF"),
    QT_TRANSLATE_NOOP("CoreTexts", "Not a file"),
    QT_TRANSLATE_NOOP("CoreTexts", "Page cannot be shown"),
    QT_TRANSLATE_NOOP("CoreTexts", "Password needed"),
    QT_TRANSLATE_NOOP("CoreTexts", "Takes too long"),
    QT_TRANSLATE_NOOP("CoreTexts", "Unknown encryption"),
    QT_TRANSLATE_NOOP("CoreTexts", "Wrong password"),
    QT_TRANSLATE_NOOP(
        "CoreTexts",
        "“{name}” could not be opened in time, or it breaks the reader. It is probably damaged; open it "
        "in another PDF program and save a copy.",
    ),
    QT_TRANSLATE_NOOP(
        "CoreTexts",
        "“{name}” could not be read ({error}). It is probably damaged; open it in another PDF program "
        "and save a copy.",
    ),
    QT_TRANSLATE_NOOP("CoreTexts", "“{name}” cannot be read: {error}. Check its permissions."),
    QT_TRANSLATE_NOOP(
        "CoreTexts",
        "“{name}” is damaged and could not be repaired. Get the file again from where it came from, or "
        "open it in another PDF program and save a copy.",
    ),
    QT_TRANSLATE_NOOP(
        "CoreTexts", "“{name}” is empty (0 bytes). Get the file again from where it came from."
    ),
    QT_TRANSLATE_NOOP(
        "CoreTexts",
        "“{name}” is encrypted in a way that cannot be read here. Save a copy without encryption in the "
        "program it was made with, then open the copy.",
    ),
    QT_TRANSLATE_NOOP(
        "CoreTexts",
        "“{name}” is encrypted in a way that cannot be read here, or it is damaged. Save a copy without "
        "encryption in another PDF program, then open the copy.",
    ),
    QT_TRANSLATE_NOOP("CoreTexts", "“{name}” is encrypted. Enter its password to open it."),
    QT_TRANSLATE_NOOP(
        "CoreTexts",
        "The password does not open “{name}”. Check capital letters and the keyboard layout, then try again.",
    ),
    QT_TRANSLATE_NOOP("CoreTexts", "“{name}” does not exist. Check the name, or whether it was moved."),
    QT_TRANSLATE_NOOP(
        "CoreTexts", "“{name}” is not a PDF file. Save or print it as PDF first, then open that."
    ),
    QT_TRANSLATE_NOOP(
        "CoreTexts",
        "“{name}” begins like a PDF file but holds none. Get the file again from where it came from.",
    ),
    QT_TRANSLATE_NOOP(
        "CoreTexts",
        "“{name}” is a PDF without a single page. It is probably damaged; try to get the file again from "
        "where it came from.",
    ),
    QT_TRANSLATE_NOOP("CoreTexts", "“{name}” is a folder. Choose a PDF file inside it."),
    QT_TRANSLATE_NOOP(
        "CoreTexts",
        "The pages hold images only: this is a scan. It needs text recognition (OCR) before it can be asked.",
    ),
    QT_TRANSLATE_NOOP("CoreTexts", "None of the pages chosen has text. Choose other pages."),
    QT_TRANSLATE_NOOP("CoreTexts", "The document has {pages} pages; ask for pages 1 to {last}."),
    QT_TRANSLATE_NOOP(
        "CoreTexts",
        "Page {page} of “{name}” could not be drawn in time. It is probably damaged; the other pages can "
        "still be shown.",
    ),
    QT_TRANSLATE_NOOP(
        "CoreTexts", "Page {page} could not be read because {reason}. The other pages were read."
    ),
    QT_TRANSLATE_NOOP("CoreTexts", "it is damaged"),
    QT_TRANSLATE_NOOP("CoreTexts", "it needs more memory than there is"),
    QT_TRANSLATE_NOOP("CoreTexts", "it takes too long or breaks the reader"),
    QT_TRANSLATE_NOOP(
        "CoreTexts", "The file is damaged and was repaired while it was opened; parts of it may be missing."
    ),
    QT_TRANSLATE_NOOP(
        "CoreTexts",
        "The author of this file does not permit copying its text. You may read and ask here; respect "
        "that wish when you pass text on.",
    ),
    QT_TRANSLATE_NOOP(
        "CoreTexts", "This page is a picture without text. It can be read with text recognition (OCR)."
    ),
    QT_TRANSLATE_NOOP("CoreTexts", "This page is damaged: nothing of it can be read or shown."),
    QT_TRANSLATE_NOOP("CoreTexts", "This page has no text."),
    QT_TRANSLATE_NOOP(
        "CoreTexts",
        "{share} % of the characters on this page have no readable meaning; its fonts are damaged. Read "
        "this page with text recognition (OCR).",
    ),
)

_ANSWERS = (
    QT_TRANSLATE_NOOP("CoreTexts", "No question"),
    QT_TRANSLATE_NOOP("CoreTexts", "No room for an answer"),
    QT_TRANSLATE_NOOP("CoreTexts", "Nothing to answer again"),
    QT_TRANSLATE_NOOP("CoreTexts", "Not enough memory"),
    QT_TRANSLATE_NOOP("CoreTexts", "Out of memory"),
    QT_TRANSLATE_NOOP("CoreTexts", "The compute device failed"),
    QT_TRANSLATE_NOOP("CoreTexts", "The document is too long for this model"),
    QT_TRANSLATE_NOOP("CoreTexts", "The sequence is longer than the model's context"),
    QT_TRANSLATE_NOOP("CoreTexts", "Write a question first."),
    QT_TRANSLATE_NOOP("CoreTexts", "Ask a question first."),
    QT_TRANSLATE_NOOP(
        "CoreTexts",
        "Documents, conversation and question are {tokens} tokens and {model} takes {limit}. Start a new "
        "conversation or ask shorter.",
    ),
    QT_TRANSLATE_NOOP(
        "CoreTexts",
        "Even its first page does not fit into the {limit} tokens of {model}. Choose a model with a "
        "longer context.",
    ),
    QT_TRANSLATE_NOOP("CoreTexts", "{tokens} tokens were asked for; {model} reads {limit}."),
    QT_TRANSLATE_NOOP("CoreTexts", "The cache of {tokens} tokens"),
    QT_TRANSLATE_NOOP("CoreTexts", "The next part of the cache"),
    QT_TRANSLATE_NOOP(
        "CoreTexts",
        "This answer was made in sparse mode: for each word the model looked at the {budget} tokens of the "
        "document that seemed to matter most, not at all of them. Ask again in exact mode to be sure.",
    ),
    QT_TRANSLATE_NOOP("CoreTexts", "The answer ends early: the limit of new tokens was reached."),
    QT_TRANSLATE_NOOP("CoreTexts", "The answer ends early: the model's context is full."),
)

_MODELS = (
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

_CACHE = (
    QT_TRANSLATE_NOOP("CoreTexts", "No GPU"),
    QT_TRANSLATE_NOOP("CoreTexts", "The active window does not fit the hot budget"),
    QT_TRANSLATE_NOOP("CoreTexts", "The hot tier is full"),
    QT_TRANSLATE_NOOP("CoreTexts", "Unknown KV compression"),
    QT_TRANSLATE_NOOP("CoreTexts", "{name}: there are {choices}."),
    QT_TRANSLATE_NOOP("CoreTexts", "{count} slots were asked for and {free} are free."),
    QT_TRANSLATE_NOOP(
        "CoreTexts",
        "Part of the cache could not be pinned for the GPU ({error}): it is read at a lower speed.",
    ),
    QT_TRANSLATE_NOOP(
        "CoreTexts", "The system refused transparent huge pages ({error}): the cache uses ordinary memory."
    ),
    QT_TRANSLATE_NOOP("CoreTexts", "Huge pages were asked for and {reason}: {fallback}"),
    QT_TRANSLATE_NOOP("CoreTexts", "{reason}: the cache uses {memory}."),
    QT_TRANSLATE_NOOP("CoreTexts", "the cache uses {memory}."),
    QT_TRANSLATE_NOOP("CoreTexts", "ordinary memory with transparent huge pages"),
    QT_TRANSLATE_NOOP("CoreTexts", "ordinary memory"),
    QT_TRANSLATE_NOOP("CoreTexts", "Pinned memory was asked for and the model runs on no CUDA GPU"),
    QT_TRANSLATE_NOOP("CoreTexts", "Transparent huge pages were asked for and this system has none"),
    QT_TRANSLATE_NOOP(
        "CoreTexts",
        "Transparent huge pages were asked for and are switched off "
        "(/sys/kernel/mm/transparent_hugepage/enabled)",
    ),
    QT_TRANSLATE_NOOP("CoreTexts", "this system has none"),
    QT_TRANSLATE_NOOP("CoreTexts", "those of {size} are too large to give back in parts"),
    QT_TRANSLATE_NOOP("CoreTexts", "none are reserved (vm.nr_hugepages is 0)"),
    QT_TRANSLATE_NOOP(
        "CoreTexts", "of the {total} reserved (vm.nr_hugepages) {free} were left when {needed} were needed"
    ),
    QT_TRANSLATE_NOOP("CoreTexts", "the system refused them ({error})"),
    QT_TRANSLATE_NOOP("CoreTexts", "The cache is not bound to one NUMA node: {reason}."),
    QT_TRANSLATE_NOOP("CoreTexts", "node {node} is full, so part of the cache lies elsewhere"),
    QT_TRANSLATE_NOOP("CoreTexts", "the system does not allow it ({error})"),
)

_PLANS = (
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
)

_FINDINGS = (
    QT_TRANSLATE_NOOP("CoreTexts", "The driver does not answer: {error}."),
    QT_TRANSLATE_NOOP("CoreTexts", "Without it the model computes on the processor, many times slower."),
    QT_TRANSLATE_NOOP("CoreTexts", "There is no NVIDIA GPU; the model computes on the processor."),
    QT_TRANSLATE_NOOP("CoreTexts", "torch is not installed."),
    QT_TRANSLATE_NOOP("CoreTexts", "Nothing can be computed without it."),
    QT_TRANSLATE_NOOP("CoreTexts", "torch {version} was built for processors only; the driver is {driver}."),
    QT_TRANSLATE_NOOP("CoreTexts", "The {size} of GPU memory stay unused."),
    QT_TRANSLATE_NOOP("CoreTexts", "The driver {driver} runs CUDA {cuda}; torch {version} needs {needed}."),
    QT_TRANSLATE_NOOP(
        "CoreTexts",
        "torch will not find the GPU, and the model computes on the processor, many times slower.",
    ),
    QT_TRANSLATE_NOOP("CoreTexts", "Driver {driver}, torch {version} for CUDA {cuda}."),
    QT_TRANSLATE_NOOP("CoreTexts", "{gpu}: {free} of {total} are free."),
    QT_TRANSLATE_NOOP("CoreTexts", "Other programs: {others}."),
    QT_TRANSLATE_NOOP("CoreTexts", "Other programs: {others}. {size} are missing for the plan."),
    QT_TRANSLATE_NOOP("CoreTexts", "No other program is known to hold memory."),
    QT_TRANSLATE_NOOP(
        "CoreTexts", "No other program is known to hold memory. {size} are missing for the plan."
    ),
    QT_TRANSLATE_NOOP("CoreTexts", "{program} (pid {pid}) holds some of it"),
    QT_TRANSLATE_NOOP("CoreTexts", "{program} (pid {pid}) holds {size}"),
    QT_TRANSLATE_NOOP("CoreTexts", "{gpu} runs at {now} and can do {most}."),
    QT_TRANSLATE_NOOP(
        "CoreTexts", "Each word part takes {now} s on the bus instead of {best} s. Try another slot."
    ),
    QT_TRANSLATE_NOOP(
        "CoreTexts",
        "At rest a GPU lowers its link; look again while an answer is written. If it stays: Each "
        "word part takes {now} s on the bus instead of {best} s.",
    ),
    QT_TRANSLATE_NOOP("CoreTexts", "{available} of {total} are available."),
    QT_TRANSLATE_NOOP(
        "CoreTexts",
        "The plan needs {needed} and {headroom} should stay free, which is {over} too much: a "
        "machine whose memory is full hangs. Close other programs.",
    ),
    QT_TRANSLATE_NOOP("CoreTexts", "{size} of memory were moved to disk."),
    QT_TRANSLATE_NOOP(
        "CoreTexts",
        "Memory is short already: what comes back from disk takes about {duration} at 1 GB/s. Close "
        "programs, then empty the swap.",
    ),
    QT_TRANSLATE_NOOP("CoreTexts", "There is no swap."),
    QT_TRANSLATE_NOOP(
        "CoreTexts", "When the {size} of memory are full, the system ends programs without asking."
    ),
    QT_TRANSLATE_NOOP("CoreTexts", "{size} of swap are in use."),
    QT_TRANSLATE_NOOP(
        "CoreTexts",
        "{free} reserved huge pages are free (vm.nr_hugepages is {total}); the cache needs {needed}.",
    ),
    QT_TRANSLATE_NOOP("CoreTexts", "The {size} of the cache would lie in ordinary memory instead."),
    QT_TRANSLATE_NOOP("CoreTexts", "{count} are reserved ({size}), enough."),
    QT_TRANSLATE_NOOP(
        "CoreTexts", "{count} reserved huge pages are unused and the cache does not ask for them."
    ),
    QT_TRANSLATE_NOOP("CoreTexts", "{size} of memory are closed to all other programs."),
    QT_TRANSLATE_NOOP("CoreTexts", "They are switched off."),
    QT_TRANSLATE_NOOP(
        "CoreTexts",
        "The cache of {size} lies in {count} pages of 4 KiB, and filling and pinning each costs time.",
    ),
    QT_TRANSLATE_NOOP("CoreTexts", "They are on ({mode})."),
    QT_TRANSLATE_NOOP("CoreTexts", "A program may lock {limit} of memory; the cache is {size}."),
    QT_TRANSLATE_NOOP(
        "CoreTexts",
        "Some drivers count memory that is pinned for the GPU against this limit. Unpinned memory is "
        "read two to three times slower: {size} cross the bus for each word part. The command takes "
        "effect at the next login.",
    ),
    QT_TRANSLATE_NOOP("CoreTexts", "There is no limit on locked memory."),
    QT_TRANSLATE_NOOP("CoreTexts", "Up to {size} may be locked."),
    QT_TRANSLATE_NOOP("CoreTexts", "This machine has {count} memory nodes."),
    QT_TRANSLATE_NOOP(
        "CoreTexts",
        "Cache on the node far from the GPU is read more slowly: about {far} s instead of {near} s "
        "for each word part.",
    ),
    QT_TRANSLATE_NOOP(
        "CoreTexts", "vm.overcommit_memory is 2 and only {size} may still be promised to programs."
    ),
    QT_TRANSLATE_NOOP(
        "CoreTexts", "The plan needs {size}: the system would refuse it although memory is free."
    ),
    QT_TRANSLATE_NOOP("CoreTexts", "vm.overcommit_memory is {mode}."),
    QT_TRANSLATE_NOOP("CoreTexts", "{free} are free in {folder}."),
    QT_TRANSLATE_NOOP("CoreTexts", "{folder} takes {speed} a second."),
    QT_TRANSLATE_NOOP("CoreTexts", "No language data was found."),
    QT_TRANSLATE_NOOP(
        "CoreTexts",
        "Scanned pages have no text for the model: of a document that is only scans it reads 0 bytes.",
    ),
    QT_TRANSLATE_NOOP("CoreTexts", "Languages: {names}."),
    QT_TRANSLATE_NOOP("CoreTexts", "{what} Only {room} may still be promised to programs."),
    QT_TRANSLATE_NOOP("CoreTexts", "The page file is {size}."),
    QT_TRANSLATE_NOOP(
        "CoreTexts",
        "Windows promises no memory that it could not back: the plan needs {needed}, {missing} more.",
    ),
    QT_TRANSLATE_NOOP("CoreTexts", "{strategy} does not exist on Windows: the cache uses ordinary memory."),
    QT_TRANSLATE_NOOP("CoreTexts", "The {size} of the cache lie in pages of 4 KiB; answers stay the same."),
    QT_TRANSLATE_NOOP("CoreTexts", "The cache uses ordinary memory, as always on Windows."),
    QT_TRANSLATE_NOOP(
        "CoreTexts", "With {where} pinned memory is scarce and may be charged against the memory of the GPU."
    ),
    QT_TRANSLATE_NOOP("CoreTexts", "the Linux subsystem"),
    QT_TRANSLATE_NOOP("CoreTexts", "a GPU that also drives the desktop (WDDM)"),
    QT_TRANSLATE_NOOP(
        "CoreTexts",
        "Up to {size} could be missing on the GPU. Left to itself (auto) the cache is not pinned here.",
    ),
    QT_TRANSLATE_NOOP("CoreTexts", "The GPU runs without a desktop (TCC)."),
)

_DOWNLOADS = (
    QT_TRANSLATE_NOOP("CoreTexts", "Not the name of a model"),
    QT_TRANSLATE_NOOP("CoreTexts", "{model} has not the form organisation/name."),
    QT_TRANSLATE_NOOP("CoreTexts", "The model cannot be stored"),
    QT_TRANSLATE_NOOP("CoreTexts", "The model is being downloaded already"),
    QT_TRANSLATE_NOOP("CoreTexts", "Another Lectern writes to {folder}. Wait until it is done."),
    QT_TRANSLATE_NOOP("CoreTexts", "The publisher wants to be asked first"),
    QT_TRANSLATE_NOOP(
        "CoreTexts",
        "{model} is given only to people who have accepted its terms. Open {server}/{page} in a browser, log "
        "in and accept them; then {hint}",
    ),
    QT_TRANSLATE_NOOP(
        "CoreTexts",
        "create a token at {server}/settings/tokens, set it as the environment variable HF_TOKEN and try "
        "again.",
    ),
    QT_TRANSLATE_NOOP(
        "CoreTexts",
        "{server} shows no model {model} to strangers. {reason}Check the spelling. If the model is private "
        "or has terms to accept, {hint}",
    ),
    QT_TRANSLATE_NOOP("CoreTexts", "The token in HF_TOKEN may be wrong or expired. "),
    QT_TRANSLATE_NOOP(
        "CoreTexts",
        "There is no {model} on {server}, or a file of it is gone. Check the spelling: it is "
        "organisation/name, as in the address of the model's page.",
    ),
    QT_TRANSLATE_NOOP("CoreTexts", "Too many requests"),
    QT_TRANSLATE_NOOP("CoreTexts", "{server} asks for a pause. Wait some minutes; what has come is kept."),
    QT_TRANSLATE_NOOP("CoreTexts", "The server failed"),
    QT_TRANSLATE_NOOP(
        "CoreTexts", "{server} answered with status {status}. Try again later; what has come is kept."
    ),
    QT_TRANSLATE_NOOP("CoreTexts", "No connection to the model server"),
    QT_TRANSLATE_NOOP("CoreTexts", "HF_HUB_OFFLINE forbids it"),
    QT_TRANSLATE_NOOP("CoreTexts", "the server sent less than it announced"),
    QT_TRANSLATE_NOOP("CoreTexts", "Not a model that Lectern can load"),
    QT_TRANSLATE_NOOP("CoreTexts", "The server's answer cannot be read"),
    QT_TRANSLATE_NOOP(
        "CoreTexts",
        "{server} does not describe {model} as a Hugging Face Hub does. Check HF_ENDPOINT and the network: a "
        "log-in page of a public network may have answered.",
    ),
    QT_TRANSLATE_NOOP("CoreTexts", "The download is damaged"),
)

_LIMITS = (
    QT_TRANSLATE_NOOP("CoreTexts", "The model is not on this machine"),
    QT_TRANSLATE_NOOP("CoreTexts", "The download is not complete"),
    QT_TRANSLATE_NOOP("CoreTexts", "the compute device refused it"),
    QT_TRANSLATE_NOOP(
        "CoreTexts",
        "This answer was made in window mode: the model saw only the beginning of the document and the "
        "newest {window} tokens. Of a document longer than that, most was not looked at. Ask again in exact "
        "mode to be sure.",
    ),
    QT_TRANSLATE_NOOP("CoreTexts", "The model's numbers overflowed"),
    QT_TRANSLATE_NOOP(
        "CoreTexts",
        "Memory ran out while this answer was prepared, so the text was read in steps of {tokens} tokens. "
        "Nothing was left out; it took longer.",
    ),
    QT_TRANSLATE_NOOP(
        "CoreTexts",
        "Memory ran out while this answer was prepared, so {size} of the hot tier were given back. Nothing "
        "was left out; it took longer.",
    ),
    QT_TRANSLATE_NOOP(
        "CoreTexts",
        "Its rotary positions are scaled dynamically: they change for all that was already read whenever the "
        "text grows, so that nothing of it could be kept. Choose another model, or set rope_type to default "
        "in its config.json: it then reads up to {tokens} tokens.",
    ),
)

TEMPLATES = tuple(
    str(text)
    for text in (
        *_PROGRAM,
        *_DOCUMENTS,
        *_ANSWERS,
        *_MODELS,
        *_CACHE,
        *_DOWNLOADS,
        *_LIMITS,
        *_PLANS,
        *_FINDINGS,
    )
)

_REWORDED = (
    (
        (" It is not on this machine: lectern models get {download} downloads it."),
        QT_TRANSLATE_NOOP("CoreTexts", " It is not on this machine."),
    ),
    (
        ("Download {model} with: lectern models get {name}"),
        QT_TRANSLATE_NOOP("CoreTexts", "Download {model} in the settings, under “Profile and model”."),
    ),
    (
        ("{model} is only in part on this machine. Go on with: lectern models get {name}"),
        QT_TRANSLATE_NOOP(
            "CoreTexts",
            "{model} is only in part on this machine. Go on with it in the settings, under “Profile and "
            "model”.",
        ),
    ),
    (
        (
            "{file}: {error}. Free some space or choose another folder with --cache-dir or "
            "LECTERN_CACHE_DIR; what has come is kept."
        ),
        QT_TRANSLATE_NOOP(
            "CoreTexts",
            "{file}: {error}. Free some space or choose another folder with the environment variable "
            "LECTERN_CACHE_DIR; what has come is kept.",
        ),
    ),
    (
        (
            "{server} cannot be reached ({reason}). Check the connection and run the command again: what has "
            "come is kept. Models that are on this machine work without a connection."
        ),
        QT_TRANSLATE_NOOP(
            "CoreTexts",
            "{server} cannot be reached ({reason}). Check the connection and try again: what has come is "
            "kept. Models that are on this machine work without a connection.",
        ),
    ),
    (
        (
            "{model} needs {needed} more in {folder}; {free} are free. Free some space, or choose another "
            "folder with --cache-dir or LECTERN_CACHE_DIR."
        ),
        QT_TRANSLATE_NOOP(
            "CoreTexts",
            "{model} needs {needed} more in {folder}; {free} are free. Free some space, or choose another "
            "folder with the environment variable LECTERN_CACHE_DIR.",
        ),
    ),
    (
        (
            "{model} has no config.json with safetensors weights. Pickled weights are never downloaded; a "
            "GGUF file can be downloaded by hand and named with --model."
        ),
        QT_TRANSLATE_NOOP(
            "CoreTexts",
            "{model} has no config.json with safetensors weights. Pickled weights are never downloaded; a "
            "GGUF file can be downloaded by hand and chosen in the settings.",
        ),
    ),
    (
        (
            "{file} came with a wrong checksum and was removed. Run the command again: only this file is "
            "downloaded anew."
        ),
        QT_TRANSLATE_NOOP(
            "CoreTexts",
            "{file} came with a wrong checksum and was removed. Try again: only this file is downloaded "
            "anew.",
        ),
    ),
    (
        (
            "There is no {model}. Name a folder with config.json and safetensors files, a .gguf file, "
            "{starter}, or a model that `lectern models list` shows."
        ),
        QT_TRANSLATE_NOOP(
            "CoreTexts",
            "There is no {model}. Choose a folder with config.json and safetensors files, a .gguf file, or "
            "{starter} in the settings.",
        ),
    ),
    (
        (
            "{error} ({file}). It needs about 200 MB in {folder}: free some space, or choose another folder "
            "with --cache-dir or LECTERN_CACHE_DIR."
        ),
        QT_TRANSLATE_NOOP(
            "CoreTexts",
            "{error} ({file}). It needs about 200 MB in {folder}: free some space, or name another folder in "
            "the environment variable LECTERN_CACHE_DIR.",
        ),
    ),
    (
        ("“{name}” could not be read within {seconds} seconds. Read fewer pages at a time."),
        QT_TRANSLATE_NOOP(
            "CoreTexts",
            "“{name}” could not be read within {seconds} seconds. Split it with another PDF program and open "
            "the parts.",
        ),
    ),
    (
        ("{file} is missing. Reinstall Lectern, or name a document."),
        QT_TRANSLATE_NOOP(
            "CoreTexts", "{file} is missing. Reinstall Lectern, or open a document of your own."
        ),
    ),
    (
        ("{file} cannot be read ({error}). Reinstall Lectern, or name a document."),
        QT_TRANSLATE_NOOP(
            "CoreTexts", "{file} cannot be read ({error}). Reinstall Lectern, or open a document of your own."
        ),
    ),
    (
        (
            "Its {pages} pages are {tokens} tokens; {model} reads {limit} at most, question and answer "
            "included. Nothing was cut. Choose a model with a longer context, or fewer pages (--pages "
            "1-{fitting} would fit)."
        ),
        QT_TRANSLATE_NOOP(
            "CoreTexts",
            "Its {pages} pages are {tokens} tokens; {model} reads {limit} at most, question and answer "
            "included. Nothing was cut. Choose a model with a longer context in the settings; the first "
            "{fitting} pages would fit this one.",
        ),
    ),
    (
        (
            "{what} needs {needed}; {usable} of this machine's {total} can be used now. Close other programs "
            "or choose fewer pages."
        ),
        QT_TRANSLATE_NOOP(
            "CoreTexts",
            "{what} needs {needed}; {usable} of this machine's {total} can be used now. Close other programs "
            "or open a shorter document.",
        ),
    ),
    (
        ("The system refused {size} for the cache ({error}). Close other programs or choose fewer pages."),
        QT_TRANSLATE_NOOP(
            "CoreTexts",
            "The system refused {size} for the cache ({error}). Close other programs or open a shorter "
            "document.",
        ),
    ),
    (
        (
            "The compute device ran out of memory. Lower the prefill chunk or the hot budget, or close other "
            "programs that use it; your document and conversation are kept."
        ),
        QT_TRANSLATE_NOOP(
            "CoreTexts",
            "The compute device ran out of memory. Close other programs that use it, or choose a smaller "
            "model in the settings; your document and conversation are kept.",
        ),
    ),
    (
        (
            "The KV cache was asked for on a GPU and torch finds none. Choose --kv-cache-device auto, or "
            "check the driver."
        ),
        QT_TRANSLATE_NOOP(
            "CoreTexts",
            "The KV cache was asked for on a GPU and torch finds none. Let Lectern choose its place, or "
            "check the driver.",
        ),
    ),
    (
        (
            "{tokens} tokens need {needed}; the budget is {budget}. Raise --kv-hot-budget or lower "
            "--kv-active-window."
        ),
        QT_TRANSLATE_NOOP(
            "CoreTexts",
            "{tokens} tokens need {needed}; the budget is {budget}. Raise the hot budget or lower the active "
            "window.",
        ),
    ),
    (
        (
            "Its weights are larger than the free memory of the GPU. Choose a smaller model, --quantization "
            "nf4, or, for a mixture of experts, --expert-budget."
        ),
        QT_TRANSLATE_NOOP(
            "CoreTexts",
            "Its weights are larger than the free memory of the GPU. Close other programs that use it, or "
            "choose a smaller model.",
        ),
    ),
    (
        ("One expert takes {size}; the budget is {budget}. Raise --expert-budget."),
        QT_TRANSLATE_NOOP(
            "CoreTexts", "One expert takes {size}; the budget is {budget}. Raise the expert budget."
        ),
    ),
    (
        ("{size} were asked for. Lower --expert-budget."),
        QT_TRANSLATE_NOOP("CoreTexts", "{size} were asked for. Lower the expert budget."),
    ),
    (
        ("The model has no experts that could be kept in host memory: --expert-budget does nothing."),
        QT_TRANSLATE_NOOP(
            "CoreTexts",
            "The model has no experts that could be kept in host memory: the expert budget does nothing.",
        ),
    ),
    (
        ("Without a GPU --expert-budget saves nothing and costs copies."),
        QT_TRANSLATE_NOOP("CoreTexts", "Without a GPU the expert budget saves nothing and costs copies."),
    ),
    (
        (
            "The model's weights are quantised ({method}); --expert-budget works with plain weights. Leave "
            "it out."
        ),
        QT_TRANSLATE_NOOP(
            "CoreTexts",
            "The model's weights are quantised ({method}); the expert budget works with plain weights. Leave "
            "it out.",
        ),
    ),
    (
        ("Its weights are stored as {method}; --quantization {kind} works with plain weights. Leave it out."),
        QT_TRANSLATE_NOOP(
            "CoreTexts",
            "Its weights are stored as {method}; quantisation to {kind} works with plain weights. Leave it "
            "out.",
        ),
    ),
    (
        ("--quantization and --expert-budget both change where weights lie. Choose one of them."),
        QT_TRANSLATE_NOOP(
            "CoreTexts",
            "Quantisation and the expert budget both change where weights lie. Choose one of them.",
        ),
    ),
    (
        (
            "--quantization {kind} works on an NVIDIA GPU, and torch finds none. Leave it out, or choose a "
            "model that is small enough."
        ),
        QT_TRANSLATE_NOOP(
            "CoreTexts",
            "Quantisation to {kind} works on an NVIDIA GPU, and torch finds none. Leave it out, or choose a "
            "model that is small enough.",
        ),
    ),
    (
        ("--quantization {kind}"),
        QT_TRANSLATE_NOOP("CoreTexts", "Quantisation to {kind}"),
    ),
    (
        ("--rope-scaling does not work with this model: {reason}. Leave it out."),
        QT_TRANSLATE_NOOP("CoreTexts", "Rope scaling does not work with this model: {reason}. Leave it out."),
    ),
    (
        (
            "--kv-cache-device multi_gpu needs two GPUs or more and torch finds {count}. Choose "
            "--kv-cache-device auto."
        ),
        QT_TRANSLATE_NOOP(
            "CoreTexts",
            "Dividing the cache needs two GPUs or more and torch finds {count}. Choose another profile.",
        ),
    ),
    (
        ("--gpu-ids names {absent}; the GPUs of this machine are: {present}."),
        QT_TRANSLATE_NOOP(
            "CoreTexts", "The profile names GPU {absent}; the GPUs of this machine are: {present}."
        ),
    ),
    (
        ("--gpu-ids names a GPU and torch finds none. Leave it out, or check the driver."),
        QT_TRANSLATE_NOOP(
            "CoreTexts",
            "The profile names a GPU and torch finds none. Choose another profile, or check the driver.",
        ),
    ),
    (
        ("--expert-budget and --kv-sharding-strategy layer_wise do not go together. Leave one of them out."),
        QT_TRANSLATE_NOOP(
            "CoreTexts",
            "The expert budget and layers divided among GPUs do not go together. Choose another profile.",
        ),
    ),
    (
        (
            "Its weights take {size}, up to {piece} of them in one piece that cannot be divided; the "
            "GPUs have {free} free. Choose a smaller model or --quantization nf4, or close other "
            "programs that use the GPUs."
        ),
        QT_TRANSLATE_NOOP(
            "CoreTexts",
            "Its weights take {size}, up to {piece} of them in one piece that cannot be divided; the "
            "GPUs have {free} free. Choose a smaller model, or close other programs that use the GPUs.",
        ),
    ),
    (
        (
            "{model} is not built from one list of layers. Leave out --kv-sharding-strategy, or choose "
            "another model."
        ),
        QT_TRANSLATE_NOOP(
            "CoreTexts",
            "{model} is not built from one list of layers. Choose a profile for one GPU, or another model.",
        ),
    ),
    (
        ("{machine} has none. Leave --quantization out."),
        QT_TRANSLATE_NOOP("CoreTexts", "{machine} has none. Choose a profile without quantisation."),
    ),
    (
        (
            "The cache of this context is {size} and cannot be kept: it would be computed again the next "
            "time. Choose another folder with --cache-dir or LECTERN_CACHE_DIR."
        ),
        QT_TRANSLATE_NOOP(
            "CoreTexts",
            "The cache of this context is {size} and cannot be kept: it would be computed again the next "
            "time. Choose another folder with the environment variable LECTERN_CACHE_DIR.",
        ),
    ),
    (
        ("Keeping a cache of {size} takes {duration}. Choose a faster disk with --cache-dir."),
        QT_TRANSLATE_NOOP(
            "CoreTexts",
            "Keeping a cache of {size} takes {duration}. Choose a faster disk with the environment "
            "variable LECTERN_CACHE_DIR.",
        ),
    ),
    (
        (
            "Some keys or values of this model are larger than float16 can hold. They were cut to the "
            "largest number it holds, so that answers may be less precise. Choose --kv-dtype bfloat16 or "
            "float32."
        ),
        QT_TRANSLATE_NOOP(
            "CoreTexts",
            "Some keys or values of this model are larger than float16 can hold. They were cut to the "
            "largest number it holds, so that answers may be less precise.",
        ),
    ),
    (
        (
            "This model has one way to read texts of up to {original} tokens and another for longer ones; "
            "all texts are read the second way. For short documents --max-seq-len {limit} may be more "
            "precise."
        ),
        QT_TRANSLATE_NOOP(
            "CoreTexts",
            "This model has one way to read texts of up to {original} tokens and another for longer ones; "
            "all texts are read the second way.",
        ),
    ),
    (
        (
            "Numbers that the model computed on the way are too large for {dtype}, so that its answer would "
            "be worthless. Choose --kv-dtype bfloat16 or float32, or another model."
        ),
        QT_TRANSLATE_NOOP(
            "CoreTexts",
            "Numbers that the model computed on the way are too large for {dtype}, so that its answer would "
            "be worthless. Choose another model.",
        ),
    ),
    (
        (
            "After {cached} tokens there is no memory for the next {tokens} ({reason}), and nothing is left "
            "to be given up; the sealed cache takes {size} of host memory. What was read is kept. Close "
            "other programs and ask again, or choose fewer pages, a smaller model or a stronger "
            "--kv-compression."
        ),
        QT_TRANSLATE_NOOP(
            "CoreTexts",
            "After {cached} tokens there is no memory for the next {tokens} ({reason}), and nothing is left "
            "to be given up; the sealed cache takes {size} of host memory. What was read is kept. Close "
            "other programs and ask again, or choose a smaller model or a stronger compression "
            "of the cache in the settings.",
        ),
    ),
)
REWORDED = {said: str(words) for said, words in _REWORDED}
"""What is said otherwise in a window, which has no options to type."""
