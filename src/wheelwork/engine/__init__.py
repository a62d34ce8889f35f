"""From equations to machine code: CasADi's tapes as LLVM's intermediate language, for one lane or many."""
