"""The packages for Linux: dependencies of the .deb, desktop entry, AppStream metadata, icons."""

import configparser
import mimetypes
import os
import shutil
import subprocess
import tarfile
import xml.etree.ElementTree as ET
from pathlib import Path

import elf
import icons
import linux_packages
import pytest
from elf import Needs
from environment import QT_PACKAGES

from core.documents.formats import _BY_SUFFIX

OBJDUMP = """
libexample.so:     file format elf64-x86-64

Dynamic Section:
  NEEDED               libxcb-cursor.so.0
  NEEDED               libQt6Core.so.6
  NEEDED               libc.so.6
  SONAME               libexample.so

Version definitions:
1 0x01 0x0865f4e6 libexample.so
2 0x00 0x0f4d007f GLIBC_9.99

Version References:
  required from libc.so.6:
    0x09691a75 0x00 04 GLIBC_2.2.5
    0x069691b6 0x00 02 GLIBC_2.36
  required from libstdc++.so.6:
    0x02297f89 0x00 03 GLIBCXX_3.4.9
    0x0297f870 0x00 03 GLIBCXX_3.4.30
"""
NEEDS = Needs(frozenset({"libc.so.6", "libstdc++.so.6", "libGL.so.1", "libcuda.so.1"}), (2, 36), (3, 4, 30))


def _fields(control: str) -> dict[str, str]:
    lines = [line for line in control.splitlines() if not line.startswith(" ")]
    return dict(line.split(": ", 1) for line in lines)


def test_needs_are_read_from_headers_without_what_is_shipped_or_defined() -> None:
    needs = elf.merge_needs([OBJDUMP], {"libQt6Core.so.6"})
    assert needs == Needs(frozenset({"libxcb-cursor.so.0", "libc.so.6"}), (2, 36), (3, 4, 30))


@pytest.mark.skipif(shutil.which("objdump") is None, reason="no objdump on this machine")
def test_needs_of_a_real_program_are_those_of_the_system(tmp_path: Path) -> None:
    shutil.copy("/bin/sh", tmp_path / "sh")
    (tmp_path / "text.so.1").write_text("no library at all", encoding="utf-8")
    needs = elf.needs_of(tmp_path)
    assert "libc.so.6" in needs.libraries
    assert (2, 2) < needs.glibc < (3, 0)


def test_the_control_file_names_versions_and_leaves_drivers_alone() -> None:
    fields = _fields(linux_packages.control_text("1.2.0rc1", "cpu", NEEDS, 1025))
    assert fields["Version"] == "1.2.0~rc1"
    assert fields["Installed-Size"] == "2"
    assert fields["Depends"] == "libc6 (>= 2.36), libgl1, libstdc++6 (>= 12)"
    assert fields["Package"] == "lectern"
    assert set(fields) >= {"Architecture", "Maintainer", "Description", "Section"}


def test_every_variant_says_what_it_computes_on() -> None:
    assert "NVIDIA" in linux_packages.control_text("1.0", "cuda", NEEDS, 1)
    assert "NVIDIA" not in linux_packages.control_text("1.0", "cpu", NEEDS, 1)


def test_a_library_that_nobody_brings_stops_the_build() -> None:
    with pytest.raises(linux_packages.PackageError, match=r"libmystery\.so\.1"):
        linux_packages.dependencies(Needs(frozenset({"libmystery.so.1"}), (2, 36), ()))


def test_what_the_window_needs_can_be_named() -> None:
    assert set(QT_PACKAGES) <= set(linux_packages.PACKAGES.values())


def test_the_desktop_entry_offers_pdf_files_to_the_window() -> None:
    path = linux_packages._SHARE / "lectern.desktop"
    parser = configparser.ConfigParser(interpolation=None)
    parser.optionxform = str  # type: ignore[assignment,method-assign]
    parser.read(path, encoding="utf-8")
    entry = parser["Desktop Entry"]
    assert (entry["Exec"], entry["Icon"]) == ("lectern-app %F", "lectern")
    offered = set(entry["MimeType"].strip(";").split(";"))
    assert {mimetypes.guess_type(f"a{suffix}")[0] for suffix in _BY_SUFFIX} <= offered
    told = ET.parse(linux_packages._SHARE / "lectern.metainfo.xml").iterfind("provides/mediatype")
    assert {element.text for element in told} == offered
    assert entry["StartupWMClass"] == "lectern"
    if shutil.which("desktop-file-validate"):
        done = subprocess.run(["desktop-file-validate", str(path)], capture_output=True, encoding="utf-8")
        assert (done.returncode, done.stdout) == (0, "")


