"""Sea Change: its pictures and its words (see rendering/__init__.py)."""
