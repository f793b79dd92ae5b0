"""Classify database errors: faults for the operator, with a remedy, and faults of a query."""

from traceback import walk_tb

from django.db import DataError, Error, InterfaceError, OperationalError

UNREACHABLE = "The database does not answer. Check that it runs and what DATABASE_URL says."
REFUSED = "The database does not let us in. Check user, password and name in DATABASE_URL."
NOT_MIGRATED = "The database lacks tables of this version. Run `manage.py migrate`."
FULL = "The disk of the database is full. Make room; reading goes on, and nothing was written."
BROKEN = "The disk of the database cannot be read or written. Look whether it is full or broken."
READ_ONLY = "The database may only be read. Give the service's user write access to its folder."
BUSY = "The database was busy with another change for too long. Try again."

DATABASE_AWAY = (OperationalError, InterfaceError)
RETRY_AFTER_SECONDS = 5  # What a client is told to wait when the data cannot be read.

# By the first characters of the SQLSTATE that PostgreSQL gives; the longest that fits counts.
_BY_STATE = {
    "08": UNREACHABLE,
    "57P": UNREACHABLE,  # Shutting down, or starting up.
    "3D": REFUSED,
    "28": REFUSED,
    "53300": UNREACHABLE,  # Too many connections.
    "53100": FULL,
    "42P01": NOT_MIGRATED,
    "42703": NOT_MIGRATED,
    "25006": READ_ONLY,
    "40P01": BUSY,
    "55P03": BUSY,
}
# By what SQLite and psycopg say where there is no number; the first that is said counts.
_BY_WORDS = {
    "no such table": NOT_MIGRATED,
    "no such column": NOT_MIGRATED,
    "has no column named": NOT_MIGRATED,
    "disk is full": FULL,
    "disk i/o error": BROKEN,
    "readonly database": READ_ONLY,
    "database is locked": BUSY,
    "unable to open database file": BROKEN,
    "authentication failed": REFUSED,
    "connection failed": UNREACHABLE,
    "connection is bad": UNREACHABLE,
    "invalid connection option": UNREACHABLE,
    "connection is closed": UNREACHABLE,
    "connection timeout": UNREACHABLE,
    "server closed the connection": UNREACHABLE,
    "failed to resolve host": UNREACHABLE,
}

# The question has more parts than the database takes: PostgreSQL's class, SQLite's words.
_TOO_LONG_STATE = "54"
_TOO_LONG_WORDS = ("expression tree is too large", "too many sql variables")


def hint_for(error: BaseException) -> str | None:
    """The sentence for an error that an operator can do something about; None for any other."""
    if not isinstance(error, Error):
        return None
    state = _state(error)
    for length in (5, 3, 2):
        if state[:length] in _BY_STATE:
            return _BY_STATE[state[:length]]
    said = str(error).lower()
    if "database" in said and "does not exist" in said:
        return REFUSED
    return next((what for words, what in _BY_WORDS.items() if words in said), None)


def message_for(error: BaseException) -> str | None:
    """The same with what the database itself has said, on one line."""
    advice = hint_for(error)
    return f"{advice} ({_on_one_line(error)})" if advice else None


def import_error_message(error: Error) -> str:
    """The same for a command, which changed nothing; any other error in its own words."""
    return message_for(error) or (
        f"The database did not take it in, so nothing was changed ({_on_one_line(error)}). "
        "Try again."
    )


def is_query_too_complex(error: BaseException) -> bool:
    """Whether a question can cause this: by its length, or by a value that no database takes."""
    if isinstance(error, DataError):
        return True
    if isinstance(error, Error):
        said = str(error).lower()
        return _state(error).startswith(_TOO_LONG_STATE) or any(
            words in said for words in _TOO_LONG_WORDS
        )
    # Django finds a year or a number out of range itself, as it makes the statement.
    return isinstance(error, (ValueError, OverflowError)) and _raised_in(error, "django.db.")


def _on_one_line(error: BaseException) -> str:
    return " ".join(str(error).split())


def _state(error: Error) -> str:
    return getattr(error.__cause__, "sqlstate", None) or ""


def _raised_in(error: BaseException, package: str) -> bool:
    *_, (frame, _line) = walk_tb(error.__traceback__)
    return str(frame.f_globals["__name__"]).startswith(package)
