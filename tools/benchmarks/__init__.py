"""Measurements taken side by side in one run; each module is a command that prints its table."""
