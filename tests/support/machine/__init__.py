"""The state machine of `tests/cogs/test_machine.py`: its rules, its ledger, and the small world that it plays in."""
