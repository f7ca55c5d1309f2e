"""The file that the error dialog speaks of."""

import logging
import logging.handlers

from core.paths import data_dir

_LOG_BYTES = 1 << 20


def start_log() -> None:
    """Begin to write it; a folder that cannot be written to is never in the way of the program."""
    try:
        folder = data_dir()
        folder.mkdir(parents=True, exist_ok=True)
        handler: logging.Handler = logging.handlers.RotatingFileHandler(
            folder / "lectern.log", maxBytes=_LOG_BYTES, backupCount=1, encoding="utf-8"
        )
    except OSError:
        handler = logging.StreamHandler()
    logging.basicConfig(
        level=logging.INFO, handlers=[handler], format="%(asctime)s %(levelname)s %(name)s: %(message)s"
    )
