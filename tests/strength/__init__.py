"""How strong the computers are: matches between players of every kind, with rotated seats and the same deals."""
