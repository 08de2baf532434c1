"""Mutation runs: small faults are put into the program, one at a time, and the tests that cover them should fail."""
