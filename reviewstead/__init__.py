"""The command `reviewstead`. In the wheel, this package contains the whole service."""
