"""Dynamics of machines with gears."""
