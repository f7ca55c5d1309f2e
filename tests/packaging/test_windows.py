"""The installer for Windows, as far as it can be read elsewhere."""

import importlib.util
import re
import types
from pathlib import Path

import pytest

SECTIONS = {
    *("Setup", "Languages", "CustomMessages", "Tasks", "InstallDelete", "Files", "Icons", "Registry", "Run"),
    *("UninstallDelete", "Code"),
}


@pytest.fixture(scope="module")
def script(repository: Path) -> str:
    return (repository / "packaging" / "windows" / "lectern.iss").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def build(repository: Path) -> types.ModuleType:
    path = repository / "packaging" / "windows" / "build.py"
    spec = importlib.util.spec_from_file_location("windows_build", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _section(script: str, name: str) -> str:
    return script.split(f"\n[{name}]\n", 1)[1].split("\n[", 1)[0]


def _setup(script: str) -> dict[str, str]:
    lines = [line for line in _section(script, "Setup").splitlines() if "=" in line and line[0] not in ";#"]
    return dict(line.split("=", 1) for line in lines)


def test_the_script_has_every_section_once(script: str) -> None:
    found = re.findall(r"^\[(\w+)\]$", script, re.MULTILINE)
    assert set(found) == SECTIONS
    assert len(found) == len(SECTIONS)


def test_it_installs_for_the_user_alone_and_in_slices(script: str) -> None:
    setup = _setup(script)
    assert setup["PrivilegesRequired"] == "lowest"
    assert setup["DefaultDirName"].startswith("{userpf}")
    assert setup["DiskSpanning"] == "yes"
    assert int(setup["DiskSliceSize"]) <= 2_100_000_000
    assert setup["ArchitecturesInstallIn64BitMode"] == "x64compatible"
    assert "HKLM" not in _section(script, "Registry")


def test_the_version_comes_from_outside(script: str, build: types.ModuleType) -> None:
    setup = _setup(script)
    assert setup["AppVersion"] == "{#AppVersion}"
    assert setup["VersionInfoVersion"] == "{#NumericVersion}"
    options = build._parse(["--torch-index", "URL", "--runtime-installer", "x.exe", "--sign", "sign {file}"])
    command = build.compiler_command(Path("ISCC.exe"), Path("dist/lectern"), "cuda", options)
    defined = {word[2:].split("=")[0] for word in command if word.startswith("/D")}
    used = set(re.findall(r"\{#(\w+)\}", script)) - set(re.findall(r"^#define (\w+)", script, re.MULTILINE))
    assert used == defined
    assert "/Slectern=sign $f" in command


def test_the_association_is_a_choice_and_never_the_default(script: str) -> None:
    lines = [line for line in _section(script, "Registry").splitlines() if line.startswith("Root:")]
    assert lines
    assert all(line.endswith("Tasks: openwith") for line in lines)
    assert any(r"\.pdf\OpenWithProgids" in line for line in lines)
    assert not any(re.search(r'Subkey: "Software\\Classes\\\.pdf";', line) for line in lines)


def test_user_data_is_removed_only_on_request(script: str) -> None:
    code = _section(script, "Code")
    assert "MB_DEFBUTTON2" in code
    assert "UninstallSilent" in code
    assert r"{localappdata}\Lectern" in code
    assert r"{localappdata}" not in _section(script, "UninstallDelete")


def test_the_code_is_balanced(script: str) -> None:
    code = re.sub(r"\{[^}]*\}|'[^'\n]*'", "", _section(script, "Code"))
    assert len(re.findall(r"\bbegin\b", code)) == len(re.findall(r"\bend;", code))
    assert code.count("(") == code.count(")")


def test_every_message_that_is_used_exists_in_english(script: str) -> None:
    used = set(re.findall(r"\{cm:(\w+)\}", script)) | set(re.findall(r"CustomMessage\('(\w+)'\)", script))
    english = set(re.findall(r"^en\.(\w+)=", script, re.MULTILINE))
    chinese = set(re.findall(r"^zh_CN\.(\w+)=", script, re.MULTILINE))
    assert used == english == chinese


@pytest.mark.parametrize("arguments", [[], ["--torch-index", "URL"], ["--runtime-installer", "x.exe"]])
def test_where_torch_and_the_runtime_come_from_must_be_said(
    build: types.ModuleType, arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        build._parse(arguments)
    assert "required" in capsys.readouterr().err


def test_it_says_that_it_needs_windows(build: types.ModuleType, capsys: pytest.CaptureFixture[str]) -> None:
    if build.os.name == "nt":
        pytest.skip("this is Windows")
    assert build.main(["--torch-index", "URL", "--runtime-installer", "x.exe"]) == 1
    assert "call this on Windows" in capsys.readouterr().err


def test_a_deep_checkout_is_refused(build: types.ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(build.os, "name", "nt")
    build.require_good_place("C:\\src\\lectern")
    with pytest.raises(build.WindowsBuildError, match="too deep"):
        build.require_good_place("C:\\" + "deep\\" * 20)


def test_a_signing_command_gets_each_file(build: types.ModuleType) -> None:
    template = 'signtool sign /fd sha256 /n "A Name" {file}'
    assert build.sign_command(template, "dist\\lectern app.exe") == [
        *("signtool", "sign", "/fd", "sha256", "/n", "A Name", "dist\\lectern app.exe")
    ]
    with pytest.raises(build.WindowsBuildError, match="file"):
        build.sign_command("signtool sign", "x.exe")


def test_no_address_of_a_package_index_is_written_down(repository: Path) -> None:
    for path in (repository / "packaging").rglob("*"):
        if path.suffix in (".py", ".spec", ".iss", ".md", ".sh"):
            text = path.read_text(encoding="utf-8")
            assert not re.search(r"https?://", text), f"{path.name} names an address"
