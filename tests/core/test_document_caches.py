"""Document caches from the outside: what hits, what misses, what is damaged, and what users hear of it."""

import json
import random
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import fields, replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from core.bench import reopen
from core.cancel import CancelToken
from core.document_caches.manifest import key_of
from core.document_caches.shelf import CacheShelf
from core.documents.reading_choice import ReadingChoice, ReadingKind
from core.engine import Engine, open_model
from core.errors import CancelledError
from core.events import CacheOutcome, Event, Finished, Progress, Stage
from core.kv.store import KvSettings
from core.prefix_identity import prefix_identity
from core.prefix_notes import DAMAGED_NOTE
from core.settings import EngineSettings, RopeScaling, SamplingSettings
from tests.core.test_engine import make_document
from tests.tiny_folder import save_tiny_model

SHORT = SamplingSettings(max_new_tokens=4)
QUESTION = "What is the rent?"
DOCUMENT = make_document(*[f"On page {i} the rent is {i * 100} dollars." for i in range(1, 6)])
NUM_DAMAGES = 12


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model of its own, whose files are changed here."""
    return save_tiny_model(tmp_path_factory.mktemp("model"))


@pytest.fixture
def settings(model: Path, tmp_path: Path) -> EngineSettings:
    return EngineSettings(
        model=str(model),
        kv_dtype="float32",
        block_tokens=16,
        prefill_chunk=64,
        max_seq_len=2048,
        cache_root=tmp_path,
        document_caches=True,
        cache_quota_bytes=1 << 30,
    )


@pytest.fixture
def engine(settings: EngineSettings) -> Iterator[Engine]:
    with open_model(settings) as engine:
        yield engine


def ask(engine: Engine, document: object = DOCUMENT) -> tuple[Finished, list[Event]]:
    """One program's life with a document: opened, asked, closed."""
    session = engine.open_document([document])  # type: ignore[list-item]
    conversation = engine.converse(session)
    events = list(conversation.ask(QUESTION, SHORT, CancelToken()))
    conversation.close()
    session.close()
    assert isinstance(events[-1], Finished)
    return events[-1], events


def shelf_of(engine: Engine) -> CacheShelf:
    assert engine.parts.shelf is not None
    return engine.parts.shelf


def test_what_is_kept_bears_the_names_of_what_was_read(engine: Engine) -> None:
    left_out = replace(DOCUMENT, name="nda.pdf")
    choice = ReadingChoice(ReadingKind.PAGES, ("", "none")).selection([DOCUMENT, left_out])
    session = engine.open_document([DOCUMENT, left_out], choice)
    assert list(session.read(CancelToken()))
    session.close()
    assert [entry.documents for entry in shelf_of(engine).entries()] == [(DOCUMENT.name,)]


def test_a_document_is_read_once(engine: Engine) -> None:
    first, _ = ask(engine)
    before = engine.parts.runner.num_computed_tokens
    second, events = ask(engine)
    assert (first.metrics.cache, second.metrics.cache) == (CacheOutcome.MISS, CacheOutcome.HIT)
    assert second.answer == first.answer
    assert second.metrics.prefill_tokens == 0
    assert engine.parts.runner.num_computed_tokens - before < 100, "a question, an answer, a neutral question"
    assert second.metrics.disk_bytes == shelf_of(engine).used_bytes > 0
    (progress,) = [event for event in events if isinstance(event, Progress)]
    assert progress.stage is Stage.READ_BEFORE
    assert progress.done == progress.total


def test_a_reading_that_was_stopped_is_resumed_by_the_next_program(engine: Engine) -> None:
    session, cancel = engine.open_document([DOCUMENT]), CancelToken()
    reading = session.read(cancel)
    next(reading)
    cancel.cancel()
    with pytest.raises(CancelledError):
        next(reading)
    session.close()
    resumed, events = ask(engine)
    assert resumed.metrics.cache is CacheOutcome.RESUMED
    assert isinstance(events[0], Progress)
    assert (events[0].stage, events[0].done) == (Stage.READ_BEFORE, 64)
    shutil.rmtree(shelf_of(engine).path)
    assert ask(engine)[0].answer == resumed.answer


