"""Speed and memory of Wheelwork beside other programs, on the same models in the same run: `./wheelwork-dev bench`.

It lies beside the package, not in it: users of Wheelwork do not need it. `docs/develop/run-benchmarks.md` says what
a time and an error are, and how to add a part.
"""
