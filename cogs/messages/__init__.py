"""What players read and see: a match and a view come in, frozen content goes out.

May import `match`, `data`, `rendering`, `rules` and the log helpers of `runtime`. It never knows Discord, nor whether a
message arrives.
"""
