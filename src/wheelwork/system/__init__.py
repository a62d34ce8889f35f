"""How elements become a system: kernels by type, the tables of a program, motion, signals by name."""
