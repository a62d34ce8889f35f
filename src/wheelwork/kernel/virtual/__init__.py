"""The engine without a compiler: kernels on CasADi's virtual machine, linear algebra by LAPACK through SciPy.

It is also the second route that checks the C++ runtime. Both have the same state, methods, events and
outcomes; the code here is written from the equations and not from the other. Where the two may differ, and
why:

- Redundant constraints: the same minimum-norm multipliers, but by eigenvalues where the C++ iterates
  (:mod:`.factor`), so that they agree to 6 or 7 digits only. Accelerations are not affected.
- :meth:`~VirtualEngine.derivative` and :meth:`~VirtualEngine.project` always see joints that slide without
  friction and contacts that are open, whatever was run before.
"""

from .engine import VirtualEngine

__all__ = ["VirtualEngine"]
