"""What players read and see: a match and a view come in, frozen content goes out.

May import `match`, `data`, `rendering` and `rules`. It never knows Discord, nor whether a message arrives.
"""
