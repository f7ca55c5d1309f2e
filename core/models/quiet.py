"""The libraries' own progress bars and advice, kept off the screen that is ours."""

import logging

from transformers.utils import logging as transformers_logging


def silence_transformers() -> None:
    """Only errors are logged, and no progress bar is drawn over ours."""
    transformers_logging.set_verbosity_error()
    transformers_logging.disable_progress_bar()
    logging.getLogger("bitsandbytes").setLevel(logging.ERROR)  # int8 gives its advice at every product
