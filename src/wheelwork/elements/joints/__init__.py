"""Joints: constraints between two bodies, one file each. How to add one: CONTRIBUTING.md."""
