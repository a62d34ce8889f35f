"""Drivers: coordinates prescribed as functions of time, one file each."""
