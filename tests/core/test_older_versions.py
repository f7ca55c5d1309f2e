"""What earlier versions of the program left on the disk, kept as files, opened by this one.

`tests/data/README.md` says how the files were made. They stay as they are: a test that fails here means that
users would lose what they have.
"""

import json
import shutil
from pathlib import Path
from types import SimpleNamespace

import pytest
import torch
from safetensors.torch import load_file
from transformers import AutoModelForCausalLM, LlamaConfig, PreTrainedModel

from core.attention.tiered import register
from core.cancel import CancelToken
from core.cli import main
from core.document_caches.manifest import FORMAT_VERSION, MANIFEST_NAME
from core.document_caches.shelf import CacheShelf
from core.errors import OtherVersionCacheError
from core.generation.prefill import prefill
from core.generation.runner import ModelRunner
from core.kv.cache import TieredCache
from core.kv.store import KvSettings, KvStore
from core.library.library import Library
from core.prefix_cache import PrefixCache
from core.prefix_notes import OTHER_VERSION_NOTE
from core.review.finding import FindingStatus

OLDER = Path(__file__).parent.parent / "data" / "older"
KEY = "089e6e44b2046ebf54a261228702d1d7"
DOCUMENTS = ("lease.pdf",)
IDENTITY = {"format": 1, "kind": "llama", "codec": "none"}
TOKEN_IDS = [(7 * index * index + 3 * index) % 29 + 3 for index in range(40)]

register()


def test_a_library_of_the_first_version_opens_whole_and_can_be_added_to(tmp_path: Path) -> None:
    path = tmp_path / "library.db"
    shutil.copy(OLDER / "library-1.db", path)
    with Library.open(path) as library:
        assert library.notes == ()
        (lease,) = library.documents.all()
        assert (lease.name, lease.num_pages) == ("lease.pdf", 12)
        (talk,) = library.conversations.all()
        assert (talk.title, talk.document_ids) == ("Laufzeit 期限", (lease.document_id,))
        answered, asked = library.conversations.turns(talk.conversation_id)
        assert answered.answer is not None
        assert answered.answer.text == "The term is “five (5) years”."
        assert (answered.answer.citations[0].page_index, answered.answer.citations[0].verified) == (3, True)
        assert answered.answer.closest_passage is not None
        assert answered.answer.metrics is not None
        assert (answered.answer.notes, answered.answer.token_ids) == ((), ())
        assert answered.answer.evidence == ()
        assert (asked.question, asked.answer) == ("And who may end it?", None)
        (found,) = library.findings.of(lease.document_id)
        assert (found.finding.status, found.finding.comment) == (FindingStatus.ACCEPTED, "Ask them.")
        assert [cache.num_tokens for cache in library.caches.all()] == [512]
        assert [hit.turn_id for hit in library.search("years")] == [answered.turn_id]
        library.conversations.answer_turn(asked.turn_id, answered.answer)
    with Library.open(path) as library:
        assert len(library.search("years")) == 2


@pytest.fixture
def shelf(tmp_path: Path) -> CacheShelf:
    """A shelf with the document cache that an earlier version wrote."""
    shutil.copytree(OLDER / "document-cache-1" / KEY, tmp_path / "document-caches" / KEY)
    return CacheShelf(tmp_path / "document-caches", quota_bytes=1 << 30)


@pytest.fixture(scope="module")
def model() -> PreTrainedModel:
    config = LlamaConfig(
        vocab_size=32,
        hidden_size=16,
        intermediate_size=16,
        num_hidden_layers=2,
        num_attention_heads=2,
        num_key_value_heads=1,
        head_dim=8,
        max_position_embeddings=256,
        tie_word_embeddings=True,
    )
    made: PreTrainedModel = AutoModelForCausalLM.from_config(
        config, attn_implementation="tiered", dtype=torch.float32
    )
    weights = load_file(OLDER / "document-cache-1" / "model.safetensors")
    made.load_state_dict(weights | {"lm_head.weight": weights["model.embed_tokens.weight"]})
    return made.eval()


def _opened(model: PreTrainedModel, shelf: CacheShelf) -> tuple[TieredCache, PrefixCache]:
    """An empty cache of the model, put where the shelf's cache of the document stands."""
    store = KvStore(KvSettings(block_tokens=16, hot_budget_bytes=1 << 14), 2)
    loaded = SimpleNamespace(name="tiny", device=torch.device("cpu"), sharding=None)
    disk = PrefixCache(loaded, shelf, IDENTITY, DOCUMENTS, len(TOKEN_IDS))  # type: ignore[arg-type]
    cache = TieredCache(model.config, store)
    disk.open(cache)
    return cache, disk


def _next_logits(model: PreTrainedModel, cache: TieredCache) -> torch.Tensor:
    branch = cache.branch()
    logits = ModelRunner(model).step(torch.tensor([5, 9, 17]), branch)
    branch.close()
    return logits


def test_a_document_cache_of_the_first_format_is_what_reading_anew_would_give(
    model: PreTrainedModel, shelf: CacheShelf, tmp_path: Path
) -> None:
    shelf.verify(KEY)
    cache, disk = _opened(model, shelf)
    assert (cache.num_tokens, disk.take_notes()) == (len(TOKEN_IDS), ())
    read, other_disk = _opened(model, CacheShelf(tmp_path / "empty"))
    for _ in prefill(ModelRunner(model), read, TOKEN_IDS, chunk_tokens=20, cancel=CancelToken()):
        pass
    torch.testing.assert_close(_next_logits(model, cache), _next_logits(model, read))
    for part in (disk, cache, other_disk, read):
        part.close()


@pytest.fixture(params=[FORMAT_VERSION - 1, FORMAT_VERSION + 1])
def foreign(shelf: CacheShelf, request: pytest.FixtureRequest) -> CacheShelf:
    """The same in the format of an older or newer program, which names its folders in its own way."""
    folder = shelf.path / KEY
    manifest = json.loads((folder / MANIFEST_NAME).read_text(encoding="utf-8"))
    changed = {"format": request.param, "content": {"documents": list(DOCUMENTS), "something": "else"}}
    (folder / MANIFEST_NAME).write_text(json.dumps(manifest | changed), encoding="utf-8")
    folder.rename(shelf.path / "of-another-version")
    return shelf


def test_a_document_cache_of_another_format_is_set_aside_with_a_word(
    model: PreTrainedModel, foreign: CacheShelf
) -> None:
    cache, disk = _opened(model, foreign)
    assert (cache.num_tokens, disk.take_notes()) == (0, (OTHER_VERSION_NOTE,))
    for part in (disk, cache):
        part.close()
    (entry,) = foreign.entries()
    assert (entry.documents, entry.is_other_version, entry.is_damaged) == (DOCUMENTS, True, False)
    assert not entry.is_complete
    with pytest.raises(OtherVersionCacheError):
        foreign.verify(entry.key)


def test_of_all_caches_those_of_another_format_go_first(foreign: CacheShelf) -> None:
    shutil.copytree(OLDER / "document-cache-1" / KEY, foreign.path / KEY)
    used = foreign.used_bytes
    assert CacheShelf(foreign.path, quota_bytes=used).make_room(1000, keep="new")
    assert [entry.key for entry in foreign.entries()] == [KEY]


def test_lists_and_checks_call_them_neither_sound_nor_damaged(
    foreign: CacheShelf, capsys: pytest.CaptureFixture[str]
) -> None:
    for action in ("list", "verify"):
        assert main(["caches", action, "--cache-dir", str(foreign.path.parent)]) == 0
        assert "lease.pdf" in (said := capsys.readouterr().out)
        assert "kept by another version of Lectern" in said
