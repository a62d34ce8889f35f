"""A film in the browser with everything to handle it, through viser: the page comes from this machine and needs no
other.

The clock runs here, in a thread, and tells the page where bodies are; all pages that are open show the same.
"""

from __future__ import annotations

import contextlib
import io
import os
import sys
import threading
import time
from typing import TYPE_CHECKING, Any

from .film import Film
from .guard import Guard
from .player import playing_speeds

if TYPE_CHECKING:
    from wheelwork.results import Result

RATE = 30.0
"""Pictures in a second, at most."""
PLOTS_RATE = 8.0
NOBODY = "nothing"
HERE = "127.0.0.1"


class Viewer:
    """A page that shows a film; `url` is its address. `wait()` serves until Ctrl-C, `stop()` ends it.

    The address has a token in it, made anew each time: who does not know it, and pages of other sites, see nothing.

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
        viser = need_viser()
        from .live_plots import LivePlots
        from .live_scene import LiveScene

        self.film = film
        guard = Guard(host)
        # it says where it listens; so do we, in our words
        with contextlib.redirect_stdout(io.StringIO()), guard.installed():
            self.server = viser.ViserServer(host=host, port=port, label=title, verbose=False)
        if guard.serves is None:
            self.server.stop()
            raise ImportError(
                "the viewer cannot be kept to itself with this viser: pip install 'wheelwork[view]'"
            )
        name = HERE if host in ("0.0.0.0", "::", "") else f"[{host}]" if ":" in host else host
        self.url = f"http://{name}:{self.server.get_port()}{guard.path}"
        self.t, self.playing, self.speed = film.start, False, 1.0
        self._changing = threading.Lock()
        self._ended = threading.Event()
        self.scene = LiveScene(self.server, film, named=result is None)
        self._build_controls(named=result is None)
        self.plots = LivePlots(self.server, result, film) if result is not None and self.moves else None
        self.show(film.start)
        self._clock = threading.Thread(target=self._run, name="wheelwork-view", daemon=True)
        self._clock.start()

    @property
    def moves(self) -> bool:
        """Whether there is more than one moment."""
        return self.film.end > self.film.start

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
            self._clock.join(timeout=2.0)
            with contextlib.redirect_stdout(io.StringIO()):
                self.server.stop()

    def open(self) -> bool:
        """Show it in the user's browser; false where there is no screen to show it on."""
        import webbrowser

        if sys.platform.startswith("linux") and not (
            os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
        ):
            return False  # or a browser for text might take the terminal
        return webbrowser.open(self.url)

    # -- the controls

    def _build_controls(self, named: bool) -> None:
        gui = self.server.gui
        gui.configure_theme(show_logo=False, show_share_button=False)
        gui.main_panel.dock_right()
        gui.main_panel.set_width(300)
        for k, text in enumerate(self.film.problems):
            gui.add_markdown(_plain(text) if k else f"**{_plain(text)}**")
        if self.moves:
            self._build_clock()
        for note in (*self.film.scene.notes, self.film.note):
            if note:
                gui.add_markdown(f"*{_plain(note)}*")
        self._build_forces()
        if self.scene.names:
            self._tick("names and axes", named, self.scene.show_names)
        self._tick("see-through", False, self.scene.see_through)
        follow = gui.add_dropdown("follow", (NOBODY, *self.film.scene.names))
        follow.on_update(lambda _: self.follow(None if follow.value == NOBODY else follow.value))
        self._build_tree()

    def _tick(self, text: str, on: bool, act: Any) -> Any:
        box = self.server.gui.add_checkbox(text, on)
        box.on_update(lambda _: act(box.value))
        return box

    def _build_clock(self) -> None:
        gui, film = self.server.gui, self.film
        span = film.end - film.start
        self.speed, speeds = playing_speeds(span)
        self.play_button = gui.add_button("Play")
        self.play_button.on_click(lambda _: self.pause() if self.playing else self.play())
        self.slider = gui.add_slider("time [s]", film.start, film.end, span / 2000, film.start)
        self.slider.on_update(self._slid)
        words = {"real time" if s == 1 else f"{s:g} ×": s for s in speeds}
        usual = next(word for word, s in words.items() if s == self.speed)
        choice = gui.add_dropdown("speed", tuple(words), initial_value=usual)
        choice.on_update(lambda _: setattr(self, "speed", words[choice.value]))

    def _slid(self, event: Any) -> None:
        if event.client is not None:  # a hand on it, not our own clock
            self.pause()
            self.show(float(self.slider.value), slide=False)

    def _build_forces(self) -> None:
        gui, found = self.server.gui, self.film.arrows
        if found is None or not self.film.arrow_scale:
            return
        with gui.add_folder("Forces"):
            for kind, text in (("joint", "of joints"), ("mesh", "of teeth")):
                if kind in found.kinds:
                    self._tick(text, False, lambda on, kind=kind: self.show_forces(kind, on))
            length = gui.add_slider("length, × 10^", -1.0, 1.5, 0.05, 0.0, hint="of the arrows")
            length.on_update(lambda _: self.scale_forces(10.0**length.value))

    def _build_tree(self) -> None:
        """A tick for each body; those of a component in a folder of their own, with one for all of them."""
        gui, names = self.server.gui, self.film.scene.names
        groups: dict[str, list[int]] = {}
        for k, name in enumerate(names):
            groups.setdefault(name.rpartition(".")[0], []).append(k)
        self.ticks: dict[str, Any] = {}
        with gui.add_folder("Bodies", expand_by_default=len(names) <= 24):
            for owner, bodies in groups.items():
                if not owner:
                    self._add_ticks(bodies)
                    continue
                with gui.add_folder(owner):
                    if len(bodies) > 1:
                        self._tick(
                            f"all of {owner}", True, lambda on, bodies=bodies: self._set_ticks(bodies, on)
                        )
                    self._add_ticks(bodies)

    def _add_ticks(self, bodies: list[int]) -> None:
        for k in bodies:
            name = self.film.scene.names[k]
            self.ticks[name] = self._tick(
                name.rpartition(".")[2], True, lambda on, k=k: setattr(self.scene.bodies[k], "visible", on)
            )

    def _set_ticks(self, bodies: list[int], on: bool) -> None:
        for k in bodies:
            self.ticks[self.film.scene.names[k]].value = on
            self.scene.bodies[k].visible = on

    # -- what the controls do

    def play(self) -> None:
        """Let the time run."""
        if self.moves:
            self.playing, self.play_button.label = True, "Pause"

    def pause(self) -> None:
        """Hold the time."""
        if self.playing:
            self.playing, self.play_button.label = False, "Play"

    def follow(self, body: str | None) -> None:
        """Keep a body in the middle; None lets it go."""
        self.scene.following = None if body is None else self.film.scene.names.index(body)
        self.show(self.t)

    def show_forces(self, kind: str, on: bool) -> None:
        """Arrows of `joint` or `mesh`."""
        self.scene.arrows[kind].visible = on
        self.show(self.t)

    def scale_forces(self, factor: float) -> None:
        """Make arrows longer or shorter than at first."""
        self.scene.arrow_scale = factor * self.film.arrow_scale
        self.show(self.t)

    def show(self, t: float, slide: bool = True) -> None:
        """The mechanism at a time [s]."""
        with self._changing, self.server.atomic():
            self.t = t
            self.scene.show(t)
            if slide and self.moves:
                self.slider.value = t

    def _run(self) -> None:
        """The clock: moves the time on while it plays, and the plots after it."""
        last, plotted, shown = time.perf_counter(), 0.0, self.film.start
        while not self._ended.wait(1 / RATE):
            now = time.perf_counter()
            if self.playing:
                t = self.t + (now - last) * self.speed
                self.show(self.film.start if t > self.film.end else t)
            last = now
            if self.plots is not None and shown != self.t and now - plotted > 1 / PLOTS_RATE:
                shown, plotted = self.t, now
                self.plots.show(shown)


def need_viser() -> Any:
    """The library, or what to do without it; before any long work."""
    try:
        import viser
    except ImportError:
        raise ImportError(
            "the viewer needs viser, which is not installed: pip install 'wheelwork[view]'. "
            "Without it, `wheelwork view FILE --save animation.html` (in Python `animate`) writes a page that plays"
        ) from None
    return viser


def _plain(text: str) -> str:
    """Text in which Markdown sees no marks."""
    return "".join(f"\\{c}" if c in r"\`*_{}[]<>#|" else c for c in text)
