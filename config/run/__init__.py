"""`manage.py up`: the environment of a local installation, and the supervisor of its processes."""
