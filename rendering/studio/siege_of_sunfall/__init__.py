"""The sprites of Siege of Sunfall: sky and field, the wall, the guards on it, the host before it, and things."""

from rendering.studio.siege_of_sunfall import host, people, stage, things, vignette

SPRITES = {**stage.SPRITES, **people.SPRITES, **host.SPRITES, **things.SPRITES, "vignette": vignette.vignette}
