"""transformers' own progress bars and advice, kept off the screen that is ours."""

from transformers.utils import logging


def silence_transformers() -> None:
    """Only errors are logged, and no progress bar is drawn over ours."""
    logging.set_verbosity_error()
    logging.disable_progress_bar()
