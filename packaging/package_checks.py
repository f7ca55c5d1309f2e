"""The packages for Linux, used as a user would: unpacked somewhere odd, or installed on a bare system."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

import bundle
import smoke_commands
from environment import is_root, say
from installed import ANSWER_LIMIT_S, CheckError, Installed, run_program
from smoke_window import check_window

_STRANGE_PLACE = "Ünpacked 合同 here"
_MIRROR_VARIABLE = "LECTERN_DEBIAN_MIRROR"
_PLAIN_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
_IN_NEW_SYSTEM = """\
set -eu
export DEBIAN_FRONTEND=noninteractive
apt-get update -q
apt-get install -q --yes --no-install-recommends ./tmp/lectern.deb
dpkg --audit
lectern --version | grep -F " $1"
cd /usr/lib/lectern/_internal
LD_LIBRARY_PATH=$PWD ldd PySide6/Qt/plugins/*/*.so torch/lib/*.so > /tmp/needed 2>&1
cd /
grep 'not found' /tmp/needed | grep -v -e libcuda -e libnvidia && exit 3
HOME=$(mktemp -d)
export HOME LECTERN_DATA_DIR=$HOME/data LECTERN_CACHE_DIR=$HOME/cache QT_QPA_PLATFORM=offscreen
lectern-app --self-test
apt-get remove -q --yes lectern
test ! -e /usr/lib/lectern
"""


def check_archive(archive: Path, version: str) -> None:
    """Unpacked into an odd place, started from elsewhere and through links. Raises `CheckError`."""
    with tempfile.TemporaryDirectory(prefix="lectern-check-", dir=archive.parent) as name:
        place = Path(name)
        target = place / _STRANGE_PLACE
        target.mkdir()
        subprocess.run(["tar", "--zstd", "-xf", str(archive), "-C", str(target)], check=True)
        (unpacked,) = target.iterdir()
        installed = Installed(unpacked, place)
        smoke_commands.check_versions(installed, version)
        links = place / "links"
        links.mkdir()
        for program in bundle.PROGRAMS:
            (links / program).symlink_to(os.path.relpath(unpacked / program, links))
        (place / "link to the folder").symlink_to(unpacked)
        for path in (links / "lectern", place / "link to the folder" / "lectern"):
            said = run_program([str(path), "--version"], Path("/"), installed.environment(), ANSWER_LIMIT_S)
            if said.split()[-1:] != [version]:
                raise CheckError(f"{path} says {said!r}")
        check_window(Installed(links, place, resources=installed.resources), "offscreen", "en")
    say(f"{archive.name} works unpacked in {_STRANGE_PLACE!r} and through links")


def check_deb(deb: Path, version: str, suite: str) -> None:
    """Installed with what it depends on, on a new Debian, and removed again. Raises `CheckError`."""
    if not is_root() or shutil.which("debootstrap") is None:
        raise CheckError("A new system is made by root and with debootstrap only.")
    with tempfile.TemporaryDirectory(prefix="lectern-debian-") as name:
        root = Path(name) / suite
        mirror = [os.environ[_MIRROR_VARIABLE]] if _MIRROR_VARIABLE in os.environ else []
        say(f"A new system, {suite}, by debootstrap")
        _must(["debootstrap", "--variant=minbase", suite, str(root), *mirror], "debootstrap failed")
        shutil.copy(deb, root / "tmp" / "lectern.deb")
        shutil.copy("/etc/resolv.conf", root / "etc" / "resolv.conf")
        _must(["mount", "--bind", "/proc", str(root / "proc")], "/proc could not be shown to the new system")
        try:
            clean = ["env", "-i", f"PATH={_PLAIN_PATH}", "LANG=C.UTF-8"]
            script = ["/bin/sh", "-c", _IN_NEW_SYSTEM, "sh", version]
            _must([*clean, "chroot", str(root), *script], f"{deb.name} does not work on a new {suite}")
        finally:
            _must(["umount", "--lazy", str(root / "proc")], "/proc is still shown to the new system")
    say(f"{deb.name} installs on a new {suite}, answers there, and goes without a trace")


def _must(command: list[str], complaint: str) -> None:
    if subprocess.call(command) != 0:
        raise CheckError(f"{complaint}; the lines above say why.")
