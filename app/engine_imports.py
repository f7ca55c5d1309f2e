"""Brings torch into a running window without a hitch.

Called in the engine's thread only. Loading torch's libraries and collecting the garbage of its ten thousand
modules each stop every other thread for 100 to 300 ms; here the libraries are loaded with the lock released
and the collector rests until all is there.
"""

import ctypes
import gc
import importlib
import importlib.util
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from core.cancel import CancelToken

_STEPS = ("numpy", "torch", "tokenizers", "transformers", "transformers.modeling_utils")
_LIBRARIES = (
    "libgomp*.so*",
    "libc10.so",
    "libtorch_cpu.so",
    "libtorch.so",
    "libshm.so",
    "libtorch_python.so",
)
_WINDOWS_LIBRARIES = ("c10.dll", "torch_cpu.dll", "torch.dll", "torch_python.dll")


def import_engine_in_steps(cancel: CancelToken) -> None:
    """Import what `core.engine` needs. Raises `CancelledError` between two steps."""
    if "torch" not in sys.modules:
        _load_libraries()
    with _collector_at_rest():
        for name in _STEPS:
            cancel.raise_if_cancelled()
            importlib.import_module(name)


@contextmanager
def _collector_at_rest() -> Iterator[None]:
    """Modules are no garbage: afterwards they are taken out of the collector's sight for good."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
        gc.freeze()
    finally:
        if was_enabled:
            gc.enable()


def _load_libraries() -> None:
    """Map torch's libraries, so that importing it finds them; what cannot be mapped is torch's to report."""
    spec = importlib.util.find_spec("torch")
    if spec is None or spec.origin is None:
        return
    folder = Path(spec.origin).parent / "lib"
    load = _loader()
    if load is None:
        return
    for pattern in _WINDOWS_LIBRARIES if sys.platform == "win32" else _LIBRARIES:
        for path in sorted(folder.glob(pattern)):
            load(path)


def _loader() -> Callable[[Path], object] | None:
    """A call that maps a library without the interpreter's lock, which `ctypes.CDLL` itself would hold."""
    if sys.platform == "linux":
        dlopen = ctypes.CDLL(None).dlopen
        dlopen.restype, dlopen.argtypes = ctypes.c_void_p, (ctypes.c_char_p, ctypes.c_int)
        return lambda path: dlopen(os.fsencode(path), os.RTLD_NOW)
    elif sys.platform == "win32":
        load = ctypes.WinDLL("kernel32").LoadLibraryExW
        load.restype, load.argtypes = ctypes.c_void_p, (ctypes.c_wchar_p, ctypes.c_void_p, ctypes.c_uint32)
        return lambda path: load(str(path), None, 0x1100)
    else:
        return None
