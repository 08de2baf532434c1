"""The contract: what every game of `rules.GAMES` must hold, by being there."""