def test_nothing_is_kept_unless_asked_for(settings: EngineSettings, tmp_path: Path) -> None:
    with open_model(replace(settings, document_caches=False)) as engine:
        finished, _ = ask(engine)
    assert finished.metrics.disk_bytes == 0
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "changes",
    [
        {"kv_compression": "int8"},
        {"mode": "window", "active_window": 64},
        {"rope_scaling": RopeScaling("linear", 2)},
    ],
    ids=lambda changes: next(iter(changes)),
)
def test_what_was_computed_in_another_way_is_a_miss(
    changes: dict[str, object], settings: EngineSettings
) -> None:
    with open_model(settings) as engine:
        ask(engine)
    other = replace(settings, **changes)  # type: ignore[arg-type]
    with open_model(other) as engine:
        assert ask(engine)[0].metrics.cache is CacheOutcome.MISS
        assert ask(engine)[0].metrics.cache is CacheOutcome.HIT
        assert len(shelf_of(engine).entries()) == 2, "the first one is still there"


def key(
    token_ids: Sequence[int] = (1, 2, 3), model: str = "m", dtype: str = "bf16", **changes: object
) -> str:
    """The key of a document cache under settings that differ by `changes`."""
    names = {field.name for field in fields(KvSettings)}
    kv = KvSettings(**{name: value for name, value in changes.items() if name in names})  # type: ignore[arg-type]
    rest = {name: value for name, value in changes.items() if name not in names}
    parts = SimpleNamespace(
        settings=EngineSettings(**rest),  # type: ignore[arg-type]
        store=SimpleNamespace(settings=kv),
        kv_dtype=dtype,
    )
    return key_of(prefix_identity(parts, {"files": model}, token_ids))  # type: ignore[arg-type]


def test_whatever_changes_what_is_computed_changes_the_key() -> None:
    keys = [
        key(),
        key([1, 2, 4]),
        key([1, 3, 2]),
        key(model="n"),
        key(dtype="fp16"),
        key(codec="int8"),
        key(block_tokens=32),
        key(prefill_chunk=32),
        key(quantization="nf4"),
        key(mode="window"),
        key(mode="window", active_window=64),
    ]
    assert len(set(keys)) == len(keys)
    assert key() == key(mode="sparse") == key(sparse_budget=64) == key(hot_budget_bytes=1 << 20)


def test_sparse_and_exact_share_what_was_read(settings: EngineSettings) -> None:
    with open_model(settings) as engine:
        ask(engine)
    with open_model(replace(settings, mode="sparse", sparse_budget=32)) as engine:
        assert ask(engine)[0].metrics.cache is CacheOutcome.HIT


def test_other_text_pages_order_and_company_are_misses(engine: Engine) -> None:
    ask(engine)
    changed = make_document(
        *[page.text for page in DOCUMENT.pages[:-1]], "On page 5 the rent is 501 dollars."
    )
    longer = make_document(*[page.text for page in DOCUMENT.pages], "A page more.")
    for document in (changed, longer):
        assert ask(engine, document)[0].metrics.cache is CacheOutcome.MISS
    pair = [DOCUMENT, make_document("Another text.", name="other.pdf")]
    for documents in (pair, pair[::-1]):
        session = engine.open_document(documents)
        assert session.cache_outcome is CacheOutcome.MISS
        list(session.read(CancelToken()))
        session.close()
    session = engine.open_document(pair[::-1])
    assert session.cache_outcome is CacheOutcome.HIT
    session.close()
    renamed = make_document(*[page.text for page in DOCUMENT.pages], name="copy.pdf")
    assert ask(engine, renamed)[0].metrics.cache is CacheOutcome.HIT, "a copy with the same text"


@pytest.mark.parametrize("file", ["model.safetensors", "chat_template.jinja"])
def test_another_model_or_template_is_a_miss(file: str, model: Path, settings: EngineSettings) -> None:
    with open_model(settings) as engine:
        ask(engine)
    path = model / file
    before = path.read_bytes()
    try:
        if file == "model.safetensors":
            path.write_bytes(before[:-4] + bytes(4))
        else:
            path.write_bytes(before + b" ")
        assert path.read_bytes() != before
        with open_model(settings) as engine:
            assert ask(engine)[0].metrics.cache is CacheOutcome.MISS
    finally:
        path.write_bytes(before)


def test_no_damage_reaches_an_answer(engine: Engine, tmp_path: Path) -> None:
    """Bytes flipped, cut, swapped and lost in every kind of file, many times over."""
    sound, _ = ask(engine)
    path, copy = shelf_of(engine).path, tmp_path / "sound"
    path.rename(copy)
    chance, told = random.Random(11), 0
    for _ in range(NUM_DAMAGES):
        shutil.copytree(copy, path)
        (folder,) = (entry for entry in path.iterdir() if entry.name != "locks")
        victims = sorted(file for file in folder.iterdir() if file.stat().st_size)
        kinds = {victim.suffix or victim.stem.split("-")[0]: victim for victim in victims}
        victim = kinds[chance.choice(sorted(kinds))]
        damage(victim, chance)
        finished, _ = ask(engine)
        assert finished.answer == sound.answer
        was_told = DAMAGED_NOTE in finished.notes
        is_missing = victim.stem == "manifest" and not was_told
        assert was_told or is_missing or finished.metrics.cache is CacheOutcome.HIT, "nothing is silent"
        told += was_told
        assert ask(engine)[0].metrics.cache is CacheOutcome.HIT, "what was read anew is kept"
        shutil.rmtree(path)
    assert told >= NUM_DAMAGES * 0.8


