"""Run `manage.py import_reviews` in this process."""

import io
import json

from django.core.management import CommandError, call_command

GOOD = "id,author,rating,date,text,source\ng-1,Dana R.,5,2026-03-14,Quick.,google\n"


def run(*args: object, accept: bool = True) -> tuple[str, str | None]:
    """Return the output of the command and the message of its error."""
    out = io.StringIO()
    accepted = ["--accept"] if accept else []
    try:
        call_command("import_reviews", *map(str, args), *accepted, stdout=out)
    except CommandError as error:
        return out.getvalue(), str(error)
    return out.getvalue(), None


def report(*args: object, accept: bool = True) -> tuple[dict, str | None]:
    out, error = run(*args, "--json", accept=accept)
    return json.loads(out), error
