"""What all pictures share: theme, canvas, cards, prompts, labels."""
