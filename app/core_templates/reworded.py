"""What is said otherwise in a window, which has no options to type."""

from PySide6.QtCore import QT_TRANSLATE_NOOP

REWORDED_PAIRS = (
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
            "included. Nothing was cut. {choice} Read fewer pages: --pages 1-{fitting} would fit. Or have "
            "only the sections read that your question is about (--sections)."
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
    (
        ("{name} is none; `lectern caches list` shows which there are."),
        QT_TRANSLATE_NOOP("CoreTexts", "{name} is not kept on the disk any more."),
    ),
    (
        (
            "What was read of this document is not kept on the disk: it would take {needed}, and {quota} are "
            "allowed for all documents together. Allow more with --cache-quota or in the settings, or free "
            "some of the disk."
        ),
        QT_TRANSLATE_NOOP(
            "CoreTexts",
            "What was read of this document is not kept on the disk: it would take {needed}, and {quota} are "
            "allowed for all documents together. Allow more in the settings, or free some of the disk.",
        ),
    ),
    (
        ("Leave --rope-scaling out: the positions of this model cannot be stretched."),
        QT_TRANSLATE_NOOP("CoreTexts", "The positions of this model cannot be stretched."),
    ),
    (
        ("Even its first page does not fit into the {limit} tokens of {model}. {choice}"),
        QT_TRANSLATE_NOOP(
            "CoreTexts",
            "Even its first page does not fit into the {limit} tokens of {model}. Choose a model with a "
            "longer context.",
        ),
    ),
    (
        (
            "{budget} tokens may be read at once and no page that matters is that short; {model} reads "
            "{limit} with question and answer. Raise --section-budget, allow a shorter answer or choose a "
            "model with a longer context."
        ),
        QT_TRANSLATE_NOOP(
            "CoreTexts",
            "{budget} tokens may be read at once and no page that matters is that short; {model} reads "
            "{limit} with question and answer. Allow a shorter answer or choose a model with a longer "
            "context.",
        ),
    ),
    (
        (
            "{budget} tokens may be read at once and a page, or the notes on all parts, need more. Raise "
            "--section-budget or choose a model with a longer context."
        ),
        QT_TRANSLATE_NOOP(
            "CoreTexts",
            "{budget} tokens may be read at once and a page, or the notes on all parts, need more. Choose a "
            "model with a longer context.",
        ),
    ),
)