def damage(victim: Path, chance: random.Random) -> None:
    data = bytearray(victim.read_bytes())
    place = chance.randrange(len(data))
    match chance.choice(["flip", "cut", "swap", "lose"]):
        case "flip":
            data[place] ^= 1 << chance.randrange(8)
        case "cut":
            del data[place:]
        case "swap":
            half = len(data) // 2
            data[:half], data[half : 2 * half] = data[half : 2 * half], data[:half]
        case "lose":
            victim.unlink()
            return
    victim.write_bytes(bytes(data))


def test_a_damaged_block_is_told_once_and_read_anew(engine: Engine) -> None:
    sound, _ = ask(engine)
    (entry,) = shelf_of(engine).entries()
    path = shelf_of(engine).folder(entry.key).blocks_path(2)
    data = bytearray(path.read_bytes())
    data[-1] ^= 1
    path.write_bytes(data)
    session = engine.open_document([DOCUMENT])
    assert session.cache_outcome is CacheOutcome.HIT, "nobody has looked at the block yet"
    conversation = engine.converse(session)
    answers = [list(conversation.ask(QUESTION, SHORT, CancelToken()))[-1] for _ in range(2)]
    first, second = (answer for answer in answers if isinstance(answer, Finished))
    assert first.answer == sound.answer
    assert DAMAGED_NOTE in first.notes
    assert DAMAGED_NOTE not in second.notes
    assert first.metrics.cache is CacheOutcome.MISS
    conversation.close()
    session.close()
    assert (engine.parts.store.cold_bytes, engine.parts.store.disk_bytes) == (0, 0)


def lectern(*arguments: str | Path) -> tuple[int, list[dict[str, object]]]:
    done = subprocess.run(
        [sys.executable, "-m", "core", *map(str, arguments), "--json"],
        capture_output=True,
        text=True,
        timeout=120,
    )
    return done.returncode, [json.loads(line) for line in done.stdout.splitlines()]


def test_caches_are_listed_checked_and_removed_by_command(engine: Engine, tmp_path: Path) -> None:
    ask(engine)
    ask(engine, make_document("A short offer.", name="offer.pdf"))
    shelf = CacheShelf(tmp_path / "document-caches")
    assert {entry.name for entry in shelf.entries()} == {"lease.pdf", "offer.pdf"}
    code, (first, second, finished) = lectern("caches", "--cache-dir", tmp_path)
    assert (code, first["event"], first["documents"], second["is_complete"]) == (
        0,
        "cache",
        ["offer.pdf"],
        True,
    )
    assert finished["size_bytes"] == shelf.used_bytes
    (lease,) = shelf.find("lease.pdf")
    block = next(shelf.folder(lease.key).path.glob("*.blocks"))
    block.write_bytes(block.read_bytes()[:-1] + b"x")
    code, (*verified, finished) = lectern("caches", "verify", "--cache-dir", tmp_path)
    assert (code, finished["damaged"]) == (3, [lease.key])
    assert [entry["is_sound"] for entry in verified if entry["key"] == lease.key] == [False]
    code, lines = lectern("caches", "remove", "--cache-dir", tmp_path)
    assert (code, lines[-1]["event"]) == (2, "finished"), "nothing goes without a name"
    code, lines = lectern("caches", "remove", "lease.pdf", "--cache-dir", tmp_path)
    assert (code, lines[-1]["num_removed"]) == (0, 1)
    assert [entry.name for entry in shelf.entries()] == ["offer.pdf"]


def test_the_reopen_benchmark_in_miniature(settings: EngineSettings) -> None:
    result = reopen.measure(settings, 800, CancelToken(), (DOCUMENT,))
    (row,) = result.rows
    assert row["written_per_kv"] < 2, "KV once, and states that are large beside so little"
    assert 0 < row["open_s"] < row["first_token_s"]
    assert row["share"] == row["first_token_s"] / row["prefill_s"]
    assert {target.name.split()[0] for target in result.targets} == {"reopening", "bytes", "memory"}
    assert not any(path.name.startswith("bench-") for path in Path(str(settings.cache_root)).iterdir())
