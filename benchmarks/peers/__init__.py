"""Benchmark models written for other programs, each with the best settings known for that program."""
