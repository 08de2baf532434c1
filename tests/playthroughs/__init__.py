"""One readable playthrough a game, compared to the letter."""
