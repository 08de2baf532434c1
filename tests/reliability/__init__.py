"""What must hold when the process is killed, the power fails or the disk does: three harnesses over the real store."""
