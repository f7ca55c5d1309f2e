"""What an installed program holds and what it does without: the one list behind the spec file, with reasons.

Names of files are those inside the bundle's folder of libraries, with forward slashes.
"""

from __future__ import annotations

import ast
import posixpath
import re
import sys
from collections.abc import Iterable
from fnmatch import fnmatchcase
from pathlib import Path, PurePosixPath
from typing import NamedTuple

NAME = "lectern"
PROGRAMS = {"lectern": "entry/lectern.py", "lectern-app": "entry/lectern_app.py"}
LIBRARIES_FOLDER = "_internal"
MAX_CPU_BYTES = 850 << 20
"""A CPU build without the starter model; a larger one has collected something that nobody asked for."""
MAX_PATH_LENGTH = 150
"""With a user's folder before it, a path stays below the 260 characters that Windows tools can rely on."""

_EXCLUDED_MODULES = {
    "tools of developers": (
        *("_pytest", "pytest", "pytestqt", "xdist", "execnet", "hypothesis", "mypy", "mypyc", "librt"),
        *("ruff", "grimp", "importlinter", "ast_serialize", "PyInstaller", "setuptools", "pkg_resources"),
        *("pip", "lib2to3", "idlelib", "pydoc_data", "ensurepip", "IPython"),
    ),
    "tools of this project": (
        *("app.screenshots", "app.scripted_backend", "app.screenshot_machine"),
        *("app.library_scenes", "app.review_scenes", "app.setup_scenes", "app.evidence_scene"),
        *("app.reading_scenes", "app.scripted_figures", "app.ending"),
    ),
    "other toolkits for windows": ("tkinter", "_tkinter", "turtle"),
    "charts, which `bench --plot` draws where matplotlib is installed": (
        *("matplotlib", "mpl_toolkits", "pylab", "contourpy", "cycler", "kiwisolver", "fontTools"),
        *("pyparsing", "dateutil"),
    ),
    "pictures and sound, which no text model needs": ("PIL", "torchvision", "torchaudio", "librosa", "cv2"),
    "optional parts of torch and transformers that only look for them": (
        *("functorch", "torch.utils.tensorboard", "torch.onnx", "tensorboard", "tensorflow", "jax", "flax"),
        *("networkx", "pandas", "scipy", "sklearn", "pydantic", "hf_xet", "requests", "urllib3"),
        *("transformers.cli", "transformers.testing_utils", "optimum"),
    ),
    "command lines of libraries": ("typer", "rich", "click", "shellingham", "markdown_it", "pygments"),
    "an old name of PyMuPDF": ("fitz",),
}

