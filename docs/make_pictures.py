"""Make the pictures of the documentation: `python docs/make_pictures.py [NAME ...]`; see ext/pictures.py."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "ext"))

if __name__ == "__main__":
    import pictures

    if sys.argv[1:]:
        pictures.make_named(sys.argv[1:])
    else:
        pictures.make_stale()
