"""The files of one document cache.

    manifest.json      what it is, and up to where it is safe on the disk
    layer-0007.blocks  the blocks of layer 7, one after the other
    sums               for each block the checksums of all layers; a record of fixed size
    progress           resume points since the manifest; a record of fixed size each
    state-30720        what does not lie in blocks at a resume point: tails, windows, recurrent states
    digests            what sparse decoding chooses by
    beside-NAME        small things that can be made again; the manifest does not know them

Blocks, sums and progress only grow. What comes after the last resume point is left from a crash and cut off.
"""

import os
import struct
from collections.abc import Iterator
from pathlib import Path

from core.cancel import CancelToken
from core.document_caches.checksums import SUM_BYTES, block_checksum, checksum, pack_sums, unpack_sums
from core.document_caches.manifest import (
    LayerLayout,
    Manifest,
    ResumePoint,
    SideFile,
    read_manifest,
    write_manifest,
)
from core.errors import DamagedCacheError

_PROGRESS = struct.Struct("<QQI")
_PIECE_BYTES = 1 << 20
_STATE_PREFIX = "state-"
_BESIDE_PREFIX = "beside-"
DIGESTS_NAME = "digests"


class CacheFolder:
    """Reads and writes the files; knows nothing of locks. `path` need not exist before they are written."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @property
    def size_bytes(self) -> int:
        """What all files take, also those that a crash has left."""
        try:
            return sum(entry.stat().st_size for entry in os.scandir(self.path))
        except OSError:
            return 0

    def manifest(self) -> Manifest | None:
        return read_manifest(self.path)

    def blocks_path(self, layer_idx: int) -> Path:
        return self.path / f"layer-{layer_idx:04d}.blocks"

    def append_block_rows(self, layer_idx: int, rows: list[memoryview]) -> None:
        self._append(self.blocks_path(layer_idx), rows)

    def append_sums(self, sums: list[list[int]]) -> None:
        """`sums[i]` holds the checksums of all layers' next i-th block."""
        self._append(self._sums_path, [memoryview(pack_sums(record)) for record in sums])

    def append_progress(self, point: ResumePoint) -> None:
        state = point.state
        sizes = (state.size_bytes, state.checksum) if state is not None else (0, 0)
        record = _PROGRESS.pack(point.num_tokens, *sizes)
        self._append(self._progress_path, [memoryview(record + pack_sums([checksum(record)]))])

    def write_side(self, name: str, data: bytes) -> SideFile:
        (self.path / name).write_bytes(data)
        return SideFile(name, len(data), checksum(data))

    def read_side(self, side: SideFile) -> bytes:
        """Raises `DamagedCacheError` unless it is what was written."""
        try:
            data = (self.path / side.name).read_bytes()
        except OSError as error:
            raise DamagedCacheError.of(f"the file {side.name} cannot be read") from error
        if len(data) != side.size_bytes or checksum(data) != side.checksum:
            raise DamagedCacheError.of(f"the file {side.name} has changed")
        return data

    def write_beside(self, name: str, data: bytes) -> None:
        """Keep something small, as a whole or not at all. Raises `OSError`."""
        path = self.path / f"{_BESIDE_PREFIX}{name}"
        temporary = path.with_name(f"{path.name}.new-{os.getpid()}")
        try:
            temporary.write_bytes(pack_sums([checksum(data)]) + data)
            temporary.replace(path)
        finally:
            temporary.unlink(missing_ok=True)

    def read_beside(self, name: str) -> bytes | None:
        """What was written; None if it is not there or has changed."""
        try:
            content = (self.path / f"{_BESIDE_PREFIX}{name}").read_bytes()
        except OSError:
            return None
        data = content[SUM_BYTES:]
        return data if content[:SUM_BYTES] == pack_sums([checksum(data)]) else None

    def sums(self, manifest: Manifest) -> list[list[int]]:
        """For each layer of the manifest, in its order, the checksums of its blocks at the resume point."""
        num_layers, num_blocks = len(manifest.layers), manifest.num_blocks
        size = num_layers * num_blocks * SUM_BYTES
        try:
            with self._sums_path.open("rb") as file:
                data = file.read(size)
        except FileNotFoundError:
            data = b""
        except OSError as error:
            raise DamagedCacheError.of("its checksums cannot be read") from error
        if len(data) < size:
            raise DamagedCacheError.of("its checksums are incomplete")
        values = unpack_sums(data)
        return [values[position::num_layers] for position in range(num_layers)]

    def require_sizes(self, manifest: Manifest) -> None:
        """Raises `DamagedCacheError` if a layer is shorter than the manifest says."""
        for layer in manifest.layers:
            path, wanted = self.blocks_path(layer.layer_idx), manifest.num_blocks * layer.block_bytes
            if wanted and _size_of(path) < wanted:
                raise DamagedCacheError.of(f"the file {path.name} is shorter than it was")

    def later_points(self, manifest: Manifest) -> Iterator[ResumePoint]:
        """Resume points after the manifest's own, the last one first; they may not have reached the disk."""
        try:
            data = self._progress_path.read_bytes()
        except OSError:
            return
        points, size = [], _PROGRESS.size + SUM_BYTES
        for start in range(0, len(data) - size + 1, size):
            record = data[start : start + _PROGRESS.size]
            if pack_sums([checksum(record)]) != data[start + _PROGRESS.size : start + size]:
                break
            num_tokens, state_bytes, state_sum = _PROGRESS.unpack(record)
            state = SideFile(state_name(num_tokens), state_bytes, state_sum) if state_bytes else None
            if manifest.point.num_tokens < num_tokens <= manifest.total_tokens:
                points.append(ResumePoint(num_tokens, state))
        yield from reversed(points)

    def require_blocks(self, manifest: Manifest, first: int = 0, cancel: CancelToken | None = None) -> None:
        """Check every block from row `first` on. Raises `DamagedCacheError` at the first that is wrong."""
        for layer, sums in zip(manifest.layers, self.sums(manifest), strict=True):
            if cancel is not None:
                cancel.raise_if_cancelled()
            for row, data in enumerate(self._rows(layer, first, manifest.num_blocks), first):
                if block_checksum(data, layer.layer_idx, row) != sums[row]:
                    raise DamagedCacheError.of(f"block {row} of layer {layer.layer_idx} has changed")

    def begin_at(self, manifest: Manifest) -> None:
        """Cut off what comes after the manifest's resume point, and make the manifest say it."""
        for layer in manifest.layers:
            _cut(self.blocks_path(layer.layer_idx), manifest.num_blocks * layer.block_bytes)
        _cut(self._sums_path, manifest.num_blocks * len(manifest.layers) * SUM_BYTES)
        self.make_safe(manifest)

    def make_safe(self, manifest: Manifest) -> None:
        """Let everything reach the disk, then replace the manifest; older states go."""
        state = manifest.point.state
        sides = [self.path / side.name for side in (state, manifest.digests) if side is not None]
        for path in (*self._block_paths(manifest), self._sums_path, *sides):
            _sync(path)
        write_manifest(self.path, manifest)
        _cut(self._progress_path, 0)
        for path in self.path.glob(f"{_STATE_PREFIX}*"):
            if state is None or path.name != state.name:
                path.unlink(missing_ok=True)

    @property
    def _sums_path(self) -> Path:
        return self.path / "sums"

    @property
    def _progress_path(self) -> Path:
        return self.path / "progress"

    def _block_paths(self, manifest: Manifest) -> Iterator[Path]:
        for layer in manifest.layers:
            yield self.blocks_path(layer.layer_idx)

    def _rows(self, layer: LayerLayout, first: int, last: int) -> Iterator[bytes]:
        if first >= last:
            return
        try:
            with self.blocks_path(layer.layer_idx).open("rb", buffering=_PIECE_BYTES) as file:
                file.seek(first * layer.block_bytes)
                for _ in range(first, last):
                    yield file.read(layer.block_bytes)
        except OSError as error:
            raise DamagedCacheError.of(f"layer {layer.layer_idx} cannot be read") from error

    @staticmethod
    def _append(path: Path, pieces: list[memoryview]) -> None:
        with path.open("ab", buffering=0) as file:
            for piece in pieces:
                left = piece.cast("B") if piece.ndim != 1 or piece.format != "B" else piece
                while left.nbytes:
                    left = left[file.write(left) or 0 :]


def state_name(num_tokens: int) -> str:
    return f"{_STATE_PREFIX}{num_tokens}"


def _size_of(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return -1


def _cut(path: Path, num_bytes: int) -> None:
    if _size_of(path) > num_bytes:
        os.truncate(path, num_bytes)


def _sync(path: Path) -> None:
    try:
        with path.open("rb+") as file:
            os.fsync(file.fileno())
    except FileNotFoundError:
        return
