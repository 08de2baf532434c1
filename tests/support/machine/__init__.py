"""The state machine of `tests/cogs/test_machine.py`: its rules, its models, and the virtual world that it runs in."""
