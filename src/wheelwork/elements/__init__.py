"""Elements, one file each: fields, equations in space and in the plane, steps in a tree, symbol, label, signals.

A file in one of the folders here is all there is to an element. Its class says what a user may write and holds its
equations; lists of types, the JSON Schema, the names in `wheelwork`, trees of minimal coordinates, pictures, printed
equations and data sheets are made from it (:mod:`wheelwork.description.registry`). `register` adds a class of your own.
"""

from wheelwork.description.registry import family, register

__all__ = ["family", "register"]