def test_the_metainfo_is_valid_and_carries_the_version(tmp_path: Path) -> None:
    text = linux_packages.metainfo_text("1.2.3", 86_400)
    path = tmp_path / linux_packages._METAINFO
    path.write_text(text, encoding="utf-8")
    component = ET.fromstring(text.encode())
    release = component.find("releases/release")
    assert release is not None
    assert release.attrib == {"version": "1.2.3", "date": "1970-01-02"}
    assert component.findtext("launchable") == "lectern.desktop"
    assert component.findtext("project_license") == "AGPL-3.0-or-later"
    assert "@" not in text
    if shutil.which("appstreamcli"):
        command = ["appstreamcli", "validate", "--no-net", str(path)]
        done = subprocess.run(command, capture_output=True, encoding="utf-8")
        assert done.returncode == 0, done.stdout


@pytest.fixture
def tree(tmp_path: Path, repository: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Path, Path]:
    """A checkout with what packages are made of, and a tiny program in place of the frozen one."""
    root = tmp_path / "checkout"
    for name in ("resources/icons/lectern.svg", "CHANGELOG.md", "core/__init__.py"):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(repository / name, root / name)
    (root / "build").mkdir()
    folder = root / "dist" / "lectern"
    folder.mkdir(parents=True)
    for program in ("lectern", "lectern-app"):
        shutil.copy("/bin/sh", folder / program)
    (folder / "NOTICE.txt").write_text("all licences", encoding="utf-8")
    os.chmod(folder / "NOTICE.txt", 0o600)  # noqa: PTH101
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "86400")
    return root, folder


@pytest.mark.skipif(shutil.which("dpkg-deb") is None, reason="no dpkg-deb on this machine")
def test_the_deb_puts_everything_where_the_system_looks(tree: tuple[Path, Path]) -> None:
    path = linux_packages.make_deb(*tree, "cpu")
    listing = subprocess.run(["dpkg-deb", "-c", str(path)], capture_output=True, encoding="utf-8").stdout
    for expected in (
        "./usr/lib/lectern/lectern-app",
        "./usr/bin/lectern-app -> ../lib/lectern/lectern-app",
        "./usr/bin/lectern -> ../lib/lectern/lectern",
        "./usr/share/applications/lectern.desktop",
        f"./usr/share/metainfo/{linux_packages._METAINFO}",
        "./usr/share/icons/hicolor/256x256/apps/lectern.png",
        "./usr/share/icons/hicolor/scalable/apps/lectern.svg",
        "./usr/share/doc/lectern/copyright",
    ):
        assert f" {expected}\n" in listing
    assert all(line.split()[1] == "root/root" for line in listing.splitlines())
    assert any(line.startswith("-rw-r--r--") and "NOTICE.txt" in line for line in listing.splitlines())
    assert not (tree[0] / "build" / "deb").exists()


@pytest.mark.skipif(shutil.which("zstd") is None, reason="no zstd on this machine")
def test_the_archive_has_one_folder_at_its_top(tree: tuple[Path, Path], tmp_path: Path) -> None:
    path = linux_packages.make_archive(*tree, "cpu")
    plain = tmp_path / "plain.tar"
    subprocess.run(["zstd", "-q", "-d", str(path), "-o", str(plain)], check=True)
    with tarfile.open(plain) as archive:
        members = archive.getmembers()
    top = path.name.removesuffix(".tar.zst")
    assert {member.name.split("/")[0] for member in members} == {top}
    assert {f"{top}/lectern-app", f"{top}/share/applications/lectern.desktop"} <= {m.name for m in members}
    assert {(member.uid, member.mtime) for member in members} == {(0, 86_400)}


def test_icons_are_drawn_in_a_colour_of_their_own(repository: Path, tmp_path: Path) -> None:
    from PySide6.QtGui import QImage, QImageReader

    assert b"currentColor" not in icons.svg(repository)
    image = QImage.fromData(icons.png(repository, 64))
    assert (image.width(), image.height()) == (64, 64)
    opaque = [
        image.pixelColor(x, y) for x in range(64) for y in range(64) if image.pixelColor(x, y).alpha() > 250
    ]
    assert len(opaque) > 100
    assert all(colour.blue() > colour.red() for colour in opaque)
    icons.write_ico(repository, tmp_path / "lectern.ico")
    assert QImageReader(str(tmp_path / "lectern.ico")).imageCount() == 7
