"""The table's application: who sits down, who moves, which clock runs, what a vote does.

May import `data` and `rules`. It never knows Discord, a picture, a sentence or the process.
"""
