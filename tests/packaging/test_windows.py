"""The installer for Windows, as far as it can be read elsewhere."""

import importlib.util
import re
import types
from pathlib import Path

import pytest

from core.documents.formats import _BY_SUFFIX

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


@pytest.mark.parametrize("quote", ['"', "'"])
def test_either_kind_of_quotes_holds_a_word_together(build: types.ModuleType, quote: str) -> None:
    template = f"tool /n {quote}A Name{quote} {quote}{{file}}{quote}"
    assert build.compilers_sign_command(template) == "tool /n $qA Name$q $f"
    assert build.sign_command(template, "x y.exe") == ["tool", "/n", "A Name", "x y.exe"]


def test_what_the_end_of_the_build_needs_is_looked_for_first(
    build: types.ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    runtime = tmp_path / "vc_redist.x64.exe"
    arguments = ["--torch-index", "URL", "--runtime-installer", str(runtime)]
    with pytest.raises(build.WindowsBuildError, match="--runtime-installer"):
        build.require_tools(build._parse(arguments))
    runtime.touch()
    build.require_tools(build._parse(arguments))
    with pytest.raises(build.WindowsBuildError, match="no-such-tool is not found"):
        build.require_tools(build._parse([*arguments, "--sign", "no-such-tool {file}"]))
    monkeypatch.setattr(build, "_COMPILERS", (str(tmp_path / "ISCC.exe"),))
    with pytest.raises(build.WindowsBuildError, match="Inno Setup"):
        build.find_compiler(None)


def test_the_association_is_a_choice_and_never_the_default(script: str) -> None:
    lines = [line for line in _section(script, "Registry").splitlines() if line.startswith("Root:")]
    assert lines
    assert all(line.endswith("Tasks: openwith") for line in lines)
    kinds = {suffix for suffix in _BY_SUFFIX if suffix not in (".htm", ".xhtml", ".markdown")}
    offered = {found for line in lines for found in re.findall(r"Classes\\(\.\w+)\\OpenWithProgids", line)}
    supported = {
        found for line in lines for found in re.findall(r'SupportedTypes.*ValueName: "(\.\w+)"', line)
    }
    assert offered == supported == kinds
    assert not any(re.search(r'Subkey: "Software\\Classes\\\.\w+";', line) for line in lines)


def test_user_data_is_removed_only_on_request(script: str) -> None:
    code = _section(script, "Code")
    assert "MB_DEFBUTTON2" in code
    assert "UninstallSilent" in code
    assert r"{localappdata}\Lectern" in code
    assert r"{localappdata}" not in _section(script, "UninstallDelete")
    question = re.search(r"^en\.RemoveData=(.*)$", script, re.MULTILINE)
    assert question is not None
    assert "conversations" in question[1]
    assert question[1].endswith("%1")


def test_chinese_is_read_as_what_it_is(repository: Path) -> None:
    """The compiler takes a script without the mark for one in the code page of the machine."""
    assert (repository / "packaging" / "windows" / "lectern.iss").read_bytes().startswith(b"\xef\xbb\xbf")


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
            assert not re.search(r"https?://(?!schemas\.)", text), f"{path.name} names an address"
