"""A month in a few minutes: the whole bot in virtual time, with people who play for weeks, restarts and outages."""
