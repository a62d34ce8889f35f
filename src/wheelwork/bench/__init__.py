"""Speed and memory of Wheelwork beside other programs, on the same models in the same run: `wheelwork bench`.

The models, the measuring and the other programs' sides are part of the package, so that whoever installs
`wheelwork[bench]` can run all of it; nothing else imports this. `docs/develop/run-benchmarks.md` says what a time
and an error are, and how to add a part.
"""
