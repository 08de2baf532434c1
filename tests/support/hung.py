"""How long tests wait for what must come. No test is red because the machine is slow: tests wait for events, or in
virtual time, and this bound only ends a test that hangs.
"""

HUNG = 600.0
"""Seconds after which what a test waits for will not come: far more than it takes on the slowest machine."""
