"""Functional mock-up units (FMI 2.0 and 3.0): mechanisms as FMUs, and FMUs in mechanisms."""
