"""The real settings with what tests need; the environment may still name a database."""

import atexit
import os
import shutil
import tempfile
from pathlib import Path

os.environ["ENV_FILE"] = os.devnull  # The `.env` beside the code is an operator's.
os.environ.setdefault("SECRET_KEY", "tests-only-" + "k" * 50)
os.environ.setdefault("BASE_URL", "https://reviews.example")
if "STATE_DIR" not in os.environ:  # The processes of a run are given the one that is made first.
    os.environ["STATE_DIR"] = tempfile.mkdtemp(prefix="reviews-tests-")
    atexit.register(shutil.rmtree, os.environ["STATE_DIR"], ignore_errors=True)
os.environ.setdefault("CELERY_BROKER_URL", "memory://")
for _scope in ("SEARCH", "MCP", "HUB", "VERIFY", "SIGN_IN", "SOURCES"):
    os.environ.setdefault(f"RATE_LIMIT_{_scope}", "")

from config.settings import *  # noqa: E402, F403  (the environment comes first)
from config.settings import DATABASES, INSTALLED_APPS, USES_SQLITE  # noqa: E402

INSTALLED_APPS += ["websub.subscriber"]  # Which the service itself does not need.

# A file, not memory: threads and processes of a test share it as they share the real one.
if USES_SQLITE:
    _state = Path(os.environ["STATE_DIR"])
    for _alias in DATABASES:
        DATABASES[_alias]["TEST"] = {"NAME": str(_state / f"test-{_alias}.sqlite3")}
CACHES = {"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}}
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
# Else each client of a test would look for all static files again; it was a tenth of all CPU.
WHITENOISE_AUTOREFRESH = True
