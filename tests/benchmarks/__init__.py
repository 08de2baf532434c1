"""Speed, in ratios from one run with the peers beside it. Nothing here is asserted: see docs/speed.md."""