_UNWANTED_FILES = {
    "headers and build files of torch": ("torch/include/*", "torch/share/*", "torch/test/*"),
    "torch's test programs": (
        *("torch/bin/*", "torch/lib/libaoti_custom_ops.so", "torch/lib/libbackend_with_compiler.so"),
        *("torch/lib/libjitbackend_test.so", "torch/lib/libtorchbind_test.so"),
    ),
    "Qt's QML world: the window is made of widgets": (
        *("PySide6/*Qml*", "PySide6/*Quick*", "PySide6/Qt/qml/*", "PySide6/qml/*", "PySide6/*qmltooling*"),
        *("PySide6/Qt/plugins/qmllint/*", "PySide6/Qt/lib/libQt6Labs*", "PySide6/libpyside6qml*"),
        *("PySide6/plugins/qmllint/*", "libpyside6qml*", "pyside6qml*", "PySide6/pyside6qml*"),
    ),
    "the on-screen keyboard, which is GPL": ("*VirtualKeyboard*", "*qtvirtualkeyboard*"),
    "Qt modules that nothing imports": (
        *("PySide6/*Designer*", "PySide6/*Help*", "PySide6/*UiTools*", "PySide6/*Qt6Pdf*", "PySide6/*Sql*"),
        *("PySide6/*qpdf*", "PySide6/*sqldrivers*", "PySide6/*PrintSupport*", "PySide6/*printsupport*"),
        *("PySide6/*QtTest*", "PySide6/*Qt6Test*", "PySide6/*QtNetwork*", "PySide6/*Qt6Network*"),
        *("PySide6/*networkinformation*", "PySide6/*plugins/tls/*", "PySide6/*Qt63D*"),
        *("PySide6/*lottie*", "PySide6/*vectorimageformats*"),
    ),
    "screens without a desktop, and devices without a driver": (
        *("PySide6/*egldeviceintegrations*", "PySide6/*plugins/generic/*", "PySide6/*libqeglfs*"),
        *("PySide6/*EglFS*", "PySide6/*EglFs*", "PySide6/*libqlinuxfb*", "PySide6/*libqvnc*"),
        *("PySide6/*libqvkkhr*", "PySide6/*libqminimal*", "PySide6/*wayland-graphics-integration-server*"),
        *("PySide6/*WaylandCompositor*", "PySide6/*WaylandEglCompositor*"),
    ),
    "Qt's own translations beyond the window's languages": ("PySide6/*translations/*",),
    "the theme that brings the whole of GTK": (
        *("PySide6/*libqgtk3*", "libgtk-3*", "libgdk-3*", "libgdk_pixbuf*", "libpango*", "libcairo*"),
        *("libatk*", "libatspi*", "libepoxy*", "libharfbuzz*", "libthai*", "libdatrie*", "libpixman*"),
        *("libgraphite2*", "libfribidi*", "libXcomposite*", "libXdamage*", "libXcursor*", "libXinerama*"),
        *("libXrandr*", "libjpeg.so*", "liblz4*", "share/glib-2.0/*", "share/icons/*", "share/themes/*"),
        "lib/gdk-pixbuf/*",
    ),
    "what belongs to the machine: its graphics, fonts and message bus must fit each other": (
        *("libstdc++.so*", "libgcc_s.so*", "libfontconfig*", "libfreetype*", "libdbus-1*", "libglib-2*"),
        *("libgio-2*", "libgobject-2*", "libgmodule-2*", "libgthread-2*", "libwayland-*", "libsystemd*"),
        *("libX11*", "libXext*", "libXrender*", "libXi.*", "libXfixes*", "libXau*", "libXdmcp*", "libdrm*"),
        *("libxcb.so*", "libxcb-glx*", "libxkbcommon*", "libGL*", "libEGL*", "libOpenGL*", "libgbm*"),
        *("libcups*", "libgnutls*", "libgssapi*", "libkrb5*", "libk5crypto*", "libkeyutils*", "libcom_err*"),
        *("libavahi*", "libblkid*", "libmount*", "libselinux*", "libcap.so*", "libgcrypt*", "libgpg-error*"),
        *("libpcre2*", "libexpat.so*", "libpng16*", "libbrotli*", "libbsd*", "libmd.so*", "libuuid*"),
        *("libproxy*", "libp11-kit*", "libidn2*", "libtasn1*", "libnettle*", "libhogweed*", "libgmp.so*"),
        *("libunistring*", "libvulkan*", "libicu*", "libelf*", "libnuma*"),
    ),
    "CUDA of the build machine; torch brings its own": ("libcudart.so*", "libcuda.so*", "libnvidia-*"),
    "an older C++ runtime than torch needs: the installer brings Microsoft's": (
        *("PySide6/msvcp140*.dll", "PySide6/vcruntime140*.dll", "PySide6/concrt140.dll"),
        "PySide6/opengl32sw.dll",
    ),
    "texts that NOTICE.txt holds, in folders that are too deep": ("*.dist-info/licenses/third_party/*",),
    "pictures for readers of the sources, and texts for translators": (
        *("resources/screenshots/*", "resources/*.ts"),
    ),
    "stubs and leftovers": (
        *("pip-*.dist-info/*", "*.pyi", "*/__pycache__/*", "*/tests/data/*", "*.a", "*.lib"),
    ),
}

_KEPT_FILES = (
    "torch/bin/torch_shm_manager",  # torch refuses to start without it
    "PySide6/translations/qtbase_zh_CN.qm",
    "PySide6/Qt/translations/qtbase_zh_CN.qm",
)

