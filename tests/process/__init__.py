"""The unmodified bot in a process of its own, against a loopback Discord: killed at any moment, started again."""
