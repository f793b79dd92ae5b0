"""Signing in to the administration: limits, the log of failures, the second factor, sessions."""
