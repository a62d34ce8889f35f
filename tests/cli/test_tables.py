"""Tables in a terminal: numbers stay whole."""

import io
import re

import pytest
from rich.console import Console

from wheelwork.cli.show import table


def printed(width, columns, rows, right):
    out = io.StringIO()
    Console(file=out, width=width, highlight=False).print(table("Frequencies", columns, rows, right))
    return out.getvalue()


@pytest.mark.parametrize("width", [60, 80, 120])
def test_many_columns_of_numbers(width):
    """As of a Campbell diagram with 20 modes: continued below, the first column again."""
    rows = [[f"{10 * k}", *(f"{1000.123 * (k + 1) + j:.4f}" for j in range(20))] for k in range(5)]
    columns = ["speed [rad/s]", *(f"mode {j + 1} [Hz]" for j in range(20))]
    text = printed(width, columns, rows, range(21))
    assert max(map(len, text.splitlines())) <= width
    words = text.split()
    for row in rows:
        for cell in row[1:]:
            assert words.count(cell) == 1
    pieces = len(re.findall(r"speed", text))
    assert pieces > 1
    assert words.count("40") == pieces


def test_a_table_that_fits_is_one():
    text = printed(80, ["name", "mass [kg]"], [["wheel", "1.5"], ["shaft", "0.25"]], [1])
    assert text.count("name") == 1
