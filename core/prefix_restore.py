"""A sequence put back to where it was when its document cache was written, and what the cache must know."""

from collections.abc import Mapping

import torch

from core.attention.select import LowRankDigest
from core.document_caches.folder import CacheFolder
from core.document_caches.manifest import LayerLayout, Manifest
from core.errors import DamagedCacheError
from core.kv.cache import TieredCache
from core.kv.layer import TieredLayer
from core.kv.mapped_blocks import MappedBlocks
from core.kv.snapshot import PlaceOf, SavedState, digests_from_bytes
from core.models.loader import LoadedModel


def layouts_of(cache: TieredCache) -> tuple[LayerLayout, ...]:
    """The layers of `cache` that keep blocks, as a manifest tells them."""
    return tuple(
        LayerLayout(
            layer_idx=index,
            num_kv_heads=layer.tiers.shape.num_kv_heads,
            k_dim=layer.tiers.shape.k_dim,
            v_dim=layer.tiers.shape.v_dim,
            block_bytes=layer.tiers.codec.block_bytes,
            compute_dtype=str(layer.tiers.codec.compute_dtype).removeprefix("torch."),
            device=str(layer.tail[0].device),
        )
        for index, layer in enumerate(cache.layers)
        if isinstance(layer, TieredLayer) and layer.tiers is not None
    )


def restored(
    cache: TieredCache,
    loaded: LoadedModel,
    folder: CacheFolder,
    manifest: Manifest,
    *,
    checked_from: int | None = None,
) -> None:
    """Put the empty `cache` to the manifest's resume point: blocks are mapped, the rest is read.

    Rows from `checked_from` on have been checked already. Raises `DamagedCacheError` and leaves `cache`
    empty.
    """
    folder.require_sizes(manifest)
    place_of = _place_of(loaded)
    side = manifest.point.state
    state = SavedState(folder.read_side(side)) if side is not None else None
    sums = folder.sums(manifest)
    try:
        for layout, layer_sums in zip(manifest.layers, sums, strict=True):
            layer = cache.layers[layout.layer_idx]
            if not isinstance(layer, TieredLayer):
                raise DamagedCacheError.of("its layers are not those of the model")
            blocks = _mapped(folder, layout, layer_sums, checked_from)
            dtype = cache.store.settings.dtype or getattr(torch, layout.compute_dtype)
            tail = (
                state.tail(layout.layer_idx, place_of)
                if state is not None
                else _no_tail(layout, place_of(layout.device), dtype)
            )
            layer.stand_at(blocks, tail, getattr(torch, layout.compute_dtype))
            if manifest.was_cut and layer.tiers is not None:
                layer.tiers.remember_cut()
        for index, layer in enumerate(cache.layers):
            if not isinstance(layer, TieredLayer):
                if state is None:
                    raise DamagedCacheError.of("the state of its layers is missing")
                state.restore(index, layer, place_of)
        if cache.num_tokens != manifest.point.num_tokens:
            raise DamagedCacheError.of("it does not hold the tokens that it should")
    except (KeyError, IndexError, AttributeError, TypeError, ValueError, RuntimeError) as error:
        cache.empty()
        raise DamagedCacheError.of("its parts do not fit together") from error
    except DamagedCacheError:
        cache.empty()
        raise


def restored_digests(data: bytes, cache: TieredCache) -> Mapping[int, LowRankDigest]:
    """The digests in `data` that are of just the blocks of `cache`. Raises `DamagedCacheError`."""
    layers = {
        index: layer
        for index, layer in enumerate(cache.layers)
        if isinstance(layer, TieredLayer) and layer.tiers is not None
    }
    digests = digests_from_bytes(data, {index: layer.tail[0].device for index, layer in layers.items()})
    size = cache.store.settings.block_tokens
    return {
        index: digest
        for index, digest in digests.items()
        if digest.num_tokens == len(layers[index].blocks) * size
    }


def _mapped(
    folder: CacheFolder, layout: LayerLayout, sums: list[int], checked_from: int | None
) -> MappedBlocks | None:
    if not sums:
        return None
    path = folder.blocks_path(layout.layer_idx)
    return MappedBlocks(path, layout.layer_idx, layout.block_bytes, sums, checked_from)


def _no_tail(
    layout: LayerLayout, device: torch.device, dtype: torch.dtype
) -> tuple[torch.Tensor, torch.Tensor]:
    return (
        torch.empty(1, layout.num_kv_heads, 0, layout.k_dim, dtype=dtype, device=device),
        torch.empty(1, layout.num_kv_heads, 0, layout.v_dim, dtype=dtype, device=device),
    )


def _place_of(loaded: LoadedModel) -> PlaceOf:
    """What was in host memory stays there; a model on one device has moved if that has another number now."""

    def place_of(device: str) -> torch.device:
        if device == "cpu" or loaded.sharding is not None:
            return torch.device(device)
        return loaded.device

    return place_of
