"""Full Circle: its pictures and its words (see rendering/__init__.py)."""
