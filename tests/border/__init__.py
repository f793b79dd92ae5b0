"""Recorded requests and answers: the interface as clients meet it, whatever the code inside."""
