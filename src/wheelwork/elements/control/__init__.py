"""Blocks of a control, one file each: what computes signals from signals, with or without states of its own."""
