"""A server on this machine that serves folders as the Hugging Face Hub does, as badly as it is told."""

import hashlib
import json
import threading
import time
from collections import Counter
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

COMMIT = "0123456789abcdef0123456789abcdef01234567"
_PIECE_BYTES = 1 << 14


@dataclass
class HubServer:
    """`repos` maps hub ids to folders.

    `cut_after` maps file names to how many bytes are sent of the next reply before the connection breaks,
    `wrong` names files whose bytes are changed on the way, `delay_s` is waited before every 16 KiB,
    `gated`, `forbidden` and `private` are hub ids, `hangs` makes every reply wait. `sent` counts bytes by
    file, `seen` holds every request as `(method, path)`, `headers` those of the last one. `is_broken` ends
    every transfer before its first byte; `stays_broken` sets it after a cut.
    """

    repos: dict[str, Path]
    cut_after: dict[str, int] = field(default_factory=dict)
    wrong: set[str] = field(default_factory=set)
    delay_s: float = 0.0
    gated: set[str] = field(default_factory=set)
    forbidden: set[str] = field(default_factory=set)
    private: set[str] = field(default_factory=set)
    hangs: bool = False
    ignores_ranges: bool = False
    is_broken: bool = False
    stays_broken: bool = False
    sent: Counter[str] = field(default_factory=Counter)
    seen: list[tuple[str, str]] = field(default_factory=list)
    headers: dict[str, str] = field(default_factory=dict)

    def start(self) -> None:
        handler = type("Handler", (_Handler,), {"hub": self})
        self._http = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self._http.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._http.server_address[1]}"
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.02,), daemon=True)
        self._thread.start()

    def stop(self) -> None:
        self._http.shutdown()
        self._thread.join()
        self._http.server_close()

    def asked_for(self, name: str) -> bool:
        return any(path.endswith(name) for _, path in self.seen)


class _Handler(BaseHTTPRequestHandler):
    hub: HubServer
    protocol_version = "HTTP/1.1"

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the name is the base class's
        return

    def do_HEAD(self) -> None:
        self.do_GET()

    def do_GET(self) -> None:
        path = urlsplit(self.path).path
        self.hub.seen.append((self.command, path))
        self.hub.headers = dict(self.headers.items())
        while self.hub.hangs:
            time.sleep(0.02)
        parts = path.strip("/").split("/")
        if parts[:2] == ["api", "models"]:
            self._describe("/".join(parts[2:4]))
        elif len(parts) > 4 and parts[2] == "resolve":
            self._send_file("/".join(parts[:2]), "/".join(parts[4:]))
        else:
            self._refuse(404)

    def _describe(self, hub_id: str) -> None:
        if hub_id in self.hub.private:
            return self._refuse(401, "RepoNotFound")
        if hub_id not in self.hub.repos:
            return self._refuse(404, "RepoNotFound")
        folder = self.hub.repos[hub_id]
        paths = sorted(path for path in folder.rglob("*") if path.is_file())
        siblings = [_sibling(path, path.relative_to(folder).as_posix()) for path in paths]
        body = json.dumps({"id": hub_id, "sha": COMMIT, "siblings": siblings}).encode()
        self._head(200, {"Content-Type": "application/json"}, len(body))
        self.wfile.write(body)
        return None

    def _send_file(self, hub_id: str, name: str) -> None:
        if hub_id in self.hub.gated:
            return self._refuse(401, "GatedRepo")
        if hub_id in self.hub.forbidden:
            return self._refuse(403)
        path = self.hub.repos[hub_id] / name
        if not path.is_file():
            return self._refuse(404, "EntryNotFound")
        content = path.read_bytes()
        digest = hashlib.sha256(content).hexdigest()
        headers = {"ETag": f'"{digest}"', "X-Linked-Etag": f'"{digest}"', "X-Linked-Size": str(len(content))}
        headers |= {"X-Repo-Commit": COMMIT, "Accept-Ranges": "bytes"}
        start = 0
        asked = self.headers.get("Range")
        if asked and not self.hub.ignores_ranges:
            start = int(asked.removeprefix("bytes=").rstrip("-"))
            headers["Content-Range"] = f"bytes {start}-{len(content) - 1}/{len(content)}"
        body = content[start:]
        if name in self.hub.wrong:
            body = body[:-1] + bytes([body[-1] ^ 1])
        self._head(206 if start else 200, headers, len(body))
        if self.command == "GET":
            self._send_slowly(name, body)
        return None

    def _send_slowly(self, name: str, body: bytes) -> None:
        limit = 0 if self.hub.is_broken else self.hub.cut_after.pop(name, None)
        for start in range(0, len(body), _PIECE_BYTES):
            piece = body[start : min(start + _PIECE_BYTES, limit if limit is not None else len(body))]
            time.sleep(self.hub.delay_s)
            try:
                self.wfile.write(piece)
            except OSError:  # the other side has gone
                self.close_connection = True
                return
            self.hub.sent[name] += len(piece)
            if limit is not None and start + len(piece) >= limit:
                self.hub.is_broken = self.hub.stays_broken
                self.close_connection = True
                return

    def _head(self, status: int, headers: dict[str, str], num_bytes: int) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(num_bytes))
        self.end_headers()

    def _refuse(self, status: int, code: str = "") -> None:
        self._head(status, {"X-Error-Code": code} if code else {}, 0)


def _sibling(path: Path, name: str) -> dict[str, Any]:
    content = path.read_bytes()
    blob = hashlib.sha1(b"blob %d\0" % len(content) + content).hexdigest()
    entry: dict[str, Any] = {"rfilename": name, "size": len(content), "blobId": blob}
    if path.suffix in (".safetensors", ".bin"):
        entry["blobId"] = "f" * 40  # of the pointer, not of the content
        entry["lfs"] = {
            "sha256": hashlib.sha256(content).hexdigest(),
            "size": len(content),
            "pointerSize": 134,
        }
    return entry
