"""What all games share: the protocol, fair chance, tricks."""
