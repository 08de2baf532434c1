"""Where the sprites are painted: `make art` (`python -m rendering.studio`) writes data/art from the modules here.

It needs skia-python and numpy, which the bot does without: nothing outside this room imports it, but what trains the
palettes. A game's sprites are painted by the module or package of its slug; `common` paints what all games share. Each
has `SPRITES`: the name of each sprite, and the function that paints it.
"""
