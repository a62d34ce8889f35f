// The report's page: draws the mechanism on a canvas and moves a time cursor through the plots. No libraries.
"use strict";
(() => {
const data = JSON.parse(document.getElementById("data").textContent);
const root = document.documentElement;
const frames = data.t.length, bodies = data.bodies.length;
const start = data.t[0], end = data.t[frames - 1];
const $ = (id) => document.getElementById(id);
let time = start, playing = false;

// -- light and dark

function setTheme(theme) { root.dataset.theme = theme; readColors(); draw(); }
let colors = {};
function readColors() {
  const style = getComputedStyle(root);
  const rgb = (name) => {
    const hex = style.getPropertyValue(name).trim();
    return [1, 3, 5].map((k) => parseInt(hex.slice(k, k + 2), 16));
  };
  colors = { line: style.getPropertyValue("--line").trim(), shadow: style.getPropertyValue("--shadow").trim(),
    steel: rgb("--steel"), bodies: Array.from({ length: 8 }, (_, k) => rgb("--c" + k)), dark: root.dataset.theme === "dark" };
}

// -- the mechanism

const canvas = $("canvas"), context = canvas && canvas.getContext("2d");
const U = data.upright, R = data.radius;
const home = { yaw: data.view[0], pitch: data.view[1], zoom: 1, x: 0, y: 0 };
const view = { ...home };
const AWAY = 3.4 * R;
const center = turn(U, data.center);
function turn(m, [x, y, z]) {
  return [m[0][0] * x + m[0][1] * y + m[0][2] * z, m[1][0] * x + m[1][1] * y + m[1][2] * z, m[2][0] * x + m[2][1] * y + m[2][2] * z];
}

// Pose of a body between two frames: position and rotation matrix, z up.
function pose(body, place) {
  if (body < 0) return { p: [0, 0, 0], m: U };
  const k = Math.min(Math.floor(place), frames - 1), n = Math.min(k + 1, frames - 1), s = place - k;
  const a = (k * bodies + body) * 7, b = (n * bodies + body) * 7, q = [];
  for (let i = 0; i < 7; i++) q.push(data.poses[a + i] * (1 - s) + data.poses[b + i] * s);
  const size = Math.hypot(q[3], q[4], q[5], q[6]) || 1;
  const [w, x, y, z] = [q[3] / size, q[4] / size, q[5] / size, q[6] / size];
  const m = [
    [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
    [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
    [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]];
  const columns = [0, 1, 2].map((j) => turn(U, [m[0][j], m[1][j], m[2][j]]));
  return { p: turn(U, q.slice(0, 3)), m: [0, 1, 2].map((i) => [columns[0][i], columns[1][i], columns[2][i]]) };
}
const placed = ({ p, m }, point) => { const v = turn(m, point); return [v[0] + p[0], v[1] + p[1], v[2] + p[2]]; };

// What the eye sees of a point: right, up, towards the eye.
function seenFrom({ yaw, pitch }) {
  const cy = Math.cos(yaw), sy = Math.sin(yaw), cp = Math.cos(pitch), sp = Math.sin(pitch);
  return (v) => {
    const x = v[0] - center[0], y = v[1] - center[1], z = v[2] - center[2];
    const forward = cy * x + sy * y;
    return [-sy * x + cy * y, cp * z - sp * forward, cp * forward + sp * z];
  };
}
const focalLength = (width, height) => 0.92 * Math.min(height, width * 0.8) * AWAY / (2 * R);

// The first view: as large as the whole motion allows.
function fit() {
  const width = canvas.clientWidth, height = canvas.clientHeight, focal = focalLength(width, height);
  const eye = seenFrom(home), low = [Infinity, Infinity], high = [-Infinity, -Infinity];
  const moments = Math.min(frames, 40);
  for (let k = 0; k < moments; k++) {
    const place = moments > 1 ? k / (moments - 1) * (frames - 1) : 0;
    const poses = data.bodies.map((_, body) => pose(body, place));
    for (const part of data.parts) for (let i = 0; i < part.corners.length; i += 3) {
      const c = eye(placed(part.body < 0 ? pose(-1, 0) : poses[part.body], part.corners[i]));
      [0, 1].forEach((j) => {
        const s = focal * c[j] / (AWAY - c[2]);
        low[j] = Math.min(low[j], s); high[j] = Math.max(high[j], s);
      });
    }
  }
  const wide = Math.max(1, high[0] - low[0]), tall = Math.max(1, high[1] - low[1]);
  home.zoom = Math.min(2.5, 0.84 * width / wide, 0.74 * height / tall) || 1;
  home.x = -(low[0] + high[0]) / 2 || 0; home.y = -(low[1] + high[1]) / 2 || 0;
  Object.assign(view, home);
}

function draw() {
  if (!context) return;
  const scale = window.devicePixelRatio || 1;
  const width = canvas.clientWidth, height = canvas.clientHeight;
  if (canvas.width !== Math.round(width * scale) || canvas.height !== Math.round(height * scale)) {
    canvas.width = Math.round(width * scale); canvas.height = Math.round(height * scale);
  }
  context.setTransform(scale, 0, 0, scale, 0, 0);
  context.clearRect(0, 0, width, height);
  const away = AWAY, focal = focalLength(width, height) * view.zoom, eye = seenFrom(view);
  const screen = (c) => {
    const k = focal / Math.max(away - c[2], 0.05 * R);
    return [width / 2 + view.x * view.zoom + k * c[0], height / 2 - view.y * view.zoom - k * c[1]];
  };
  drawFloor((v) => screen(eye(v)));

  const place = frames > 1 ? (time - start) / (end - start) * (frames - 1) : 0;
  const poses = data.bodies.map((_, k) => pose(k, place)), ground = pose(-1, 0);
  const items = [], shadow = new Path2D();
  const floor = data.floor;
  for (const part of data.parts) {
    const at = part.body < 0 ? ground : poses[part.body];
    const world = part.corners.map((corner) => placed(at, corner));
    const seen = world.map(eye);
    const base = part.symbol ? colors.steel : colors.bodies[part.body % 8];
    part.faces.forEach((face, k) => {
      const [a, b, c] = [seen[face[0]], seen[face[1]], seen[face[2]]];
      const u = [b[0] - a[0], b[1] - a[1], b[2] - a[2]], v = [c[0] - a[0], c[1] - a[1], c[2] - a[2]];
      const n = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
      const size = Math.hypot(...n) || 1;
      if (up(world, face) > 0) trace(shadow, face.map((i) => screen(eye([world[i][0], world[i][1], floor]))));
      if (n[0] * -a[0] + n[1] * -a[1] + n[2] * (away - a[2]) <= 0) return;
      const light = Math.max(0, (n[0] * -0.35 + n[1] * 0.72 + n[2] * 0.6) / size);
      const tone = (colors.dark ? 0.42 : 0.56) + (colors.dark ? 0.58 : 0.5) * light - 0.13 * part.tones[k];
      const depth = face.reduce((sum, i) => sum + seen[i][2], 0) / face.length;
      items.push({ depth, points: face.map((i) => screen(seen[i])), fill: shade(base, tone) });
    });
  }
  for (const line of data.lines) {
    const ends = line.ends.map(([body, point]) => eye(placed(body < 0 ? ground : poses[body], point)));
    items.push({ depth: (ends[0][2] + ends[1][2]) / 2, line: line.kind, points: ends.map(screen) });
  }
  context.fillStyle = `rgba(${colors.shadow}, ${colors.dark ? 0.4 : 0.1})`;
  context.fill(shadow);
  items.sort((a, b) => a.depth - b.depth);
  context.lineJoin = "round";
  for (const item of items) item.line ? drawLine(item, focal / away * R) : drawFace(item);
}
function up(world, face) {
  const [a, b, c] = [world[face[0]], world[face[1]], world[face[2]]];
  return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}
function trace(path, points) {
  points.forEach(([x, y], k) => (k ? path.lineTo(x, y) : path.moveTo(x, y)));
  path.closePath();
}
function shade([r, g, b], tone) {
  // beyond 1 the colour goes towards white
  const mix = (c) => Math.round(Math.min(255, tone <= 1 ? c * tone : c + (255 - c) * (tone - 1)));
  return `rgb(${mix(r)},${mix(g)},${mix(b)})`;
}
function drawFace({ points, fill }) {
  context.beginPath();
  points.forEach(([x, y], k) => (k ? context.lineTo(x, y) : context.moveTo(x, y)));
  context.closePath();
  context.fillStyle = context.strokeStyle = fill;
  context.lineWidth = 0.7;  // closes the hairlines between neighbours
  context.fill(); context.stroke();
}
function drawLine({ line, points: [a, b] }, unit) {
  const dx = b[0] - a[0], dy = b[1] - a[1], length = Math.hypot(dx, dy) || 1;
  context.strokeStyle = shade(colors.steel, 0.95);
  context.lineWidth = Math.max(1.5, unit * (line === "rod" ? 0.03 : 0.014));
  context.beginPath();
  context.moveTo(...a);
  if (line === "spring") {
    const turns = 9, wide = 0.055 * unit;
    for (let k = 0; k < 2 * turns; k++) {
      const s = 0.12 + 0.76 * (k + 0.5) / (2 * turns), side = (k % 2 ? 1 : -1) * wide;
      context.lineTo(a[0] + s * dx - side * dy / length, a[1] + s * dy + side * dx / length);
    }
  }
  context.lineTo(...b);
  context.stroke();
}
function drawFloor(screen) {
  const size = 10 ** Math.floor(Math.log10(R));
  const spacing = [1, 0.5, 0.2, 0.1].map((k) => k * size).find((k) => R / k >= 3) || 0.1 * size;
  $("grid").textContent = `grid ${+spacing.toPrecision(2)} m`;
  const reach = 1.5 * R, z = data.floor;
  context.lineWidth = 1;
  context.strokeStyle = colors.line;
  for (let k = -Math.floor(reach / spacing); k * spacing <= reach; k++) {
    const d = k * spacing, half = Math.sqrt(Math.max(0, reach * reach - d * d));
    const x = Math.round(center[0] / spacing) * spacing, y = Math.round(center[1] / spacing) * spacing;
    context.globalAlpha = 0.28;
    for (const [p, q] of [[[x + d, y - half, z], [x + d, y + half, z]], [[x - half, y + d, z], [x + half, y + d, z]]]) {
      context.beginPath(); context.moveTo(...screen(p)); context.lineTo(...screen(q)); context.stroke();
    }
  }
  context.globalAlpha = 1;
}

// -- time

const figures = [...document.querySelectorAll("figure[data-panel]")].map((figure) => {
  const svg = figure.querySelector("svg"), { left, right, start: t0, end: t1 } = data.panels[figure.dataset.panel];
  const cursor = document.createElementNS("http://www.w3.org/2000/svg", "line");
  const [, , , high] = svg.getAttribute("viewBox").split(" ").map(Number);
  cursor.setAttribute("class", "cursor");
  cursor.setAttribute("y1", 0.035 * high); cursor.setAttribute("y2", 0.835 * high);
  svg.append(cursor);
  const pick = (event) => {
    if (event.type === "pointermove" && event.buttons === 0) return;
    const box = svg.getBoundingClientRect(), wide = svg.viewBox.baseVal.width;
    const x = (event.clientX - box.left) / box.width * wide;
    stop(); setTime(t0 + (x - left) / (right - left) * (t1 - t0));
  };
  svg.addEventListener("pointerdown", pick);
  svg.addEventListener("pointermove", pick);
  const values = [...figure.querySelectorAll(".legend b")];
  const series = data.panels[figure.dataset.panel].values;
  return (t) => {
    const x = left + (t - t0) / ((t1 - t0) || 1) * (right - left);
    cursor.setAttribute("x1", x); cursor.setAttribute("x2", x);
    const k = Math.round((t - start) / ((end - start) || 1) * (frames - 1));
    values.forEach((value, i) => { value.textContent = number(series[i][k]); });
  };
});
function number(x) {
  if (x === null) return "–";
  if (Math.abs(x) < 1e-15) return "0";
  return x !== 0 && (Math.abs(x) < 1e-3 || Math.abs(x) >= 1e5) ? x.toExponential(2) : x.toPrecision(4);
}
function setTime(t) {
  time = Math.min(end, Math.max(start, t));
  figures.forEach((show) => show(time));
  if (canvas) {
    $("slider").value = end > start ? (time - start) / (end - start) * 1000 : 0;
    $("time").textContent = `${time.toFixed(data.digits)} s`;
  }
  draw();
}
let last = 0;
function step(now) {
  if (!playing) return;
  const speed = Number($("speed").value);
  let next = time + Math.min(0.1, (now - last) / 1000) * speed;
  last = now;
  if (next > end) next = start;
  setTime(next);
  requestAnimationFrame(step);
}
function play() { playing = true; $("play").textContent = "❚❚ Pause"; last = performance.now(); requestAnimationFrame(step); }
function stop() { playing = false; if (canvas) $("play").textContent = "▶ Play"; }

// -- hands on

$("theme").addEventListener("click", () => setTheme(root.dataset.theme === "dark" ? "light" : "dark"));
if (canvas) {
  let held = null;
  canvas.addEventListener("pointerdown", (e) => { held = [e.clientX, e.clientY]; canvas.setPointerCapture(e.pointerId); });
  canvas.addEventListener("pointermove", (e) => {
    if (!held) return;
    view.yaw -= (e.clientX - held[0]) * 0.008;
    view.pitch = Math.min(1.55, Math.max(-0.3, view.pitch + (e.clientY - held[1]) * 0.008));
    held = [e.clientX, e.clientY];
    draw();
  });
  canvas.addEventListener("pointerup", () => { held = null; });
  canvas.addEventListener("wheel", (e) => { e.preventDefault(); view.zoom = Math.min(8, Math.max(0.3, view.zoom * Math.exp(-e.deltaY * 0.001))); draw(); }, { passive: false });
  canvas.addEventListener("dblclick", () => { Object.assign(view, home); draw(); });
  $("play").addEventListener("click", () => (playing ? stop() : play()));
  $("slider").addEventListener("input", (e) => { stop(); setTime(start + e.target.value / 1000 * (end - start)); });
  window.addEventListener("resize", draw);
}
const wish = new URLSearchParams(location.search);
const dark = wish.get("theme") || (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
if (canvas) fit();
setTheme(dark);
setTime(start);
if (canvas && end > start && !matchMedia("(prefers-reduced-motion: reduce)").matches && !wish.has("still")) play();
if (wish.has("t")) { stop(); setTime(Number(wish.get("t"))); }
})();
