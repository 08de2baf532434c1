"""What all games share: the protocol, fair chance, tricks, hexes, the computer player."""
