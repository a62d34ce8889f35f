"""`python -m wheelwork` is the command `wheelwork`."""

import sys

from wheelwork.cli import main

if __name__ == "__main__":
    sys.exit(main())
