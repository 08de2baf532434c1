"""Six harnesses over the real bot: kills, power cuts, failing disks, kills of the whole, leaks, and forged input."""
