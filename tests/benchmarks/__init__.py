"""Speed beside peers at their best, as ratios from one run. No test fails by being slow: see docs/speed.md."""
