"""What mypy must refuse, and what it must accept: checked by running it."""
