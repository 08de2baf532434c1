"""Tests of `--local`: the real bot on a simulated Discord, in a process of its own and in a real browser."""
