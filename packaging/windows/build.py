"""The installer for Windows, made on Windows.

    py -3.11 packaging\\windows\\build.py --torch-index URL --runtime-installer vc_redist.x64.exe

Works in a virtual environment of its own, so that the build of torch is the one that was asked for. Call it
from a folder near the root of a drive: some paths inside torch are long.
"""

from __future__ import annotations

import argparse
import os
import shlex
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "packaging"))

import bundle  # noqa: E402 - beside this folder, not in it
from environment import say, venv_python  # noqa: E402

MAX_ROOT_LENGTH = 60
_FILE = "{file}"
_QUOTES = "\"'"
_COMPILERS = (
    r"C:\Program Files (x86)\Inno Setup 6\ISCC.exe",
    r"C:\Program Files\Inno Setup 6\ISCC.exe",
    r"%LOCALAPPDATA%\Programs\Inno Setup 6\ISCC.exe",
)


class WindowsBuildError(Exception):
    """The build cannot go on; the text says why and what to do."""


def main(arguments: Sequence[str] | None = None) -> int:
    options = _parse(arguments)
    try:
        require_good_place(ROOT)
        compiler = find_compiler(options.compiler)
        require_tools(options)
        python = make_environment(ROOT, options.torch_index)
        _must(
            [str(python), str(ROOT / "packaging" / "builder.py"), *([] if options.no_check else ["--check"])]
        )
        folder = ROOT / "dist" / bundle.NAME
        if options.sign:
            for program in bundle.PROGRAMS:
                _must(sign_command(options.sign, folder / f"{program}.exe"))
        variant = "cuda" if is_cuda(python) else "cpu"
        _must(compiler_command(compiler, folder, variant, options))
    except WindowsBuildError as error:
        print(f"\nThe build stopped. {error}", file=sys.stderr)
        return 1
    say(f"The installer is in {ROOT / 'dist'}: keep the .exe and all .bin files together")
    return 0


def _parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--torch-index", required=True, metavar="URL", help="package index that has the build of torch wanted"
    )
    parser.add_argument(
        "--runtime-installer", required=True, type=Path, metavar="EXE", help="Microsoft's vc_redist.x64.exe"
    )
    parser.add_argument(
        "--compiler", type=Path, metavar="ISCC.exe", help="where Inno Setup is not in its place"
    )
    parser.add_argument(
        "--sign",
        metavar="COMMAND",
        help="signs one file, {file} is its path; used for the programs, the installer and the uninstaller",
    )
    parser.add_argument("--no-check", action="store_true", help="do not start the programs that were built")
    return parser.parse_args(arguments)


def require_good_place(root: Path) -> None:
    if os.name != "nt":
        raise WindowsBuildError("PyInstaller builds for the system that it runs on: call this on Windows.")
    if len(str(root)) > MAX_ROOT_LENGTH:
        raise WindowsBuildError(
            f"{root} is too deep for torch's long paths: move the checkout, say to C:\\src."
        )


def require_tools(options: argparse.Namespace) -> None:
    """What the end of a long build needs is looked for at its beginning."""
    if not options.runtime_installer.is_file():
        raise WindowsBuildError(f"There is no {options.runtime_installer}: --runtime-installer says where.")
    if options.sign:
        program = sign_command(options.sign, ROOT)[0]
        if shutil.which(program) is None:
            raise WindowsBuildError(f"{program} is not found: write its whole path in --sign.")


def make_environment(root: Path, torch_index: str) -> Path:
    """build\\windows-venv with torch from `torch_index` and everything else as pinned."""
    venv = root / "build" / "windows-venv"
    python = venv_python(venv)
    if not python.exists():
        _must([sys.executable, "-m", "venv", str(venv)])
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    pip = [str(python), "-m", "pip", "--disable-pip-version-check", "install"]
    torch = next(line for line in project["dependencies"] if line.startswith("torch=="))
    _must([*pip, torch, "--index-url", torch_index])
    _must([*pip, "--editable", f"{root}[build]"])
    return python


def is_cuda(python: Path) -> bool:
    probe = "import torch; print(torch.version.cuda or '')"
    return bool(subprocess.run([str(python), "-c", probe], capture_output=True, check=True).stdout.strip())


def find_compiler(given: Path | None) -> Path:
    for candidate in [given] if given else [Path(os.path.expandvars(path)) for path in _COMPILERS]:
        if candidate.is_file():
            return candidate
    raise WindowsBuildError("Inno Setup 6.3 or newer is not installed; --compiler says where ISCC.exe is.")


def sign_command(template: str, path: Path) -> list[str]:
    """The command for one file; words with blanks stand in quotes of either kind.

    Raises `WindowsBuildError` if `template` has no place for the file.
    """
    if _FILE not in template:
        raise WindowsBuildError("--sign needs {file} where the path of the file to sign belongs.")
    return [word.strip(_QUOTES).replace(_FILE, str(path)) for word in shlex.split(template, posix=False)]


def compilers_sign_command(template: str) -> str:
    """The same as Inno Setup wants it: `$f` is the quoted path, and `$q` stands for a quote."""
    for quote in _QUOTES:
        template = template.replace(f"{quote}{_FILE}{quote}", _FILE).replace(quote, "$q")
    return template.replace(_FILE, "$f")


def compiler_command(compiler: Path, folder: Path, variant: str, options: argparse.Namespace) -> list[str]:
    version = bundle.read_version(ROOT)
    definitions = {
        "AppVersion": version,
        "NumericVersion": ".".join(map(str, bundle.version_numbers(version))),
        "Variant": variant,
        "SourceDir": str(folder),
        "OutputDir": str(ROOT / "dist"),
        "RuntimeInstaller": str(options.runtime_installer.resolve()),
    }
    command = [str(compiler), *(f"/D{name}={value}" for name, value in definitions.items())]
    if options.sign:
        command += ["/DSignTool=lectern", f"/Slectern={compilers_sign_command(options.sign)}"]
    return [*command, str(ROOT / "packaging" / "windows" / "lectern.iss")]


def _must(command: Sequence[str]) -> None:
    if subprocess.call(list(command), cwd=ROOT, env=os.environ | {"PYTHONUTF8": "1"}) != 0:
        raise WindowsBuildError(f"This step failed: {command[0]}; the lines above say why.")


if __name__ == "__main__":
    sys.exit(main())
