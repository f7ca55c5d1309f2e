"""A .deb and a relocatable .tar.zst of the folder that PyInstaller made."""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
import time
from collections.abc import Mapping
from pathlib import Path

import bundle
import icons
from elf import Needs, needs_of
from environment import remove, say
from smoke import size_bytes

_HOME = Path("usr/lib/lectern")
_SHARE = Path(__file__).resolve().parent / "linux"
_METAINFO = "org.lectern.lectern.metainfo.xml"
_ARCHITECTURES = {"x86_64": "amd64", "aarch64": "arm64"}
_ZSTD_LEVEL = 12

PACKAGES: Mapping[str, str] = {
    **dict.fromkeys(("libc.so.6", "libm.so.6", "libdl.so.2", "libpthread.so.0", "librt.so.1"), "libc6"),
    **dict.fromkeys(("libutil.so.1", "libresolv.so.2", "ld-linux-x86-64.so.2", "libanl.so.1"), "libc6"),
    "ld-linux-aarch64.so.1": "libc6",
    "libstdc++.so.6": "libstdc++6",
    "libgcc_s.so.1": "libgcc-s1",
    "libcrypt.so.1": "libcrypt1",
    "libuuid.so.1": "libuuid1",
    "libexpat.so.1": "libexpat1",
    "libGL.so.1": "libgl1",
    "libGLX.so.0": "libglx0",
    "libOpenGL.so.0": "libopengl0",
    "libEGL.so.1": "libegl1",
    "libgbm.so.1": "libgbm1",
    "libdrm.so.2": "libdrm2",
    "libvulkan.so.1": "libvulkan1",
    "libfontconfig.so.1": "libfontconfig1",
    "libfreetype.so.6": "libfreetype6",
    "libdbus-1.so.3": "libdbus-1-3",
    **dict.fromkeys(
        ("libglib-2.0.so.0", "libgthread-2.0.so.0", "libgobject-2.0.so.0", "libgio-2.0.so.0"), "libglib2.0-0"
    ),
    "libwayland-client.so.0": "libwayland-client0",
    "libwayland-cursor.so.0": "libwayland-cursor0",
    "libwayland-egl.so.1": "libwayland-egl1",
    "libxkbcommon.so.0": "libxkbcommon0",
    "libxkbcommon-x11.so.0": "libxkbcommon-x11-0",
    "libX11.so.6": "libx11-6",
    "libX11-xcb.so.1": "libx11-xcb1",
    "libXext.so.6": "libxext6",
    "libXi.so.6": "libxi6",
    "libXrender.so.1": "libxrender1",
    "libSM.so.6": "libsm6",
    "libICE.so.6": "libice6",
    "libxcb.so.1": "libxcb1",
    "libxcb-cursor.so.0": "libxcb-cursor0",
    "libxcb-glx.so.0": "libxcb-glx0",
    "libxcb-icccm.so.4": "libxcb-icccm4",
    "libxcb-image.so.0": "libxcb-image0",
    "libxcb-keysyms.so.1": "libxcb-keysyms1",
    "libxcb-randr.so.0": "libxcb-randr0",
    "libxcb-render-util.so.0": "libxcb-render-util0",
    "libxcb-render.so.0": "libxcb-render0",
    "libxcb-shape.so.0": "libxcb-shape0",
    "libxcb-shm.so.0": "libxcb-shm0",
    "libxcb-sync.so.1": "libxcb-sync1",
    "libxcb-util.so.1": "libxcb-util1",
    "libxcb-xfixes.so.0": "libxcb-xfixes0",
    "libxcb-xinput.so.0": "libxcb-xinput0",
    "libxcb-xkb.so.1": "libxcb-xkb1",
    "libnuma.so.1": "libnuma1",
}
"""Which Debian package brings a library."""

DRIVER_LIBRARIES = frozenset({"libcuda.so.1", "libnvidia-ml.so.1", "libcudadebugger.so.1"})
"""What the graphics driver brings, if there is one; the program runs without."""

