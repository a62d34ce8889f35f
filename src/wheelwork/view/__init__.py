"""Looking at mechanisms: in the browser, and as files to take away."""

from .film import Film, film, film_of_motion
from .save import save_film

__all__ = ["Film", "film", "film_of_motion", "save_film"]
