"""Rule players of the simplest style: they take what looks best at once, by a few plain rules."""
