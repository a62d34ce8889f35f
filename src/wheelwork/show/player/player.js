// The player: time, speed, bodies to hide and follow, forces and names, around a stage. No libraries.
"use strict";
const wheelworkPlayer = (() => {
function make(tag, attributes, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) {
    if (name === "on") Object.entries(value).forEach(([event, act]) => element.addEventListener(event, act));
    else if (value !== false) element.setAttribute(name, value);
  }
  element.append(...children);
  return element;
}

class Player {
  constructor(root, data) {
    Object.assign(this, { root, data, time: data.start, playing: false, listeners: [] });
    this.moves = data.end > data.start;
    this.canvas = make("canvas", { tabindex: 0, "aria-label": "the mechanism; drag to turn, wheel to zoom, space to play" });
    this.names = make("div", { class: "player-names", hidden: "" });
    root.append(make("div", { class: "player-view" }, this.canvas, this.names, this.side(), this.foot()), this.controls());
    if (data.signals && this.moves) this.canvas.after(wheelworkPlots(this, data.signals));
    if (data.problems.length) root.prepend(make("div", { class: "player-problems" }, ...data.problems.map((text) => make("p", {}, text))));
    try {
      this.stage = new wheelworkStage(this.canvas, data);
    } catch (error) {
      root.prepend(make("div", { class: "player-problems" }, make("p", {}, `The mechanism cannot be drawn: ${error.message}. The player needs a browser with WebGL 2.`)));
      return;
    }
    this.stage.fit();
    this.grid.textContent = `grid ${+this.stage.spacing.toPrecision(2)} m`;
    if (data.labels.length && data.named) this.showNames(true);
    this.hands();
    this.theme();
    new MutationObserver(() => this.theme()).observe(document.documentElement, { attributes: true, attributeFilter: ["data-theme"] });
    new ResizeObserver(() => this.draw()).observe(this.canvas);
  }

  // -- what is around the picture

  side() {
    const { data } = this, groups = new Map();
    const row = (name, k, color) => {
      const follow = make("button", { type: "button", title: `keep ${name} in the middle`, "aria-pressed": "false" }, "◎");
      follow.addEventListener("click", () => this.follow(this.stage.follow === k ? null : k));
      if (k >= 0) this.follows.push([k, follow]);
      const tick = make("input", { type: "checkbox", checked: "", "data-body": name,
        on: { change: (e) => { this.stage.hidden[e.target.checked ? "delete" : "add"](k); this.draw(); } } });
      return make("div", {}, make("label", {}, tick, make("i", { style: `background: ${color}` }), name.split(".").pop()), ...(k >= 0 ? [follow] : []));
    };
    this.follows = [];
    data.bodies.forEach((name, k) => {
      const owner = name.includes(".") ? name.slice(0, name.lastIndexOf(".")) : "";
      if (!groups.has(owner)) groups.set(owner, []);
      groups.get(owner).push(row(name, k, data.colors[k]));
    });
    if (data.parts.some((part) => part.body < 0)) groups.set("", [...(groups.get("") || []), row("ground", -1, "#6d747e")]);
    const list = [...groups].flatMap(([owner, rows]) => owner ? [make("details", { open: "" }, make("summary", {}, owner), ...rows)] : rows);
    return make("details", { class: "player-bodies", open: data.bodies.length <= 8 && window.innerWidth > 700 ? "" : false },
      make("summary", {}, `Bodies (${data.bodies.length})`), make("div", { class: "player-list" }, ...list));
  }
  foot() {
    this.grid = make("span", {});
    return make("div", { class: "player-foot" }, this.grid, ...this.data.notes.map((text) => make("span", {}, text)));
  }
  controls() {
    const { data } = this, bar = make("div", { class: "player-controls" });
    if (this.moves) {
      this.button = make("button", { type: "button", class: "player-play", on: { click: () => (this.playing ? this.stop() : this.play()) } }, "▶ Play");
      this.slider = make("input", { type: "range", min: 0, max: 1000, step: "any", value: 0, "aria-label": "time",
        on: { input: (e) => { this.stop(); this.setTime(data.start + e.target.value / 1000 * (data.end - data.start)); } } });
      this.clock = make("output", {});
      this.speed = make("select", { "aria-label": "speed" }, ...data.speeds.map((s) =>
        make("option", { value: s, selected: s === data.speed ? "" : false }, s === 1 ? "real time" : `${s} ×`)));
      bar.append(this.button, this.slider, this.clock, this.speed);
    }
    const tick = (text, act) => make("label", {}, make("input", { type: "checkbox", on: { change: (e) => act(e.target.checked) } }), text);
    if (data.labels.length) { const names = tick("names", (on) => this.showNames(on)); this.namesTick = names.firstChild; bar.append(names); }
    bar.append(tick("see-through", (on) => { this.stage.glass = on; this.draw(); }));
    const kinds = new Set(data.arrows ? data.arrows.kinds : []);
    for (const [kind, text] of [["joint", "joint forces"], ["mesh", "tooth forces"]])
      if (kinds.has(kind)) bar.append(tick(text, (on) => { this.stage.shown[kind] = on; this.draw(); }));
    if (kinds.size) {
      const legend = () => `× ${this.stage ? +this.stage.shown.scale.toPrecision(2) : 1}`, scale = make("output", {}, "× 1");
      bar.append(make("label", { class: "player-scale", title: `the longest arrow is ${(+data.arrows.largest.toPrecision(3))} N at any time` }, "length",
        make("input", { type: "range", min: -1, max: 1.5, step: "any", value: 0, "aria-label": "length of arrows",
          on: { input: (e) => { this.stage.shown.scale = 10 ** e.target.value; scale.textContent = legend(); this.draw(); } } }), scale));
    }
    return bar;
  }
  showNames(on) {
    this.names.hidden = !on; this.stage.named = on;
    if (this.namesTick) this.namesTick.checked = on;
    if (on && !this.tags) {
      this.tags = this.data.labels.map((label) => make("span", { class: label.kind }, label.name, make("small", {}, ` ${label.type}`), make("i", {})));
      this.names.append(...this.tags);
    }
    this.draw();
  }
  placeNames() {
    if (this.names.hidden) return;
    const found = this.data.labels.map((label, k) => {
      const at = this.stage.hidden.has(label.body) ? null : this.stage.screen(this.stage.put(this.stage.body(label.body), label.point));
      this.tags[k].hidden = !at;
      return [at, this.tags[k]];
    }).filter(([at]) => at).sort((a, b) => a[0][1] - b[0][1]), taken = [];
    const dots = this.stage.pushes(this.place).flatMap(({ at, force }) => {  // on the arrows, close to each other
      const a = this.stage.screen(at), b = this.stage.screen(at.map((v, i) => v + force[i]));
      const n = a && b ? Math.ceil(Math.hypot(b[0] - a[0], b[1] - a[1]) / 5) : -1;
      return Array.from({ length: Math.min(n, 400) + 1 }, (_, i) => [a[0] + (b[0] - a[0]) * i / (n || 1), a[1] + (b[1] - a[1]) * i / (n || 1)]);
    });
    for (const [[x, y], tag] of found) {  // from the top down, none on top of another or of an arrow
      const wide = (tag.wide ||= tag.offsetWidth);
      const touched = (u, v) => taken.some(([a, b, w]) => u < a + w && a < u + wide && Math.abs(v - b) < 17);
      const covers = ([u, v]) => touched(u, v) || dots.some(([a, b]) => a > u + 2 && a < u + wide + 10 && Math.abs(b - v) < 13);
      const beside = [0, 20, -20, 40, -40, 60, -60, 80, -80, 100, -100].flatMap((down) => [x, x - wide - 12, x + 40, x - wide - 52].map((u) => [u, y + down]));
      if (!(tag.beside >= 0) || covers(beside[tag.beside])) tag.beside = beside.findIndex((place) => !covers(place));
      let [u, v] = beside[tag.beside] || [x, y];  // where it was, as long as that is free
      while (touched(u, v)) v += 4;
      taken.push([u, v, wide]);
      tag.style.transform = `translate(${u.toFixed(1)}px, ${v.toFixed(1)}px)`;
      const start = x > u + wide / 2 ? wide : 0, right = x - u - 6 - start, down = y - v, far = Math.hypot(right, down);
      tag.lastChild.style.cssText = far > 30 ? `left: ${start}px; width: ${far}px; transform: rotate(${Math.atan2(down, right)}rad)` : "display: none";
    }
  }
  follow(k) {
    this.stage.follow = k;
    this.follows.forEach(([body, button]) => button.setAttribute("aria-pressed", String(body === k)));
    Object.assign(this.stage.view, k === null ? { x: this.stage.home.x, y: this.stage.home.y } : { x: 0, y: 0 });
    this.draw();
  }
  theme() {
    const asked = document.documentElement.dataset.theme;
    this.stage.dark = asked ? asked === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    this.draw();
  }

  // -- time

  get place() { return this.moves ? (this.time - this.data.start) / (this.data.end - this.data.start) * (this.data.frames - 1) : 0; }
  draw() { if (this.stage) { this.stage.draw(this.place); if (this.stage.now) this.placeNames(); } }
  setTime(t) {
    this.time = Math.min(this.data.end, Math.max(this.data.start, t));
    if (this.slider) {
      this.slider.value = this.place / (this.data.frames - 1) * 1000;
      this.clock.textContent = `${this.time.toFixed(this.data.digits)} s`;
    }
    this.listeners.forEach((listen) => listen(this.time));
    this.draw();
  }
  onTime(listen) { this.listeners.push(listen); listen(this.time); }
  play() {
    if (!this.moves || this.playing) return;
    this.playing = true; this.button.textContent = "❚❚ Pause";
    let last = performance.now();
    const step = (now) => {
      if (!this.playing) return;
      const next = this.time + Math.min(0.1, (now - last) / 1000) * Number(this.speed.value);
      last = now;
      this.setTime(next > this.data.end ? this.data.start : next);
      requestAnimationFrame(step);
    };
    requestAnimationFrame(step);
  }
  stop() { this.playing = false; if (this.button) this.button.textContent = "▶ Play"; }

  // -- hands on: drag to turn, with shift or another button (or two fingers) to move, wheel or two fingers to zoom

  hands() {
    const { canvas, stage: { view, home } } = this, held = new Map();
    const zoom = (factor) => { view.zoom = Math.min(40, Math.max(0.2, view.zoom * factor)); };
    const slide = (dx, dy) => { view.x += dx / view.zoom; view.y -= dy / view.zoom; };
    canvas.addEventListener("pointerdown", (e) => { held.set(e.pointerId, [e.clientX, e.clientY]); canvas.setPointerCapture(e.pointerId); });
    canvas.addEventListener("pointermove", (e) => {
      const was = held.get(e.pointerId);
      if (!was) return;
      const dx = e.clientX - was[0], dy = e.clientY - was[1];
      if (held.size > 1) {
        const other = [...held].find(([id]) => id !== e.pointerId)[1], apart = (p) => Math.hypot(p[0] - other[0], p[1] - other[1]) || 1;
        zoom(apart([e.clientX, e.clientY]) / apart(was)); slide(dx / 2, dy / 2);
      } else if (e.shiftKey || e.buttons > 1) slide(dx, dy);
      else { view.yaw -= dx * 0.008; view.pitch = Math.min(1.57, Math.max(-1.57, view.pitch + dy * 0.008)); }
      held.set(e.pointerId, [e.clientX, e.clientY]);
      this.draw();
    });
    for (const end of ["pointerup", "pointercancel"]) canvas.addEventListener(end, (e) => held.delete(e.pointerId));
    const alone = this.root.parentElement === document.body;
    canvas.addEventListener("wheel", (e) => {
      if (!alone && !e.ctrlKey && document.activeElement !== canvas) return;  // within a page the wheel scrolls, until one takes hold
      e.preventDefault(); zoom(Math.exp(-e.deltaY * 0.001)); this.draw();
    }, { passive: false });
    canvas.addEventListener("keydown", (e) => {
      const step = { ArrowLeft: -1, ArrowRight: 1 }[e.key];
      if (e.key === " ") (this.playing ? this.stop() : this.play());
      else if (step && this.moves) { this.stop(); this.setTime(this.time + step * (this.data.end - this.data.start) / (this.data.frames - 1)); }
      else return;
      e.preventDefault();
    });
    canvas.addEventListener("contextmenu", (e) => e.preventDefault());
    canvas.addEventListener("dblclick", () => { Object.assign(view, home); this.follow(null); });
  }
}

// Starts the player in an element with the data of the JSON script inside it. `?t=` and `?still` in the address hold it.
return (root) => {
  const player = new Player(root, JSON.parse(root.querySelector("script").textContent));
  const asked = new URLSearchParams(location.search), quiet = matchMedia("(prefers-reduced-motion: reduce)").matches;
  root.player = player;
  if (!player.stage) return player;
  player.setTime(asked.has("t") ? Number(asked.get("t")) : player.data.start);
  if (!quiet && !asked.has("still") && !asked.has("t")) player.play();
  return player;
};
})();
