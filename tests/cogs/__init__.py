"""The bot from end to end, on a simulated Discord: everything that a player can press, type and see."""