_LIBSTDCXX = {28: "10", 29: "11", 30: "12", 31: "13.1", 32: "13.2", 33: "14", 34: "15"}
"""The gcc release that brought GLIBCXX_3.4.N."""


class PackageError(Exception):
    """A package cannot be made; the text says why."""


def make(root: Path, folder: Path, variant: str) -> list[Path]:
    """Both packages, in dist/."""
    os.environ.setdefault("SOURCE_DATE_EPOCH", str(_commit_time(root)))
    return [make_deb(root, folder, variant), make_archive(root, folder, variant)]


def make_deb(root: Path, folder: Path, variant: str) -> Path:
    version = bundle.read_version(root)
    tree = root / "build" / "deb"
    remove(tree)
    home = tree / _HOME
    shutil.copytree(folder, home, copy_function=os.link, symlinks=True)
    (tree / "usr/bin").mkdir(parents=True)
    for program in bundle.PROGRAMS:
        (tree / "usr/bin" / program).symlink_to(Path("../lib/lectern") / program)
    add_desktop_files(root, tree / "usr/share", version)
    documents = tree / "usr/share/doc/lectern"
    documents.mkdir(parents=True)
    (documents / "copyright").write_text(copyright_text(), encoding="utf-8")
    shutil.copy(root / "CHANGELOG.md", documents / "CHANGELOG.md")
    (tree / "DEBIAN").mkdir()
    control = control_text(version, variant, needs_of(folder), size_bytes(tree))
    (tree / "DEBIAN/control").write_text(control, encoding="utf-8")
    _make_plain(tree)
    path = root / "dist" / f"lectern_{version}_{variant}_{architecture()}.deb"
    say(f"{path.name} (zstd)")
    _run("dpkg-deb", "--root-owner-group", "-Zzstd", f"-z{_ZSTD_LEVEL}", "--build", str(tree), str(path))
    remove(tree)
    return path


def make_archive(root: Path, folder: Path, variant: str) -> Path:
    """Unpack it anywhere and start it there; share/ holds what a desktop wants to know."""
    version = bundle.read_version(root)
    name = f"lectern-{version}-{variant}-linux-{platform.machine()}"
    tree = root / "build" / "archive"
    remove(tree)
    shutil.copytree(folder, tree / name, copy_function=os.link, symlinks=True)
    add_desktop_files(root, tree / name / "share", version)
    _make_plain(tree)
    path = root / "dist" / f"{name}.tar.zst"
    say(f"{path.name} (zstd)")
    plain = ["--sort=name", f"--mtime=@{os.environ['SOURCE_DATE_EPOCH']}", "--owner=0", "--group=0"]
    pack = ["tar", "--use-compress-program", f"zstd -{_ZSTD_LEVEL} -T0", *plain, "--numeric-owner"]
    _run(*pack, "-cf", str(path), "-C", str(tree), name)
    remove(tree)
    return path


def add_desktop_files(root: Path, share: Path, version: str) -> None:
    """Desktop entry, AppStream metadata and icons, where desktops look for them below a prefix."""
    for part in ("applications", "metainfo", "icons/hicolor/scalable/apps"):
        (share / part).mkdir(parents=True)
    shutil.copy(_SHARE / "lectern.desktop", share / "applications/lectern.desktop")
    (share / "metainfo" / _METAINFO).write_text(metainfo_text(version, _epoch()), encoding="utf-8")
    (share / "icons/hicolor/scalable/apps/lectern.svg").write_bytes(icons.svg(root))
    for size in icons.PNG_SIZES:
        place = share / f"icons/hicolor/{size}x{size}/apps"
        place.mkdir(parents=True)
        (place / "lectern.png").write_bytes(icons.png(root, size))


def metainfo_text(version: str, epoch: int) -> str:
    text = (_SHARE / "lectern.metainfo.xml").read_text(encoding="utf-8")
    date = time.strftime("%Y-%m-%d", time.gmtime(epoch))
    return text.replace("@VERSION@", version).replace("@DATE@", date)


