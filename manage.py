#!/usr/bin/env python
"""Run management commands. `python manage.py help` lists them."""

import os
import sys
from importlib.util import find_spec


def main() -> None:
    if find_spec("django") is None:
        sys.exit(
            "This Python lacks the packages of Reviews. `python3 start.py install` makes an "
            "environment that has them; then write `.venv/bin/python manage.py ...`."
        )
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    if sys.argv[1:2] == ["up"]:
        # Generate required values before the settings are read.
        from config import run

        run.prepare(run.requested_port(sys.argv[2:]))
    from django.core.management import execute_from_command_line
    from django.db import Error

    try:
        execute_from_command_line(sys.argv)
    except Error as error:
        from core.db.errors import message_for

        if sentence := message_for(error):
            sys.exit(sentence)
        raise


if __name__ == "__main__":
    main()
