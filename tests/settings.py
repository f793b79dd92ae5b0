"""The project's settings, adjusted for tests. The environment may name a database."""

import atexit
import os
import shutil
import tempfile
from pathlib import Path

os.environ["ENV_FILE"] = os.devnull  # Ignore the operator's `.env` beside the code.
os.environ.setdefault("SECRET_KEY", "tests-only-" + "k" * 50)
os.environ.setdefault("BASE_URL", "https://reviews.example")
if "STATE_DIR" not in os.environ:  # All processes of a run inherit the first folder.
    os.environ["STATE_DIR"] = tempfile.mkdtemp(prefix="reviews-tests-")
    atexit.register(shutil.rmtree, os.environ["STATE_DIR"], ignore_errors=True)
os.environ.setdefault("CELERY_BROKER_URL", "memory://")
for _scope in ("SEARCH", "MCP", "HUB", "VERIFY", "SIGN_IN", "SOURCES"):
    os.environ.setdefault(f"RATE_LIMIT_{_scope}", "")

from config.settings import *  # noqa: E402, F403  (the environment comes first)
from config.settings import DATABASES, INSTALLED_APPS, USES_SQLITE  # noqa: E402

INSTALLED_APPS += ["websub.subscriber"]  # The service itself does not need these.

# Use a file, since threads and processes of a test share it as they share the real one.
if USES_SQLITE:
    _state = Path(os.environ["STATE_DIR"])
    for _alias in DATABASES:
        DATABASES[_alias]["TEST"] = {"NAME": str(_state / f"test-{_alias}.sqlite3")}
CACHES = {"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}}
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
# Without it each test client scans all static files, which took a tenth of all CPU.
WHITENOISE_AUTOREFRESH = True