def control_text(version: str, variant: str, needs: Needs, installed_bytes: int) -> str:
    words = {"cpu": "computes on the processor", "cuda": "computes on NVIDIA graphics cards"}
    return (
        "Package: lectern\n"
        f"Version: {debian_version(version)}\n"
        f"Architecture: {architecture()}\n"
        "Maintainer: The Lectern developers <lectern@localhost>\n"
        f"Installed-Size: {-(-installed_bytes // 1024)}\n"
        f"Depends: {', '.join(dependencies(needs))}\n"
        "Recommends: fonts-noto-cjk | fonts-wqy-microhei, xdg-utils\n"
        "Section: text\n"
        "Priority: optional\n"
        "Description: asks very long documents, with page citations that were checked\n"
        " Lectern reads documents of hundreds of pages with a language model on this\n"
        " machine. The whole document is in the model's context, and answers come with\n"
        " citations that were looked up word by word on the pages.\n"
        " .\n"
        f" This build {words[variant]}. A small model for trying out is part of it.\n"
    )


def dependencies(needs: Needs) -> list[str]:
    """Debian packages, by name, with versions where a library's interface has grown.

    Raises `PackageError` for a library that no known package brings.
    """
    asked = needs.libraries - DRIVER_LIBRARIES
    unknown = sorted(library for library in asked if library not in PACKAGES)
    if unknown:
        raise PackageError(
            f"{', '.join(unknown)}: say in packaging/linux_packages.py which package brings this, or leave "
            "out what needs it in packaging/bundle.py."
        )
    versions = {"libc6": ".".join(map(str, needs.glibc))}
    if needs.glibcxx:
        versions["libstdc++6"] = _LIBSTDCXX.get(needs.glibcxx[-1], "12")
    packages = sorted({PACKAGES[library] for library in asked} | {"libc6"})
    return [f"{name} (>= {versions[name]})" if versions.get(name) else name for name in packages]


def debian_version(version: str) -> str:
    """A pre-release sorts before its release: 1.0rc1 becomes 1.0~rc1."""
    for mark in ("a", "b", "rc", ".dev"):
        head, found, tail = version.partition(mark)
        if found:
            return f"{head}~{mark.lstrip('.')}{tail}"
    return version


def copyright_text() -> str:
    return (
        "Lectern is free software under the GNU Affero General Public License, version 3\n"
        "or later; the text of the licence is in /usr/lib/lectern/LICENSE.\n"
        "\n"
        "The authors and licences of all the software that is shipped with Lectern are in\n"
        "/usr/lib/lectern/NOTICE.txt. Qt is used under the LGPL, version 3; the text is in\n"
        "/usr/share/common-licenses/LGPL-3 as well.\n"
    )


def architecture() -> str:
    return _ARCHITECTURES.get(platform.machine(), platform.machine())


def _make_plain(tree: Path) -> None:
    """Readable for all, writable for the owner only, whatever the umask of the build was."""
    for path in [tree, *tree.rglob("*")]:
        if not path.is_symlink():
            is_run = path.is_dir() or bool(path.stat().st_mode & 0o100)
            path.chmod(0o755 if is_run else 0o644)


def _epoch() -> int:
    return int(os.environ.get("SOURCE_DATE_EPOCH", "0")) or int(time.time())


def _commit_time(root: Path) -> int:
    done = subprocess.run(
        ["git", "log", "-1", "--format=%ct"], cwd=root, capture_output=True, check=False, encoding="utf-8"
    )
    return int(done.stdout.strip() or time.time())


def _run(*command: str) -> None:
    if shutil.which(command[0]) is None:
        raise PackageError(f"{command[0]} is not installed on this machine.")
    if subprocess.call(command) != 0:
        raise PackageError(f"{command[0]} failed; the lines above say why.")
