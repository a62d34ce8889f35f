"""Symbolic expressions, for equations to read and for exact ratios of gear trains.

Symbols and how they are ordered, sums of products in a normal form, division of such sums, and the tree that printers
walk. CasADi's expressions, which become machine code, are the matter of `wheelwork.equations`.
"""