METADATA = (
    *("accelerate", "gguf", "huggingface-hub", "numpy", "packaging", "protobuf", "regex", "safetensors"),
    *("sentencepiece", "tokenizers", "torch", "tqdm", "transformers", "filelock", "pyyaml", "psutil"),
)
"""Distributions whose versions are asked for while the program runs; `N/A` stops transformers otherwise."""

_RESOURCES = (
    *("resources/samples/samples.json", "resources/checklists/contract-review.toml"),
    *("resources/i18n/lectern_zh_CN.qm", "resources/icons/lectern.svg", "resources/themes/lectern.qss"),
    *("resources/models/smollm2-135m.json", "resources/profiles/auto.toml"),
)

REQUIRED_FILES = {
    "linux": (
        *("torch/lib/libtorch_cpu.so", "torch/bin/torch_shm_manager"),
        *("PySide6/Qt/lib/libQt6Core.so.6", "PySide6/Qt/lib/libQt6Widgets.so.6"),
        *("PySide6/Qt/plugins/platforms/libqxcb.so", "PySide6/Qt/plugins/platforms/libqwayland.so"),
        *("PySide6/Qt/plugins/platforms/libqoffscreen.so", "PySide6/Qt/plugins/iconengines/libqsvgicon.so"),
        *("PySide6/Qt/translations/qtbase_zh_CN.qm", "PySide6/Qt/lib/libQt6Svg.so.6", *_RESOURCES),
    ),
    "win32": (
        *("torch/lib/torch_cpu.dll", "torch/lib/c10.dll", "PySide6/Qt6Core.dll", "PySide6/Qt6Widgets.dll"),
        *("PySide6/plugins/platforms/qwindows.dll", "PySide6/translations/qtbase_zh_CN.qm"),
        *("PySide6/Qt6Svg.dll", *_RESOURCES),
    ),
}
"""Without these the program does not start, or Qt's libraries could not be replaced (LGPL)."""


class Entry(NamedTuple):
    """One line of PyInstaller's tables: the name in the bundle, where it comes from, and its kind."""

    name: str
    source: str
    kind: str


def excluded_modules() -> list[str]:
    return [module for modules in _EXCLUDED_MODULES.values() for module in modules]


def unwanted_reason(name: str) -> str | None:
    """Why this file stays out of the bundle; None if it is wanted."""
    plain = name.replace("\\", "/")
    if plain in _KEPT_FILES:
        return None
    for reason, patterns in _UNWANTED_FILES.items():
        if any(fnmatchcase(plain, pattern) for pattern in patterns):
            return reason
    return None


def wanted(entries: Iterable[tuple[str, str, str]]) -> list[Entry]:
    """The entries that go into the bundle. Links to files that are left out are left out, too."""
    return [Entry(*entry) for entry in entries if unwanted_reason(_file_meant(Entry(*entry))) is None]


def _file_meant(entry: Entry) -> str:
    """The bundle's name of a file, or of the file that a link leads to."""
    plain = entry.name.replace("\\", "/")
    if entry.kind != "SYMLINK":
        return plain
    return posixpath.normpath(posixpath.join(posixpath.dirname(plain), entry.source.replace("\\", "/")))


def unwanted_files(names: Iterable[str]) -> list[str]:
    return sorted(name for name in names if unwanted_reason(name) is not None)


def missing_files(names: Iterable[str], platform: str = sys.platform) -> list[str]:
    present = set(names)
    return [name for name in REQUIRED_FILES.get(platform, ()) if name not in present]


def too_long_paths(names: Iterable[str]) -> list[str]:
    return sorted(
        name for name in names if len(str(PurePosixPath(NAME, LIBRARIES_FOLDER, name))) > MAX_PATH_LENGTH
    )


def read_version(root: Path) -> str:
    """`core.__version__`, the one place where the version is written, without importing anything."""
    for node in ast.parse((root / "core" / "__init__.py").read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "__version__":
            version: str = ast.literal_eval(node.value)
            return version
    raise LookupError("core/__init__.py has no __version__")


def version_numbers(version: str) -> tuple[int, int, int, int]:
    """Four numbers, as Windows wants them."""
    numbers = [int(number) for number in re.findall(r"\d+", version.partition("+")[0])[:3]]
    first, second, third = [*numbers, 0, 0][:3]
    return first, second, third, 0
