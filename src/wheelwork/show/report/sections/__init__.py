"""The parts of a report, a file each; `page.py` puts them one below the other."""
