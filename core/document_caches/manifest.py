"""What a document cache says about itself: `manifest.json`, replaced as a whole and always last."""

import hashlib
import json
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from core.errors import DamagedCacheError, OtherVersionCacheError

FORMAT_VERSION = 1
MANIFEST_NAME = "manifest.json"


@dataclass(frozen=True)
class LayerLayout:
    """The blocks of one layer. `layer_idx` is its index in the model, `compute_dtype` what it computes in."""

    layer_idx: int
    num_kv_heads: int
    k_dim: int
    v_dim: int
    block_bytes: int
    compute_dtype: str
    device: str


@dataclass(frozen=True)
class SideFile:
    """A file that is small and read as a whole."""

    name: str
    size_bytes: int
    checksum: int


@dataclass(frozen=True)
class ResumePoint:
    """Reading can go on after `num_tokens`; `state` is what does not lie in blocks, None if nothing does."""

    num_tokens: int
    state: SideFile | None = None


@dataclass(frozen=True)
class Manifest:
    """`identity` is all that the content depends on; its digest is the `key`, the name of the folder.

    `point` is the newest resume point that is safe on the disk, `total_tokens` the length of the documents.
    `was_cut` is for numbers that the stored type could not hold.
    """

    identity: Mapping[str, Any]
    model: str
    documents: tuple[str, ...]
    total_tokens: int
    block_tokens: int
    layers: tuple[LayerLayout, ...]
    point: ResumePoint
    was_cut: bool = False
    digests: SideFile | None = field(default=None)

    @property
    def key(self) -> str:
        return key_of(self.identity)

    @property
    def is_complete(self) -> bool:
        return self.point.num_tokens == self.total_tokens

    @property
    def num_blocks(self) -> int:
        """The rows of each layer at `point`."""
        return self.point.num_tokens // self.block_tokens

    @property
    def content_bytes(self) -> int:
        """What blocks and side files take at `point`."""
        sides = sum(side.size_bytes for side in (self.point.state, self.digests) if side is not None)
        return self.num_blocks * sum(layer.block_bytes for layer in self.layers) + sides


def key_of(identity: Mapping[str, Any]) -> str:
    """A name for everything that a cache depends on."""
    return hashlib.blake2b(_canonical(identity), digest_size=16).hexdigest()


def read_manifest(folder: Path) -> Manifest | None:
    """The manifest in `folder`, None if there is none.

    Raises `DamagedCacheError`, and `OtherVersionCacheError` for one in another format.
    """
    try:
        text = (folder / MANIFEST_NAME).read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise DamagedCacheError.of(f"its manifest cannot be read ({error.strerror})") from error
    try:
        return _parse(text)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise DamagedCacheError.of("its manifest makes no sense") from error


def write_manifest(folder: Path, manifest: Manifest) -> None:
    """Replace the manifest in `folder`: after a crash there is the old one or the new one, whole."""
    content = asdict(manifest)
    whole = {"format": FORMAT_VERSION, "digest": _digest(content), "content": content}
    temporary = folder / f"{MANIFEST_NAME}.new"
    with temporary.open("wb") as file:
        file.write(json.dumps(whole, ensure_ascii=False, indent=1).encode())
        file.flush()
        os.fsync(file.fileno())
    temporary.replace(folder / MANIFEST_NAME)
    sync_folder(folder)


def sync_folder(folder: Path) -> None:
    """Make renamed and new names in `folder` survive a loss of power, where the system has a way."""
    if os.name != "posix":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _parse(text: bytes) -> Manifest:
    whole = json.loads(text)
    if isinstance(whole["format"], int) and whole["format"] != FORMAT_VERSION:
        raise _other_version(whole)
    content = whole["content"]
    if whole["format"] != FORMAT_VERSION or whole["digest"] != _digest(content):
        raise ValueError(whole["format"])
    point = content["point"]
    manifest = Manifest(
        identity=content["identity"],
        model=content["model"],
        documents=tuple(content["documents"]),
        total_tokens=content["total_tokens"],
        block_tokens=content["block_tokens"],
        layers=tuple(LayerLayout(**layer) for layer in content["layers"]),
        point=ResumePoint(point["num_tokens"], _side(point["state"])),
        was_cut=content["was_cut"],
        digests=_side(content["digests"]),
    )
    if not 0 < manifest.point.num_tokens <= manifest.total_tokens or manifest.block_tokens < 1:
        raise ValueError(manifest.point.num_tokens)
    return manifest


def _other_version(whole: Mapping[str, Any]) -> OtherVersionCacheError:
    """Of what another format holds, only the names of the documents are looked for."""
    error = OtherVersionCacheError.of("it was kept by another version of Lectern")
    content = whole.get("content")
    names = content.get("documents") if isinstance(content, dict) else None
    if isinstance(names, list):
        error.documents = tuple(name for name in names if isinstance(name, str))
    return error


def _side(content: Mapping[str, Any] | None) -> SideFile | None:
    return None if content is None else SideFile(**content)


def _digest(content: Mapping[str, Any]) -> str:
    return hashlib.blake2b(_canonical(content), digest_size=16).hexdigest()


def _canonical(content: Mapping[str, Any]) -> bytes:
    return json.dumps(content, sort_keys=True, ensure_ascii=False).encode("utf-8", "surrogatepass")
