"""The player's page from a small server on this machine, with every signal of the result to plot.

A browser lets any page on the net send requests to this machine, and says in `Origin` which page it was. Here every
request must have the token in its path, which is new for each viewer and stands in the address that is shown;
`Origin`, where there is one, must be the page itself; and on a server for this machine alone the name in `Host` must be
one of this machine, so that a name of another site that was made to point here is refused too.
"""

from __future__ import annotations

import errno
import io
import json
import os
import re
import secrets
import socket
import sys
import threading
import time
import webbrowser
from html import escape
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

from wheelwork.description import Description
from wheelwork.problems import ModelError
from wheelwork.results import Result

from .film import Film, film, film_before_run
from .player import page
from .plots import SignalPlots

HERE = "127.0.0.1"
LOOPBACK = (HERE, "localhost", "::1")
PLACE = re.compile(r"(?:\[([0-9a-f:.]+)\]|([a-z0-9._-]+))(?::\d+)?")
"""Name or address, and port, of a `Host`: no user before them, and nothing behind."""
PORTS_TRIED = 50
HEADERS = {
    "Referrer-Policy": "no-referrer",  # the address is not told to other sites
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; "
    "img-src data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Cache-Control": "no-store",
}


class Viewer:
    """A page that shows a film; `url` is its address. `wait()` serves until Ctrl-C, `stop()` ends it.

    The address has a token in it, new each time: who does not know it, and pages of other sites, see nothing.

    host: who may see it; 127.0.0.1 is this machine alone
    port: of the address; the next free one where it is taken
    """

    def __init__(
        self,
        film: Film,
        result: Result | None = None,
        *,
        title: str = "mechanism",
        host: str = HERE,
        port: int = 8080,
    ) -> None:
        self.film = film
        self.plots = None if result is None else SignalPlots(result, film)
        self.page = page(film, title, named=result is None, plots=self.plots, live=True).encode()
        self.token = secrets.token_urlsafe(16)
        self._names = LOOPBACK if host in LOOPBACK else ()
        self._ended = threading.Event()
        self.server = _listen(self, host, port)
        name = HERE if host in ("0.0.0.0", "::", "") else f"[{host}]" if ":" in host else host
        self.url = f"http://{name}:{self.server.server_port}/{self.token}/"
        threading.Thread(target=self.server.serve_forever, name="wheelwork-view", daemon=True).start()

    def __repr__(self) -> str:
        if self._ended.is_set():
            return "<viewer: ended>"
        return f"<viewer at {self.url}: `stop()` ends it, `wait()` serves until Ctrl-C>"

    def _repr_html_(self) -> str:
        """For notebooks."""
        if self._ended.is_set():
            return escape(repr(self))
        link = f'<a href="{escape(self.url)}" target="_blank">{escape(self.url)}</a>'
        return f"Shown at {link}, until <code>stop()</code>. In the cell itself: <code>inline()</code> of a result."

    def wait(self) -> None:
        """Serve until Ctrl-C or `stop()`."""
        try:
            while not self._ended.wait(0.25):
                pass
        except KeyboardInterrupt:
            pass
        finally:
            self.stop()

    def stop(self) -> None:
        """Close the page."""
        if not self._ended.is_set():
            self._ended.set()
            self.server.shutdown()
            self.server.server_close()

    def open(self) -> bool:
        """Show it in the user's browser; false where there is no screen to show it on."""
        if sys.platform.startswith("linux") and not (
            os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
        ):
            return False  # or a browser for text might take the terminal
        return webbrowser.open(self.url)

    def refusal(self, path: str, host: list[str], origin: list[str]) -> str:
        """Why a request is refused, or empty; host, origin: of its headers, as often as they are given."""
        token = path.partition("?")[0].removeprefix("/").partition("/")[0]
        if not secrets.compare_digest(token.encode(), self.token.encode()):
            return "the address needs the token that was shown when the viewer was started"
        no_address = "its `Host` or `Origin` is not an address"
        try:
            sites = [urlsplit(site).netloc.lower() for site in origin]
        except ValueError:  # brackets of an address that are not closed
            return no_address
        places = [PLACE.fullmatch(name.lower()) for name in host]
        names = [(place[1] or place[2]) for place in places if place is not None]
        if None in places:
            return no_address
        if len(names) != 1 or (self._names and names[0] not in self._names):
            return "the page is for this machine alone"
        if any(site != host[0].lower() for site in sites):
            return "pages of other sites may not look at it"
        return ""

    def answer(self, path: str) -> tuple[int, str, bytes]:
        """Status, kind and content for a path behind the token."""
        asked, _, query = path.partition("?")
        if asked in ("", "/"):
            return 200, "text/html; charset=utf-8", self.page
        name = parse_qs(query).get("name", [""])[0]
        if asked == "/signal" and self.plots is not None and name in self.plots.names:
            return 200, "application/json", json.dumps(self.plots.data(name)).encode()
        return 404, "text/plain; charset=utf-8", b"there is no such page\n"


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    allow_reuse_address = os.name != "nt"  # on Windows it would take a port that is in use
    viewer: Viewer

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Nothing where the browser has gone meanwhile: the terminal is the user's."""
        if not isinstance(sys.exception(), OSError):
            super().handle_error(request, client_address)


