"""Seven harnesses: kills of the store and of the bot, power cuts, failing disks, leaks, forged input, table moves."""
