"""Show that the hub keeps its promises while things break, with real processes: `make chaos`."""
