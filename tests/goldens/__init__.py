"""Pictures as they should look, and the views that they are drawn from.

`python -m tests.goldens` draws them again, `python -m tests.goldens --palettes` trains the palettes before that. Look
at every picture before you commit it.
"""
