"""What a document may cost: seconds, pixels and processes."""

import os
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """How long steps may take, in seconds, how large a rendered image may be, in pixels, and who may help.

    What `recognition_s`, the recognition of one page, takes is no part of `request_s`. Another process starts
    for every `pages_per_process` pages that wait, and for fewer once a page needs recognition.
    """

    open_s: float = 60.0
    page_s: float = 30.0
    recognition_s: float = 120.0
    request_s: float = 3600.0
    render_s: float = 30.0
    max_pixels: int = 32_000_000
    max_processes: int = 4
    pages_per_process: int = 32

    @property
    def num_processes(self) -> int:
        """How many may read one document on this machine: `max_processes`, and one a processor."""
        affinity = getattr(os, "sched_getaffinity", None)
        num_processors = len(affinity(0)) if affinity is not None else os.cpu_count() or 1
        return max(1, min(self.max_processes, num_processors))
