"""The files that `make game NAME=nim` writes: a small game that can be played, to be replaced piece by piece.

Each folder here is a game in templates, with `$slug`, `$title` and `${name}` for the new game's names. nim is open and
goes in turns; high_card deals hidden hands, and all choose at once.
"""
