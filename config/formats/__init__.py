"""How days and times are written on pages; see `FORMAT_MODULE_PATH`."""
