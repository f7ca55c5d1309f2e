"""Which host memory is chosen: on every kind of machine, and by the words that a user may write."""

import sys
from dataclasses import replace

import pytest
import torch

from core import cli
from core.errors import UsageError
from core.kv.host_facts import probe_host
from core.kv.host_memory import HostMemory
from core.kv.host_strategy import HostChoice, HostFacts, choose
from core.settings import EngineSettings

CPU = torch.device("cpu")
LINUX = HostFacts("linux", is_wsl=False, has_cuda=False, thp_mode="madvise", huge_page_bytes=2 << 20)
WINDOWS = HostFacts("win32", is_wsl=False, has_cuda=False, thp_mode=None, huge_page_bytes=None)


@pytest.mark.parametrize(
    ("strategy", "facts", "expected"),
    [
        ("auto", LINUX, HostChoice("madvise_hugepage")),
        ("auto", replace(LINUX, thp_mode="always"), HostChoice("madvise_hugepage")),
        ("auto", replace(LINUX, thp_mode="never"), HostChoice("mmap_anonymous")),
        ("auto", replace(LINUX, thp_mode=None), HostChoice("mmap_anonymous")),
        ("auto", replace(LINUX, has_cuda=True), HostChoice("madvise_hugepage", is_pinned=True)),
        ("auto", replace(LINUX, has_cuda=True, is_wsl=True), HostChoice("madvise_hugepage")),
        ("auto", WINDOWS, HostChoice("mmap_anonymous")),
        ("auto", replace(WINDOWS, has_cuda=True), HostChoice("mmap_anonymous")),
        ("auto", replace(WINDOWS, platform="darwin"), HostChoice("mmap_anonymous")),
        ("pinned", replace(LINUX, has_cuda=True), HostChoice("madvise_hugepage", is_pinned=True)),
        ("pinned", replace(WINDOWS, has_cuda=True), HostChoice("mmap_anonymous", is_pinned=True)),
        ("hugetlb", LINUX, HostChoice("hugetlb")),
        ("madvise_hugepage", LINUX, HostChoice("madvise_hugepage")),
        ("mmap_anonymous", LINUX, HostChoice("mmap_anonymous")),
        ("mmap_anonymous", WINDOWS, HostChoice("mmap_anonymous")),
    ],
)
def test_a_strategy_is_what_the_machine_can_do(strategy: str, facts: HostFacts, expected: HostChoice) -> None:
    assert choose(strategy, facts) == expected


@pytest.mark.parametrize(
    ("strategy", "facts", "note"),
    [
        ("pinned", LINUX, "no CUDA GPU: the cache uses ordinary memory with transparent huge pages."),
        ("pinned", WINDOWS, "no CUDA GPU: the cache uses ordinary memory."),
        ("hugetlb", WINDOWS, "this system has none: the cache uses ordinary memory."),
        ("hugetlb", replace(LINUX, huge_page_bytes=1 << 30), "1.0 GiB are too large"),
        ("madvise_hugepage", WINDOWS, "this system has none: the cache uses ordinary memory."),
        ("madvise_hugepage", replace(LINUX, thp_mode="never"), "are switched off"),
    ],
)
def test_what_stands_in_says_why(strategy: str, facts: HostFacts, note: str) -> None:
    choice = choose(strategy, facts)
    assert (choice.kind, choice.is_pinned) == (facts.ordinary_kind, False)
    assert choice.note is not None
    assert note in choice.note


def test_windows_is_recognised(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "win32")
    facts = probe_host(CPU)
    assert facts.platform == "win32"
    assert choose("auto", facts) == HostChoice("mmap_anonymous")
    assert "on this system" in HostMemory("auto", "numactl_bind", facts=facts).notes[0]


@pytest.mark.parametrize("field", ["cpu_memory_strategy", "cpu_memory_policy"])
def test_unknown_words_are_refused(field: str) -> None:
    with pytest.raises(UsageError, match=r"CPU memory .* cannot be magic"):
        EngineSettings(**{field: "magic"})  # type: ignore[arg-type]  # the field is chosen by the test


def test_the_command_line_knows_them(capsys: pytest.CaptureFixture[str]) -> None:
    for option in ("--cpu-memory-strategy", "--cpu-memory-policy"):
        with pytest.raises(SystemExit) as ended:
            cli.main(["bench", option, "magic"])
        assert ended.value.code == 2
        assert option in capsys.readouterr().err
