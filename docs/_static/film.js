// A film of an example: its picture until one asks for the motion, then the player in its place.
document.addEventListener("DOMContentLoaded", () => {
  for (const film of document.querySelectorAll(".film")) {
    film.addEventListener("click", (event) => {
      event.preventDefault();
      const frame = document.createElement("iframe");
      const theme = document.documentElement.dataset.theme === "dark" ? "dark" : "light";
      frame.src = `${film.dataset.page}?theme=${theme}`;
      frame.title = film.querySelector("img").alt;
      film.replaceChildren(frame);
    }, { once: true });
  }
});
