"""Gear trains as graphs."""
