"""What elements are written with: places, frames, rows, wrenches as CasADi expressions, and the contracts they keep."""