class _InTime(io.RawIOBase):
    """What comes from a browser, all of it by a moment: one that sends a byte a second would keep its thread."""

    def __init__(self, connection: socket.socket, seconds: float) -> None:
        self._connection, self._until = connection, time.monotonic() + seconds

    def readable(self) -> bool:
        return True

    def readinto(self, room: Any) -> int:
        left = self._until - time.monotonic()
        if left <= 0:
            raise TimeoutError
        self._connection.settimeout(left)
        return self._connection.recv_into(room)


class _Handler(BaseHTTPRequestHandler):
    server: _Server  # pyright: ignore[reportIncompatibleVariableOverride]
    timeout: float = 10  # pyright: ignore[reportIncompatibleVariableOverride]
    """Seconds for a whole request, and for a whole answer."""

    def setup(self) -> None:
        super().setup()
        self.rfile = io.BufferedReader(_InTime(self.connection, self.timeout))

    def do_GET(self) -> None:
        viewer = self.server.viewer
        headers = self.headers
        why = viewer.refusal(self.path, headers.get_all("Host") or [], headers.get_all("Origin") or [])
        if why:
            self._send(403, "text/plain; charset=utf-8", f"refused: {why}\n".encode())
        else:
            self._send(*viewer.answer(self.path.removeprefix(f"/{viewer.token}")))

    def _send(self, status: int, kind: str, content: bytes) -> None:
        self.connection.settimeout(self.timeout)
        self.send_response(status)
        for name, value in {**HEADERS, "Content-Type": kind, "Content-Length": str(len(content))}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing: the terminal is the user's."""


def _listen(viewer: Viewer, host: str, port: int) -> _Server:
    """A server at the port, or at the next free one."""
    kind = type("Server", (_Server,), {"address_family": socket.AF_INET6 if ":" in host else socket.AF_INET})
    if not 0 <= port < 65536:
        raise ModelError(f"needs a number from 0 to 65535, but is {port}", path="port")
    last = min(port + PORTS_TRIED, 65536) - 1
    for number in range(port, last + 1):
        try:
            server = kind((host, number), _Handler)
        except OSError as error:
            if error.errno in (errno.EADDRINUSE, errno.EACCES) and number < last:
                continue
            why = f"cannot serve at `{host}` and port {number}: {error.strerror or error}"
            raise ModelError(why, path="host", hint="give another `host` or `port`") from None
        server.viewer = viewer
        return server
    raise AssertionError("the last port is returned or raises")


def view_result(result: Result, *, browser: bool = True, **address: Any) -> Viewer:
    """Show a result in the browser. `host=` and `port=` as `Viewer` has them."""
    viewer = Viewer(film(result), result, title=result.provenance.name or "result", **address)
    if browser:
        viewer.open()
    return viewer


def view_model(description: Description, *, browser: bool = True, **address: Any) -> Viewer:
    """Show a mechanism before a run in the browser, assembled or, where it cannot be, as it is given."""
    viewer = Viewer(film_before_run(description), title=description.name or "mechanism", **address)
    if browser:
        viewer.open()
    return viewer
