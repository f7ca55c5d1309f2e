"""The command line as scripts see it: exit codes, JSON lines, no traceback."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from core import __version__
from core.samples import all_samples, default_sample
from tests.command_line import lectern

ANSWER_BYTES = 40
READY_THEN_START = """
import signal, sys
signal.signal(signal.SIGINT, signal.SIG_IGN)
print("ready", flush=True)
from core.__main__ import main
sys.exit(main())
"""


def started(*arguments: str | Path, **options: Any) -> subprocess.CompletedProcess[str]:
    """`lectern` as a process of its own."""
    command = [sys.executable, "-m", "core", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, **options)


def events(result: subprocess.CompletedProcess[str]) -> list[dict[str, Any]]:
    lines = [json.loads(line) for line in result.stdout.splitlines()]
    assert lines[-1]["event"] == "finished", "the last line says so"
    return lines


def test_version() -> None:
    result = started("--version")
    assert (result.returncode, result.stdout.strip()) == (0, f"lectern {__version__}")


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["sing"],
        ["ask", "x.pdf"],
        ["ask", "x.pdf", "--question", "Q", "--mode", "magic"],
        ["ask", "x.pdf", "--question", "Q", "--kv-hot-budget", "lots"],
        ["ask", "x.pdf", "--question", "Q", "--threads", "0"],
        ["ask", "x.pdf", "--question", "Q", "--pages", "9-2"],
        ["ask", "x.pdf", "--question", "Q", "--pages", "1", "--pages", "none"],
        ["ask", "x.pdf", "--question", "Q", "--top-p", "7"],
        ["ask", "x.pdf", "--question", "Q", "--gpu-ids", "0;1"],
        ["ask", "x.pdf", "--question", "Q", "--gpu-ids", "0,1"],
        ["ask", "x.pdf", "--question", "Q", "--kv-sharding-strategy", "row_wise"],
        ["ask", "x.pdf", "--question", " "],
        ["ask", "x.pdf", "--question", "Q", "--section-budget", "500"],
        ["models", "get", "gpt-9"],
        ["bench", "nonsense"],
    ],
)
def test_wrong_usage_is_2(arguments: list[str]) -> None:
    result = lectern(*arguments)
    assert result.returncode == 2
    assert "Traceback" not in result.stderr
    assert result.stderr.strip()


def test_unreadable_input_is_3(tmp_path: Path) -> None:
    empty = tmp_path / "empty.pdf"
    empty.touch()
    for path in (empty, tmp_path / "absent.pdf", tmp_path):
        result = lectern("ask", path, "--question", "Who?")
        assert result.returncode == 3, path
        title, _, message = result.stderr.strip().splitlines()[-1].partition(": ")
        assert title
        assert message
        assert "Traceback" not in result.stderr


def test_errors_reach_scripts_too(tmp_path: Path) -> None:
    result = started("extract", tmp_path / "absent.pdf", "--json")
    assert events(result)[-1]["error"]["exit_code"] == result.returncode == 3


def test_a_missing_gpu_is_6() -> None:
    for arguments in (["--gpu-ids", "99"], ["--kv-sharding-strategy", "layer_wise", "--gpu-ids", "98,99"]):
        result = lectern("ask", default_sample().path, "--question", "Who?", *arguments)
        assert result.returncode == 6
        assert result.stderr.strip().splitlines()[-1].startswith(("No GPU: ", "No such GPU: "))


def test_a_missing_model_is_5() -> None:
    result = lectern("ask", default_sample().path, "--question", "Who?", "--model", "no/such/model")
    assert result.returncode == 5
    assert result.stderr.strip().splitlines()[-1].startswith("Model not found: ")


def test_too_long_is_4(tiny_folder: Path) -> None:
    result = lectern(
        "ask", default_sample().path, "--question", "Who?", "--model", tiny_folder, "--max-seq-len", "500"
    )
    assert result.returncode == 4
    assert "500 at most" in result.stderr or "500 tokens" in result.stderr


@pytest.fixture
def huge_folder(tmp_path: Path) -> Path:
    """Looks like a model whose weights would take 12 TB of memory."""
    config = Path(__file__).parents[1] / "data" / "model_configs" / "qwen3-4b-instruct-2507.json"
    text = config.read_text(encoding="utf-8").replace(
        '"intermediate_size": 9728', '"intermediate_size": 9728000'
    )
    (tmp_path / "config.json").write_text(text, encoding="utf-8")
    (tmp_path / "model.safetensors").touch()
    return tmp_path


def test_a_model_that_has_no_room_is_4_before_it_is_loaded(huge_folder: Path) -> None:
    question = ("ask", default_sample().path, "--question", "When?", "--model", huge_folder)
    stopped = lectern(*question)
    assert stopped.returncode == 4
    assert stopped.stderr.splitlines()[-1].startswith("The model does not fit this machine: ")
    for words in ("too much", "usable", "--force"):
        assert words in stopped.stderr
    forced = lectern(*question, "--force", "--json")
    assert forced.returncode == 5, "the weights are missing"
    assert any(event["event"] == "note" and "may not fit" in event["text"] for event in events(forced))


def test_a_profile_chooses_what_is_left_out(tiny_folder: Path) -> None:
    question = (
        "ask", default_sample().path, "--question", "When?", "--model", tiny_folder, "--pages", "1",
        "--max-new-tokens", "1",
    )  # fmt: skip
    assert lectern(*question, "--profile", "rtx3060-12g").returncode == 0
    unknown = lectern(*question, "--profile", "nothing-like-it")
    assert unknown.returncode == 2
    assert "No such profile" in unknown.stderr


def test_a_file_that_is_left_out_is_named_and_not_read(tiny_folder: Path) -> None:
    paths = [sample.path for sample in all_samples()[:2]]
    result = lectern(
        "ask", *paths, "--question", "Who?", "--model", tiny_folder, "--max-new-tokens", "1", "--json",
        "--pages", "1", "--pages", "none",
    )  # fmt: skip
    assert result.returncode == 0, result.stderr
    finished = events(result)[-1]
    read = [(page["document"], page["page_index"]) for page in finished["pages_read"]]
    assert read == [(paths[0].name, 0)]
    assert any(f"Left out and not read: {paths[1].name}." in note for note in finished["notes"])


def test_extract_prints_every_page() -> None:
    result = lectern("extract", default_sample().path, "--json")
    assert result.returncode == 0
    *pages, finished = [line for line in events(result) if line["event"] != "progress"]
    assert [page["page_index"] for page in pages] == list(range(finished["num_pages"]))
    assert {"page_label", "text", "blocks", "warnings", "width", "height"} <= pages[0].keys()
    assert "January 1, 1998" in " ".join(page["text"] for page in pages)
    plain = lectern("extract", default_sample().path)
    assert "--- page 1 (printed 1) ---" in plain.stdout


def test_ask_prints_the_contract(tiny_folder: Path) -> None:
    result = started(
        "ask", default_sample().path, "--question", "Who?", "--model", tiny_folder, "--pages", "1",
        "--max-new-tokens", "5", "--kv-hot-budget", "64K", "--json",
    )  # fmt: skip
    assert result.returncode == 0, result.stderr
    lines = events(result)
    finished = lines[-1]
    assert finished.keys() >= {
        "answer", "mode", "warnings", "citations", "closest_passage", "evidence", "pages_read",
        "pages_unread", "metrics",
    }  # fmt: skip
    assert finished["metrics"].keys() >= {
        "prompt_tokens", "new_tokens", "prefill_tokens_per_s", "ttft_s", "tokens_per_s", "hot_bytes_peak",
        "cold_bytes", "disk_bytes", "host_to_device_bytes_per_token", "device_to_host_bytes_per_token",
        "cache",
    }  # fmt: skip
    assert finished["metrics"]["cache"] == "miss"
    assert {line["event"] for line in lines} == {"progress", "token", "tier_usage", "finished"}
    assert finished["answer"] == "".join(line["text"] for line in lines if line["event"] == "token").strip()


@pytest.mark.skipif(os.name == "nt", reason="Windows delivers Ctrl-C to a console, not to a process")
def test_ctrl_c_is_130_and_the_partial_answer_stays(tiny_folder: Path, tmp_path: Path) -> None:
    lease = tmp_path / "lease.txt"
    lease.write_text("The rent is 100 dollars.", encoding="utf-8")
    command = [sys.executable, "-u", "-m", "core", "ask", str(lease), "--model", str(tiny_folder)]
    command += ["--question", "Write it out.", "--max-new-tokens", "4000"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        first = process.stdout.read(ANSWER_BYTES)
        process.send_signal(signal.SIGINT)
        rest, errors = process.communicate(timeout=60)
    assert process.returncode == 130
    assert len(first) == ANSWER_BYTES
    assert b"Traceback" not in errors
    assert b"Traceback" not in rest


def test_the_sample_is_answered_with_a_true_citation(starter_folder: Path) -> None:
    sample = default_sample()
    question = sample.questions[0]
    page = str(question.page_index + 1)
    result = started(
        "ask", sample.path, "--question", question.text, "--model", starter_folder, "--pages", page, "--json"
    )
    assert result.returncode == 0, result.stderr
    finished = events(result)[-1]
    assert "January 1, 1998" in finished["answer"]
    passage = finished["closest_passage"]
    verified = [citation for citation in finished["citations"] if citation["verified"]]
    source = verified[0] if verified else passage
    assert source["page_index"] == question.page_index
    assert source["rects"]
    assert "January 1, 1998" in (source.get("quote") or source["text"])


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp1252"])
def test_any_output_encoding_lets_every_character_out(encoding: str, tmp_path: Path) -> None:
    environment = os.environ | {"PYTHONIOENCODING": encoding}
    result = started("extract", tmp_path / "nö “file”.pdf", "--json", env=environment)
    assert result.returncode == 3
    assert events(result)[-1]["error"]["exit_code"] == 3
    assert "Traceback" not in result.stderr


@pytest.mark.skipif(os.name == "nt", reason="descriptors are a matter of POSIX")
@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
def test_closed_streams_do_no_harm(closed: str) -> None:
    command = f'"{sys.executable}" -m core extract "{default_sample().path}" {closed}'
    assert subprocess.run(["sh", "-c", command], capture_output=True, timeout=60).returncode == 0


@pytest.mark.skipif(os.name == "nt", reason="Windows delivers Ctrl-C to a console, not to a process")
@pytest.mark.parametrize("delay_s", [0.0, 0.05, 0.25])
def test_ctrl_c_while_starting_leaves_no_traceback(delay_s: float) -> None:
    """Until the program's first line Ctrl-C is Python's own matter, and ignored here."""
    command = [sys.executable, "-c", READY_THEN_START, "extract", str(default_sample().path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"ready\n"
        time.sleep(delay_s)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
    assert process.returncode in (0, 130)
    assert b"Traceback" not in errors


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="only Linux has a disk that is always full")
@pytest.mark.parametrize("option", ["", "--json"])
def test_output_on_a_full_disk_is_said_in_plain_words(option: str) -> None:
    command = f'"{sys.executable}" -m core checklists {option} >/dev/full'
    result = subprocess.run(["sh", "-c", command], capture_output=True, text=True, timeout=60)
    assert result.returncode == 1
    assert "disk is full" in result.stderr or "output cannot be written" in result.stderr
    assert "Traceback" not in result.stderr
    assert "Exception ignored" not in result.stderr


def test_a_reader_that_leaves_is_no_error() -> None:
    command = f'"{sys.executable}" -m core extract "{default_sample().path}" --json | head -c 20'
    result = subprocess.run(["sh", "-c", command], capture_output=True, text=True, timeout=60)
    assert result.stderr == ""


@pytest.mark.parametrize(
    "option",
    [
        ["--threads", "9" * 12],
        ["--seed", "9" * 30],
        ["--kv-hot-budget", "9" * 30 + "T"],
        ["--pages", "1" * 5000],
        ["--pages", ""],
    ],
)
def test_numbers_out_of_range_are_wrong_usage(option: list[str]) -> None:
    result = lectern("ask", default_sample().path, "--question", "Who?", *option)
    assert result.returncode == 2
    assert "Traceback" not in result.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        ["--json"],
        ["no-such-command", "--json"],
        ["plan", "--json", "--context", "none"],
        ["models", "--json", "--no-such-option"],
    ],
)
def test_wrong_usage_is_a_json_line_too(arguments: list[str]) -> None:
    result = lectern(*arguments)
    assert result.returncode == 2
    (line,) = result.stdout.splitlines()
    finished = json.loads(line)
    assert (finished["event"], finished["error"]["title"]) == ("finished", "Wrong usage")
    assert finished["error"]["exit_code"] == 2
    assert f"Wrong usage: {finished['error']['message']}" in result.stderr


def test_wrong_usage_in_words_prints_no_json() -> None:
    result = started("plan", "--context", "none", "--", "--json")
    assert result.returncode == 2
    assert result.stdout == ""
