"""On Windows, before Qt: torch's first library, and with it the C++ runtime that torch was built for.

Qt is content with an older runtime. Were Qt's loaded first, `c10.dll` would find it in its place and fail.
Torch itself is not imported: that would hold up the window for seconds.
"""

import ctypes
import os
import sys
from pathlib import Path

if sys.platform == "win32":
    _SEARCH_BESIDE_AND_IN_SYSTEM = 0x1100
    _BUNDLE = Path(sys._MEIPASS)  # type: ignore[attr-defined]
    _SYSTEM = Path(os.environ.get("SYSTEMROOT", r"C:\Windows")) / "System32"
    _RUNTIME = ("vcruntime140.dll", "vcruntime140_1.dll", "msvcp140.dll")
    _LIBRARIES = (
        *(folder / name for name in _RUNTIME for folder in (_SYSTEM, _BUNDLE)),  # the first found stays
        _BUNDLE / "torch" / "lib" / "c10.dll",
    )
    _load = ctypes.WinDLL("kernel32").LoadLibraryExW
    _load.restype, _load.argtypes = ctypes.c_void_p, (ctypes.c_wchar_p, ctypes.c_void_p, ctypes.c_uint32)
    for _path in _LIBRARIES:
        _load(str(_path), None, _SEARCH_BESIDE_AND_IN_SYSTEM)  # what cannot be loaded is torch's to report
