"""Gear meshes: two wheels geared to each other, one file each. How to add one: CONTRIBUTING.md."""
