(() => {
  const root = document.documentElement, asked = new URLSearchParams(location.search).get("theme");
  root.dataset.theme = asked || (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
  document.getElementById("theme").addEventListener("click", () => { root.dataset.theme = root.dataset.theme === "dark" ? "light" : "dark"; });
  document.querySelectorAll(".player").forEach(wheelworkPlayer);
})();
