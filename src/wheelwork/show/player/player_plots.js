// Plots of signals beside the mechanism: pale over the whole time, strong up to now. A click sets the time.
"use strict";
const wheelworkPlots = (() => {
const SVG = Object.assign(document.createElement("div"), { innerHTML: "<svg/>" }).firstChild.namespaceURI, WIDTH = 286, HEIGHT = 118, LEFT = 6, RIGHT = 46, TOP = 6, BOTTOM = 16;
const COLORS = ["#2563b8", "#d9730d", "#1a8a5a", "#b3261e", "#7a4fc0", "#8a6d1a", "#0e8a9a"];
function drawn(tag, attributes, text) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  if (text !== undefined) element.textContent = text;
  return element;
}
const short = (v) => Number.isFinite(v) ? String(+v.toPrecision(4)) : "–";

class Plot {
  constructor(signal, start, end, pick) {
    const numbers = new Float32Array(Uint8Array.from(atob(signal.values), (c) => c.charCodeAt(0)).buffer), count = numbers.length / signal.parts.length;
    const finite = numbers.filter(Number.isFinite), low = finite.reduce((a, b) => Math.min(a, b), Infinity), high = finite.reduce((a, b) => Math.max(a, b), -Infinity);
    const room = 0.06 * (high - low) || Math.abs(high) || 1, [bottom, top] = finite.length ? [low - room, high + room] : [-1, 1];
    Object.assign(this, { signal, numbers, count, start, end });
    this.x = (k) => LEFT + k / (count - 1) * (WIDTH - LEFT - RIGHT);
    this.y = (v) => TOP + (top - v) / (top - bottom) * (HEIGHT - TOP - BOTTOM);
    this.svg = drawn("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: "player-plot" });
    if (bottom < 0 && top > 0) this.svg.append(drawn("line", { x1: LEFT, x2: WIDTH - RIGHT, y1: this.y(0), y2: this.y(0), class: "zero" }));
    this.lines = signal.parts.map((_, c) => [0.3, 1].map((opacity) => this.svg.appendChild(
      drawn("path", { fill: "none", stroke: COLORS[c % COLORS.length], "stroke-width": opacity < 1 ? 1 : 1.8, opacity }))));
    this.lines.forEach(([whole], c) => whole.setAttribute("d", this.path(c, count - 1)));
    this.cursor = this.svg.appendChild(drawn("line", { y1: TOP, y2: HEIGHT - BOTTOM, class: "cursor" }));
    for (const value of low < high ? [high, low] : [low])
      this.svg.append(drawn("text", { x: WIDTH - RIGHT + 4, y: this.y(value) + 3 }, short(value)));
    this.svg.append(drawn("text", { x: LEFT, y: HEIGHT - 3 }, `${short(start)} s`), drawn("text", { x: WIDTH - RIGHT, y: HEIGHT - 3, "text-anchor": "end" }, `${short(end)} s`));
    const pointed = (e) => {
      const box = this.svg.getBoundingClientRect(), s = ((e.clientX - box.left) / box.width * WIDTH - LEFT) / (WIDTH - LEFT - RIGHT);
      pick(start + Math.min(1, Math.max(0, s)) * (end - start));
    };
    this.svg.addEventListener("pointerdown", (e) => { this.svg.setPointerCapture(e.pointerId); pointed(e); });
    this.svg.addEventListener("pointermove", (e) => { if (e.buttons) pointed(e); });
    this.title = document.createElement("span");
  }
  value(c, place) {
    const k = Math.min(Math.floor(place), this.count - 2), s = place - k, at = (i) => this.numbers[c * this.count + i];
    return s ? (1 - s) * at(k) + s * at(k + 1) : at(k);
  }
  path(c, place) {
    let out = "", pen = "M";
    const point = (k, v) => { if (Number.isFinite(v)) { out += `${pen}${this.x(k).toFixed(1)} ${this.y(v).toFixed(1)}`; pen = "L"; } else pen = "M"; };
    for (let k = 0; k <= place; k++) point(k, this.numbers[c * this.count + k]);
    if (place % 1) point(place, this.value(c, place));
    return out;
  }
  show(time) {
    const place = (time - this.start) / (this.end - this.start) * (this.count - 1), { signal } = this;
    this.lines.forEach(([, strong], c) => strong.setAttribute("d", this.path(c, place)));
    for (const end of ["x1", "x2"]) this.cursor.setAttribute(end, this.x(place));
    this.title.textContent = `${signal.name} = ${signal.parts.map((part, c) => `${part} ${short(this.value(c, place))}`.trim()).join(", ")} ${signal.unit}`;
  }
}

// A panel for a player: plots of the signals that came with the page, and where there is a server, of any other.
return (player, { names, shown, live }) => {
  const make = (tag, attributes, ...children) => { const e = document.createElement(tag); Object.entries(attributes).forEach(([k, v]) => e.setAttribute(k, v)); e.append(...children); return e; };
  const plots = new Map(), list = make("div", {}), panel = make("details", { class: "player-plots" }, make("summary", {}, "Signals"), list);
  panel.open = window.innerWidth >= 960;  // else it would hide the mechanism
  const add = (signal) => {
    if (plots.has(signal.name)) return;
    const plot = new Plot(signal, player.data.start, player.data.end, (t) => { player.stop(); player.setTime(t); });
    const away = make("button", { type: "button", title: `remove ${signal.name}` }, "×");
    const figure = make("figure", { "data-signal": signal.name }, make("figcaption", {}, plot.title, away), plot.svg);
    away.addEventListener("click", () => { plots.delete(signal.name); figure.remove(); });
    plots.set(signal.name, plot); list.append(figure); plot.show(player.time);
  };
  if (live) {
    const choices = make("datalist", { id: `signals-${Math.random().toString(36).slice(2)}` }, ...names.map((name) => make("option", { value: name })));
    const choice = make("input", { list: choices.id, placeholder: `plot a signal (${names.length})`, "aria-label": "signal to plot" }), said = make("small", {});
    choice.addEventListener("change", async () => {
      const name = choice.value;
      said.textContent = "";
      if (!name) return;
      if (!names.includes(name)) { said.textContent = `there is no signal ${name}`; return; }
      try {
        const answer = await fetch(`signal?name=${encodeURIComponent(name)}`);
        if (!answer.ok) throw new Error(answer.statusText);
        add(await answer.json()); choice.value = "";
      } catch (error) { said.textContent = `${name} could not be read: ${error.message}. Does the program still run?`; }
    });
    panel.append(make("div", { class: "player-choice" }, choice, choices, said));
  }
  shown.forEach(add);
  player.onTime((time) => plots.forEach((plot) => plot.show(time)));
  return panel;
};
})();
