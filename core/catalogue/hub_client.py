"""How Lectern talks to the Hugging Face Hub, or to the server that `HF_ENDPOINT` names.

No other file reaches for it. The library's own headers are not sent: no telemetry, and no token but the one
in `HF_TOKEN`.
"""

import os
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from core import __version__
from core.catalogue.hub_errors import Refusal, no_connection, refused

if TYPE_CHECKING:
    import httpx2

CONTINUED, FROM_START = b"continued", b"from start"

_ENDPOINT = "https://huggingface.co"
_TIMEOUT_S = 30.0


def endpoint() -> str:
    return (os.environ.get("HF_ENDPOINT") or _ENDPOINT).rstrip("/")


def read_from(url: str, offset: int) -> Generator[bytes]:
    """First whether the server goes on at `offset`, then the bytes as they come."""
    headers = _headers() | ({"Range": f"bytes={offset}-"} if offset else {})
    with _session().stream("GET", url, headers=headers, timeout=_TIMEOUT_S) as response:
        _check_status(response)
        is_range = response.status_code == 206
        is_continued = is_range and response.headers.get("Content-Range", "").startswith(f"bytes {offset}-")
        yield CONTINUED if is_continued else FROM_START
        yield from response.iter_raw()


def read_json(url: str) -> Generator[Any]:
    response = _session().get(url, headers=_headers(), timeout=_TIMEOUT_S)
    _check_status(response)
    yield response.json()


def _check_status(response: "httpx2.Response") -> None:
    if response.status_code not in (200, 206):
        raise Refusal(response.status_code, response.headers.get("X-Error-Code", ""))


def _session() -> "httpx2.Client":
    os.environ.setdefault("HF_HUB_DISABLE_TELEMETRY", "1")
    from huggingface_hub import get_session

    return get_session()


def _headers() -> dict[str, str]:
    token = os.environ.get("HF_TOKEN", "").strip()
    headers = {"User-Agent": f"lectern/{__version__}", "Accept-Encoding": "identity"}
    return headers | ({"Authorization": f"Bearer {token}"} if token else {})


@contextmanager
def plain_errors(hub_id: str) -> Iterator[None]:
    """What the network and the server say, in plain words."""
    os.environ.setdefault("HF_HUB_DISABLE_TELEMETRY", "1")
    from httpx2 import HTTPError, InvalidURL
    from huggingface_hub.errors import OfflineModeIsEnabled

    try:
        yield
    except Refusal as refusal:
        raise refused(hub_id, refusal, endpoint(), has_token="HF_TOKEN" in os.environ) from refusal
    except OfflineModeIsEnabled as error:
        raise no_connection(endpoint(), "HF_HUB_OFFLINE forbids it") from error
    except (HTTPError, InvalidURL) as error:
        raise no_connection(endpoint(), str(error) or type(error).__name__) from error
