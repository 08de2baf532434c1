"""Tests: they mirror the tree, plus contract/ (every game), playthroughs/ and goldens/."""
