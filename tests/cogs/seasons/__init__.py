"""Seasons without Discord: what is due is done once, and points are counted fairly."""
