"""Sign-in to the admin: limits, the log of failures, the second factor, sessions."""
