"""The reference of A02 against the equation that other numbers of windows are compared with."""

import pytest

from wheelwork.validation.cases.iftomm import A02, exact_windows


def test_a02_reference_is_that_of_the_equation():
    assert exact_windows(2, 10.0) == pytest.approx(A02, abs=2e-10)
