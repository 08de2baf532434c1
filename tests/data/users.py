"""The users whom these tests know by number."""

ANN, BEN, CEM, DEA = 100, 200, 300, 400
