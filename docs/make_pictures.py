"""Make the pictures of the documentation: `python docs/make_pictures.py [NAME ...]`; see ext/pictures.py."""

import sys
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
sys.path[:0] = [str(FOLDER / "ext"), str(FOLDER.parent)]  # the second for `builders`

if __name__ == "__main__":
    import pictures

    if sys.argv[1:]:
        pictures.make_named(sys.argv[1:])
    else:
        pictures.make_stale()
