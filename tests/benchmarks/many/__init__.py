"""A bot in 100,000 servers over four processes: what it costs, and where it breaks. Begin with report.py."""
