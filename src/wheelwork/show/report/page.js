// The report's page: light and dark, and a time that the player and the plots share. No libraries.
"use strict";
(() => {
const data = JSON.parse(document.getElementById("data").textContent);
const root = document.documentElement, asked = new URLSearchParams(location.search);
root.dataset.theme = asked.get("theme") || (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
document.getElementById("theme").addEventListener("click", () => {
  root.dataset.theme = root.dataset.theme === "dark" ? "light" : "dark";
});

let player = null;
const setTime = (t) => { if (player) { player.stop(); player.setTime(t); } else show(t); };
const figures = [...document.querySelectorAll("figure[data-panel]")].map((figure) => {
  const svg = figure.querySelector(":scope > svg"), panel = data.panels[figure.dataset.panel];
  const { left, right, start, end, values: series } = panel;
  const cursor = document.createElementNS("http://www.w3.org/2000/svg", "line");
  const high = Number(svg.getAttribute("viewBox").split(" ")[3]);
  cursor.setAttribute("class", "cursor");
  cursor.setAttribute("y1", 0.035 * high); cursor.setAttribute("y2", 0.835 * high);
  svg.append(cursor);
  const pick = (event) => {
    if (event.type === "pointermove" && event.buttons === 0) return;
    const box = svg.getBoundingClientRect(), x = (event.clientX - box.left) / box.width * svg.viewBox.baseVal.width;
    setTime(Math.min(data.end, Math.max(data.start, start + (x - left) / (right - left) * (end - start))));
  };
  svg.addEventListener("pointerdown", pick);
  svg.addEventListener("pointermove", pick);
  const values = [...figure.querySelectorAll(".legend b")];
  return (t) => {
    const x = left + (t - start) / ((end - start) || 1) * (right - left);
    cursor.setAttribute("x1", x); cursor.setAttribute("x2", x);
    values.forEach((value, i) => {
      const k = Math.round((t - data.start) / ((data.end - data.start) || 1) * (series[i].length - 1));
      value.textContent = number(series[i][k]);
    });
  };
});
function show(t) { figures.forEach((figure) => figure(t)); }
function number(x) {
  if (x === null || x === undefined) return "–";
  if (x === 0) return "0";
  return (Math.abs(x) < 1e-3 || Math.abs(x) >= 1e5) ? x.toExponential(2) : x.toPrecision(4);
}

// the first player shows the run itself, whose time the plots share; others (modes) keep their own
[...document.querySelectorAll(".player")].forEach((stage, k) => {
  const made = wheelworkPlayer(stage);
  if (!made.stage) document.body.classList.add("no-stage");
  else if (k === 0) { player = made; player.onTime(show); }
});
if (!player && data.panels.length) show(asked.has("t") ? Number(asked.get("t")) : data.start);

const save = document.getElementById("save");
if (save) save.addEventListener("click", () => {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([document.getElementById("model").textContent], { type: "text/yaml" }));
  link.download = save.dataset.name;
  link.click();
});
})();
