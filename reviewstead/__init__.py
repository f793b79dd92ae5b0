"""The service as one package: its command, and in the wheel all of its folders."""
