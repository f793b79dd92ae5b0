"""What the hub promises while things break, shown with real processes: `make chaos`."""
