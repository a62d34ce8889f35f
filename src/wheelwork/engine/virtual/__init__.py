"""The engine without a compiler: kernels on CasADi's virtual machine, linear algebra by LAPACK through SciPy.

It is also the second route that checks the C++ runtime. Both have the same state, methods, events and outcomes,
and differ where that makes them independent:

- S is factorised as a band by Cholesky's method and, where rows depend on each other, by its eigenvalues
  (:mod:`.factor`); the C++ eliminates blocks and iterates. Multipliers of redundant constraints therefore agree
  to 6 or 7 digits only. Accelerations are not affected.
- Implicit stages are equations for the derivative of the state, with the constraints solved inside
  (:mod:`.sdirk4`); in C++ accelerations and multipliers are unknowns side by side.
"""

from .engine import VirtualEngine

__all__ = ["VirtualEngine"]
