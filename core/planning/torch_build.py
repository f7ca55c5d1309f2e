"""Which torch is installed, read from its files: importing it would take a second and more."""

import importlib.util
import re
from dataclasses import dataclass
from pathlib import Path

_VERSION = re.compile(r"^__version__\s*=\s*['\"]([^'\"]+)['\"]", re.MULTILINE)
_CUDA = re.compile(r"^cuda\s*(?::[^=\n]*)?=\s*['\"]([^'\"]+)['\"]", re.MULTILINE)


@dataclass(frozen=True)
class TorchBuild:
    """The version of torch and of the CUDA it was built for; `cuda` None is a build for CPUs only."""

    version: str
    cuda: str | None


def torch_build() -> TorchBuild | None:
    """None if torch is not installed or does not say what it is."""
    try:
        spec = importlib.util.find_spec("torch")
    except (ImportError, ValueError):
        return None
    if spec is None or spec.origin is None:
        return None
    return read_torch_build(Path(spec.origin).with_name("version.py"))


def read_torch_build(version_file: Path) -> TorchBuild | None:
    """What a `torch/version.py` says."""
    try:
        text = version_file.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return None
    version, cuda = _VERSION.search(text), _CUDA.search(text)
    return TorchBuild(version[1], cuda[1] if cuda else None) if version else None
