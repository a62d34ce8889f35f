"""Speed and memory of Wheelwork, beside Exudyn in the same run: `python -m benchmarks` from the root of the repository.

Nothing here is a test: times depend on the machine and on what else it does. What is measured and how is said in
README.md beside this file; the last committed numbers are in results/.
"""
