// Draws a film with WebGL 2: solids that move, their shadows, a floor, rods, springs and arrows. No libraries.
"use strict";
const wheelworkStage = (() => {
const VERTEX = `#version 300 es
in vec3 p; in vec3 n; in float k;
uniform mat4 clip, model; uniform mat3 turn;
out vec3 normal; out float tone;
void main() { gl_Position = clip * (model * vec4(p, 1.0)); normal = turn * n; tone = k; }`;
const FRAGMENT = `#version 300 es
precision highp float;
in vec3 normal; in float tone;
uniform vec4 color; uniform vec2 light;
out vec4 seen;
void main() {
  if (light.y == 0.0) { seen = color; return; }
  float shine = max(0.0, dot(normalize(normal), normalize(vec3(-0.35, 0.72, 0.6))));
  float bright = light.x + light.y * shine - 0.13 * tone;
  // beyond 1 the colour goes towards white
  seen = vec4(bright <= 1.0 ? color.rgb * bright : mix(color.rgb, vec3(1.0), min(1.0, bright - 1.0)), color.a);
}`;

// -- small mathematics: matrices by rows, quaternions (w, x, y, z)

const times = (m, [x, y, z]) => m.map((r) => r[0] * x + r[1] * y + r[2] * z);
const product = (a, b) => a.map((r) => [0, 1, 2].map((j) => r[0] * b[0][j] + r[1] * b[1][j] + r[2] * b[2][j]));
function matrix(w, x, y, z) {
  return [
    [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
    [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
    [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]];
}
// Columns of a frame whose z points along a direction, given as rows of the matrix.
function along([x, y, z]) {
  const size = Math.hypot(x, y, z) || 1, d = [x / size, y / size, z / size];
  const h = Math.abs(d[0]) < 0.6 ? [1, 0, 0] : [0, 1, 0];
  const c = [d[1] * h[2] - d[2] * h[1], d[2] * h[0] - d[0] * h[2], d[0] * h[1] - d[1] * h[0]], s = Math.hypot(...c);
  const v = c.map((e) => e / s), u = [v[1] * d[2] - v[2] * d[1], v[2] * d[0] - v[0] * d[2], v[0] * d[1] - v[1] * d[0]];
  return [0, 1, 2].map((i) => [u[i], v[i], d[i]]);
}
const minus = (a, b) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];

// -- solids that are not in the data

function tube(path, radius, sides) {  // around a line of points, closed at its ends
  const p = [], n = [], i = [];
  path.forEach((at, k) => {
    const m = along(minus(path[Math.min(k + 1, path.length - 1)], path[Math.max(k - 1, 0)]));
    for (let j = 0; j < sides; j++) {
      const a = 2 * Math.PI * j / sides, out = times(m, [Math.cos(a), Math.sin(a), 0]);
      n.push(...out); p.push(at[0] + radius * out[0], at[1] + radius * out[1], at[2] + radius * out[2]);
      if (k) { const [o, q] = [k * sides, (k - 1) * sides], l = (j + 1) % sides; i.push(q + j, q + l, o + l, q + j, o + l, o + j); }
    }
  });
  return { p, n, i };
}
function cone(sides) {  // z from 0 to 1, radius 1
  const p = [], n = [], i = [];
  for (let j = 0; j < sides; j++) {
    const [a, b] = [j, j + 1].map((k) => 2 * Math.PI * k / sides), [x, y, u, v] = [Math.cos(a), Math.sin(a), Math.cos(b), Math.sin(b)], o = p.length / 3;
    p.push(x, y, 0, u, v, 0, 0, 0, 1, 0, 0, 0, x, y, 0, u, v, 0);
    n.push(x, y, 0.4, u, v, 0.4, (x + u) / 2, (y + v) / 2, 0.4, 0, 0, -1, 0, 0, -1, 0, 0, -1);
    i.push(o, o + 1, o + 2, o + 3, o + 5, o + 4);
  }
  return { p, n, i };
}
const helix = () => tube(Array.from({ length: 121 }, (_, k) => {
  const s = k / 120, wide = Math.min(1, 12 * s, 12 * (1 - s)), a = 18 * Math.PI * s;
  return [wide * Math.cos(a), wide * Math.sin(a), s];
}), 0.16, 6);

// -- data

function bytes(text) { return Uint8Array.from(atob(text), (c) => c.charCodeAt(0)); }
const floats = (text) => new Float32Array(bytes(text).buffer);
const rgb = (hex) => [1, 3, 5].map((k) => parseInt(hex.slice(k, k + 2), 16) / 255);

class Stage {
  constructor(canvas, data) {
    const gl = canvas.getContext("webgl2", { antialias: true, stencil: true, preserveDrawingBuffer: true });
    if (!gl) throw new Error("no WebGL 2");
    Object.assign(this, { canvas, gl, data, hidden: new Set(), follow: null, dark: false });
    this.poses = floats(data.poses);
    this.count = data.bodies.length + data.movers;
    this.U = data.upright;
    this.center0 = times(this.U, data.center);
    this.home = { yaw: data.view[0], pitch: data.view[1], zoom: 1, x: 0, y: 0 };
    this.view = { ...this.home };
    this.away = 3.4 * data.radius;
    this.shown = { joint: false, mesh: false, scale: 1 };
    if (data.arrows) this.arrows = { points: floats(data.arrows.points), vectors: floats(data.arrows.vectors) };
    this.build();
  }
  build() {
    const { gl, data } = this;
    this.program = gl.createProgram();
    for (const [kind, source] of [[gl.VERTEX_SHADER, VERTEX], [gl.FRAGMENT_SHADER, FRAGMENT]]) {
      const shader = gl.createShader(kind);
      gl.shaderSource(shader, source); gl.compileShader(shader); gl.attachShader(this.program, shader);
    }
    ["p", "n", "k"].forEach((name, k) => gl.bindAttribLocation(this.program, k, name));
    gl.linkProgram(this.program);
    if (!gl.getProgramParameter(this.program, gl.LINK_STATUS)) throw new Error(gl.getProgramInfoLog(this.program));
    this.at = {};
    for (const name of ["clip", "model", "turn", "color", "light"]) this.at[name] = gl.getUniformLocation(this.program, name);
    this.meshes = data.meshes.map((m) => ({ scale: m.scale, offset: m.offset, ...this.mesh(
      [bytes(m.p), gl.SHORT, true], [bytes(m.n), gl.BYTE, true], [bytes(m.k), gl.UNSIGNED_BYTE, false], bytes(m.i), m.wide) }));
    const own = ({ p, n, i }) => this.mesh([new Float32Array(p), gl.FLOAT, false], [new Float32Array(n), gl.FLOAT, false],
      null, new Uint8Array(new Uint16Array(i).buffer), false);
    this.rod = own(tube([[0, 0, 0], [0, 0, 1]], 1, 12));
    this.cone = own(cone(16));
    this.spring = data.lines.some((line) => line.kind === "spring") ? own(helix()) : null;
    this.floor();
  }
  mesh(p, n, k, indices, wide) {
    const { gl } = this, vao = gl.createVertexArray();
    gl.bindVertexArray(vao);
    [p, n, k].forEach((entry, place) => {
      if (!entry) return;
      gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
      gl.bufferData(gl.ARRAY_BUFFER, entry[0], gl.STATIC_DRAW);
      gl.enableVertexAttribArray(place);
      gl.vertexAttribPointer(place, place < 2 ? 3 : 1, entry[1], entry[2], 0, 0);
    });
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, gl.createBuffer());
    gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, indices, gl.STATIC_DRAW);
    gl.bindVertexArray(null);
    return { vao, count: indices.length / (wide ? 4 : 2), type: wide ? gl.UNSIGNED_INT : gl.UNSIGNED_SHORT };
  }
  floor() {
    const { gl, data: { radius: R, floor: z } } = this, size = 10 ** Math.floor(Math.log10(R));
    this.spacing = [1, 0.5, 0.2, 0.1].map((k) => k * size).find((k) => R / k >= 3) || 0.1 * size;
    const d = this.spacing, reach = 1.5 * R, [x, y] = this.center0.map((c) => Math.round(c / d) * d), points = [];
    for (let k = -Math.floor(reach / d); k * d <= reach; k++) {
      const half = Math.sqrt(Math.max(0, reach * reach - k * d * k * d));
      points.push(x + k * d, y - half, z, x + k * d, y + half, z, x - half, y + k * d, z, x + half, y + k * d, z);
    }
    this.grid = this.mesh([new Float32Array(points), gl.FLOAT, false], null, null,
      new Uint8Array(new Uint16Array(points.length / 3).map((_, k) => k).buffer), false);
  }

  // Position and rotation (rows) of a body at a place among the frames, z up.
  pose(body, place) {
    if (body < 0) return { p: [0, 0, 0], m: this.U };
    const last = this.data.frames - 1, k = Math.min(Math.floor(place), Math.max(0, last - 1)), s = place - k, q = this.poses;
    const a = (k * this.count + body) * 13, b = (Math.min(k + 1, last) * this.count + body) * 13, x = [];
    for (let i = 0; i < 3; i++) {
      const v0 = q[a + 3 + i], v1 = q[b + 3 + i], d = q[b + i] - q[a + i];
      x.push(q[a + i] + s * (v0 + s * (3 * d - 2 * v0 - v1 + s * (v0 + v1 - 2 * d))));
    }
    const [w, i, j, l] = q.subarray(a + 6, a + 10), r = q.subarray(a + 10, a + 13), angle = s * Math.hypot(r[0], r[1], r[2]);
    const f = angle > 0 ? s * Math.sin(angle / 2) / angle : 0, c = Math.cos(angle / 2), [u, v, t] = [f * r[0], f * r[1], f * r[2]];
    const e = [c * w - u * i - v * j - t * l, c * i + u * w + v * l - t * j, c * j - u * l + v * w + t * i, c * l + u * j - v * i + t * w];
    const size = Math.hypot(...e) || 1;
    return { p: times(this.U, x), m: product(this.U, matrix(...e.map((c) => c / size))) };
  }
  put({ p, m }, point) { const v = times(m, point); return [v[0] + p[0], v[1] + p[1], v[2] + p[2]]; }

  // -- the eye

  focal(width, height) { return 0.92 * Math.min(height, width * 0.8) * this.away / (2 * this.data.radius); }
  eyeAxes({ yaw, pitch }) {  // rows: right, up, towards the eye
    const cy = Math.cos(yaw), sy = Math.sin(yaw), cp = Math.cos(pitch), sp = Math.sin(pitch);
    return [[-sy, cy, 0], [-sp * cy, -sp * sy, cp], [cp * cy, cp * sy, sp]];
  }
  fit() {  // the first view: as large as the whole motion allows
    const { clientWidth: width, clientHeight: height } = this.canvas, focal = this.focal(width, height), axes = this.eyeAxes(this.home);
    const low = [Infinity, Infinity], high = [-Infinity, -Infinity], moments = Math.min(this.data.frames, 40);
    for (let k = 0; k < moments; k++) {
      const place = moments > 1 ? k / (moments - 1) * (this.data.frames - 1) : 0;
      for (const part of this.data.parts) {
        const at = this.pose(part.body, place), { scale: h, offset: o } = this.meshes[part.mesh];
        for (let corner = 0; corner < 8; corner++) {
          const c = times(axes, minus(this.put(at, o.map((v, i) => v + h[i] * (corner >> i & 1 ? 1 : -1))), this.center0));
          [0, 1].forEach((j) => { const s = focal * c[j] / Math.max(this.away - c[2], 0.05 * this.away); low[j] = Math.min(low[j], s); high[j] = Math.max(high[j], s); });
        }
      }
    }
    this.home.zoom = Math.min(2.5, 0.9 * width / Math.max(1, high[0] - low[0]), 0.8 * height / Math.max(1, high[1] - low[1])) || 1;
    this.home.x = -(low[0] + high[0]) / 2 || 0; this.home.y = -(low[1] + high[1]) / 2 || 0;
    Object.assign(this.view, this.home);
  }
  // Clip coordinates (matrix by columns) of points relative to the centre, z up.
  projection(width, height) {
    const { view, away } = this, f = this.focal(width, height) * view.zoom, e = this.eyeAxes(view), near = 0.05 * away, far = 4 * away;
    const A = (far + near) / (far - near), B = -2 * far * near / (far - near);
    const sx = view.x * view.zoom * 2 / width, sy = view.y * view.zoom * 2 / height, out = [];
    for (let j = 0; j < 4; j++) {
      const [x, y, z] = j < 3 ? [e[0][j], e[1][j], e[2][j]] : [0, 0, 0], w = (j === 3 ? away : 0) - z;
      out.push(2 * f / width * x + sx * w, 2 * f / height * y + sy * w, A * w + (j === 3 ? B : 0), w);
    }
    this.axes = e;
    return out;
  }
  screen(world) {  // pixels of a point, null behind the eye
    const v = minus(world, this.center), m = this.clip, c = [0, 1, 3].map((i) => m[i] * v[0] + m[4 + i] * v[1] + m[8 + i] * v[2] + m[12 + i]);
    return c[2] <= 0 ? null : [(1 + c[0] / c[2]) * this.canvas.clientWidth / 2, (1 - c[1] / c[2]) * this.canvas.clientHeight / 2];
  }

  // -- drawing

  draw(place) {
    const { gl, canvas, data, at } = this, scale = window.devicePixelRatio || 1;
    const width = canvas.clientWidth, height = canvas.clientHeight;
    if (!width || !height) return;
    const [w, h] = [Math.round(width * scale), Math.round(height * scale)];
    if (canvas.width !== w || canvas.height !== h) { canvas.width = w; canvas.height = h; }
    gl.viewport(0, 0, w, h);
    gl.clearColor(0, 0, 0, 0);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT | gl.STENCIL_BUFFER_BIT);
    gl.useProgram(this.program);
    this.now = Array.from({ length: this.count }, (_, k) => this.pose(k, place));
    this.ground = this.pose(-1, 0);
    this.center = this.follow === null ? this.center0 : this.now[this.follow].p;
    this.clip = this.projection(width, height);
    gl.uniformMatrix4fv(at.clip, false, this.clip);
    gl.enable(gl.BLEND); gl.blendFuncSeparate(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA, gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
    gl.disable(gl.DEPTH_TEST); gl.disable(gl.CULL_FACE);
    this.one(this.grid, [0, 0, 0], null, null, this.dark ? [0.42, 0.46, 0.5, 0.45] : [0.62, 0.65, 0.7, 0.4], false, gl.LINES);
    gl.enable(gl.STENCIL_TEST); gl.stencilFunc(gl.EQUAL, 0, 255); gl.stencilOp(gl.KEEP, gl.KEEP, gl.INCR);
    this.solids([0, 0, 0, this.dark ? 0.4 : 0.11], true);
    gl.disable(gl.STENCIL_TEST);
    gl.enable(gl.DEPTH_TEST);
    if (this.glass) gl.depthMask(false);
    this.solids(null, false);
    gl.depthMask(true);
    this.links();
    if (this.named) this.lines();
    this.forces(place, 1);
    gl.depthFunc(gl.GREATER); gl.depthMask(false);  // arrows inside solids shimmer through
    this.forces(place, 0.5);
    gl.depthFunc(gl.LESS); gl.depthMask(true);
    gl.bindVertexArray(null);
  }
  body(k) { return k < 0 ? this.ground : this.now[k]; }
  solids(color, flat) {
    for (const part of this.data.parts) {
      if (this.hidden.has(part.body)) continue;
      const { p, m } = this.body(part.body), mesh = this.meshes[part.mesh];
      const v = times(m, mesh.offset), place = [p[0] + v[0], p[1] + v[1], p[2] + v[2]];
      this.one(mesh, place, m, mesh.scale, color || this.paint(part.color, this.glass ? 0.35 : 1), flat);
    }
  }
  paint(hex, alpha = 1) { const c = rgb(hex); return [...(this.dark ? c.map((v) => v + 0.12 * (1 - v)) : c), alpha]; }
  // One mesh: corners scaled along its own axes, turned by m, moved to a place; `flat` throws it onto the floor.
  one(mesh, place, m, scale, color, flat, mode) {
    const { gl, at } = this, r = m || [[1, 0, 0], [0, 1, 0], [0, 0, 1]], s = scale || [1, 1, 1], o = minus(place, this.center), z = this.data.floor - this.center[2];
    const column = (j) => [r[0][j] * s[j], r[1][j] * s[j], flat ? 0 : r[2][j] * s[j], 0];
    gl.uniformMatrix4fv(at.model, false, [...column(0), ...column(1), ...column(2), o[0], o[1], flat ? z : o[2], 1]);
    const n = product(this.axes, r);
    gl.uniformMatrix3fv(at.turn, false, [0, 1, 2].flatMap((j) => [n[0][j], n[1][j], n[2][j]]));
    gl.uniform4fv(at.color, color);
    gl.uniform2fv(at.light, flat || mode === gl.LINES ? [1, 0] : this.dark ? [0.5, 0.58] : [0.56, 0.5]);
    gl.bindVertexArray(mesh.vao);
    gl.drawElements(mode === undefined ? gl.TRIANGLES : mode, mesh.count, mesh.type, 0);
  }
  links() {
    const R = this.data.radius, steel = this.paint("#6d747e");
    for (const line of this.data.lines) {
      if (line.ends.every(([body]) => this.hidden.has(body))) continue;
      const [a, b] = line.ends.map(([body, point]) => this.put(this.body(body), point)), d = minus(b, a), wide = (line.kind === "spring" ? 0.035 : 0.012) * R;
      this.one(line.kind === "spring" ? this.spring : this.rod, a, along(d), [wide, wide, Math.hypot(...d)], steel, false);
    }
  }
  lines() {  // axes of joints and meshes
    const R = this.data.radius, thin = 0.0045 * R;
    for (const { kind, body, point, axis } of this.data.labels) {
      if (!axis || this.hidden.has(body)) continue;
      const at = this.body(body), d = times(at.m, axis), p = this.put(at, point), start = p.map((v, i) => v - 0.3 * R * d[i]);
      this.one(this.rod, start, along(d), [thin, thin, 0.6 * R], this.paint(kind === "mesh" ? "#e02020" : "#e0a000"), false);
    }
  }
  pushes(place) {  // start, vector and colour of the arrows that are shown
    if (!this.arrows || !(this.shown.joint || this.shown.mesh)) return [];
    const { arrows } = this.data, K = arrows.names.length, last = this.data.frames - 1;
    const k = Math.min(Math.floor(place), Math.max(0, last - 1)), n = Math.min(k + 1, last), s = place - k;
    const value = (array, j) => times(this.U, [0, 1, 2].map((i) => array[(k * K + j) * 3 + i] * (1 - s) + array[(n * K + j) * 3 + i] * s));
    return arrows.kinds.map((kind, j) => {
      const force = value(this.arrows.vectors, j).map((v) => v * arrows.scale * this.shown.scale);
      return { at: value(this.arrows.points, j), force, length: Math.hypot(...force), kind };
    }).filter(({ length, kind }) => this.shown[kind] && length > 0.004 * this.data.radius);
  }
  forces(place, alpha) {
    const R = this.data.radius;
    for (const { at, force, length, kind } of this.pushes(place)) {
      const m = along(force), head = Math.min(0.4 * length, 0.09 * R), color = [...this.paint(kind === "mesh" ? "#e02020" : "#e0a000").slice(0, 3), alpha];
      this.one(this.rod, at, m, [0.011 * R, 0.011 * R, length - head], color, false);
      this.one(this.cone, at.map((v, i) => v + force[i] * (1 - head / length)), m, [0.36 * head, 0.36 * head, head], color, false);
    }
  }
}
return Stage;
})();
