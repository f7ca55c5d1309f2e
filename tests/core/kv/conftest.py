"""Reserved huge pages for tests, where this process may ask the kernel for them."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from core.kv.host_facts import huge_page_pool

NR_HUGEPAGES = Path("/proc/sys/vm/nr_hugepages")
NUM_HUGE_PAGES = 16


@pytest.fixture
def huge_pages() -> Iterator[Callable[[], int]]:
    """Reserves 16 huge pages for the test; the function tells how many are free."""
    if not NR_HUGEPAGES.exists():
        pytest.skip("this system has no reserved huge pages")
    before = int(NR_HUGEPAGES.read_text(encoding="ascii"))
    try:
        NR_HUGEPAGES.write_text(f"{before + NUM_HUGE_PAGES}", encoding="ascii")
    except OSError as error:
        pytest.skip(f"only an administrator can reserve huge pages: {error}")
    try:
        if int(NR_HUGEPAGES.read_text(encoding="ascii")) < before + NUM_HUGE_PAGES:
            pytest.skip("the kernel found no room for huge pages")
        yield _num_free
    finally:
        NR_HUGEPAGES.write_text(f"{before}", encoding="ascii")


def _num_free() -> int:
    pool = huge_page_pool()
    assert pool is not None
    return pool.num_free
