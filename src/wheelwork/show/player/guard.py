"""Who may see the page of the viewer: those who know its address, and no page of another site.

A browser lets any page on the net open a web socket to this machine, and says in `Origin` which page it was; viser
answers all of them. Here every request, for the page and for its web socket, must have the token in its path, which is
made anew for each viewer and stands in the address that is shown; and `Origin`, where there is one, must be the page
itself. On a server for this machine alone the name in `Host` must be one of this machine: a name of another site that
was made to point here is refused too.
"""

from __future__ import annotations

import secrets
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any
from urllib.parse import urlsplit

LOOPBACK = ("127.0.0.1", "localhost", "::1")
_patching = threading.Lock()


class Guard:
    """Looks at each request before viser does; `path` is where the page is."""

    def __init__(self, host: str):
        self.token = secrets.token_urlsafe(16)
        self.path = f"/{self.token}/"
        self.names = LOOPBACK if host in LOOPBACK else ()
        self.serves: Callable[[Any, Any], Any] | None = None
        """What answers requests that are let through; None until a server has been guarded."""

    def refusal(self, path: str, host: list[str], origin: list[str]) -> str:
        """Why a request is refused, or empty; host, origin: of its headers, as often as they are given."""
        token = path.partition("?")[0].removeprefix("/").partition("/")[0]
        if not secrets.compare_digest(token.encode(), self.token.encode()):
            return "the address needs the token that was shown when the viewer was started"
        if len(host) != 1 or (self.names and urlsplit(f"//{host[0]}").hostname not in self.names):
            return "the page is for this machine alone"
        if any(urlsplit(page).netloc.lower() != host[0].lower() for page in origin):
            return "pages of other sites may not look at it"
        return ""

    def __call__(self, connection: Any, request: Any) -> Any:
        assert self.serves is not None
        headers = request.headers
        why = self.refusal(request.path, headers.get_all("Host"), headers.get_all("Origin"))
        if why:
            return connection.respond(403, f"refused: {why}\n")
        inside = request.path.removeprefix("/").removeprefix(self.token)
        answer = self.serves(connection, replace(request, path=f"/{inside.lstrip('/')}"))
        if answer is not None:
            answer.headers["Referrer-Policy"] = "no-referrer"  # the address is not told to other sites
        return answer

    @contextmanager
    def installed(self) -> Iterator[None]:
        """A server that viser starts in here asks this guard first. viser has no place for that, so the function by
        which it serves is exchanged for so long; were it not called, there would be no page."""
        import websockets.asyncio.server as server

        serve = server.serve

        def guarded(*arguments: Any, process_request: Any = None, **options: Any) -> Any:
            self.serves = process_request
            return serve(*arguments, process_request=self, **options)

        with _patching:
            server.serve = guarded  # type: ignore[assignment,misc]
            try:
                yield
            finally:
                server.serve = serve
