"""Siege of Sunfall by the thousand matches: a fast copy of its computers, and a reader of them."""
