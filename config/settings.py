"""Django settings. An installation changes them by environment variables."""

import sys
from importlib.util import find_spec
from pathlib import Path

import django

from config import env
from config.openapi import SPECTACULAR_SETTINGS  # noqa: F401  (A setting.)
from core.http.headers import HSTS_SECONDS, HUB_PATH, HUB_STATUS_PATH, hsts
from core.logging import logging_settings
from guarded_http.addresses import parse_ports
from mcp_server.headers import parse_origins
from reviews import VERSION
from websub.protocol import SIGNATURE_METHODS

# --- Identity -------------------------------------------------------------------------------------

DEBUG = env.flag("DEBUG", default=False)
SECRET_KEY = env.required(
    "SECRET_KEY",
    "Set it to a long random text, or run `make up`, which makes one for a local installation.",
)
SECRET_KEY_FALLBACKS = env.names("SECRET_KEY_FALLBACKS")

_remedy = "Set it to the public address, like https://reviews.example.com, or run `make up`."
_base = env.origin("BASE_URL", _remedy)
BASE_URL = _base.geturl()
IS_HTTPS = _base.scheme == "https"

# Health checks and `make up` use loopback names.
_hosts = env.host_names("ALLOWED_HOSTS") or [str(_base.hostname)]
MAY_CONFIRM_ADDRESS = env.MAY_CONFIRM_ADDRESS
if MAY_CONFIRM_ADDRESS and not env.confirmed_address():
    _hosts = ["*"]  # Safe, since published content does not contain the requested host.
ALLOWED_HOSTS = [*_hosts, "localhost", "127.0.0.1", "[::1]"]

# --- Apps and middleware --------------------------------------------------------------------------

INSTALLED_APPS = [
    "config.apps.ConfigConfig",
    "publishing",  # Before the apps that register documents.
    "notifications",
    "website",
    "demo",
    "mcp_server",
    "websub",
    "feeds",
    "embed",
    "insights",
    "sources",
    "imports",
    "reviews",
    "rest_framework",
    "drf_spectacular",
    "django_filters",
    "sign_in",
    "sign_in.apps.SignInRecordsConfig",
    "allauth",
    "sign_in.apps.AccountsConfig",
    "sign_in.apps.SecondFactorsConfig",
    "allauth.usersessions",
    "config.apps.AdministrationConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
]

MIDDLEWARE = [
    "config.middleware.RequestIdMiddleware",
    "config.middleware.PublicHeadersMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.middleware.common.CommonMiddleware",
    "config.middleware.ProblemMiddleware",
    "config.middleware.AdministrationMiddleware",
]
# Middleware of requests to /admin/ only.
ADMINISTRATION_MIDDLEWARE = [
    "sign_in.middleware.SignInThrottleMiddleware",
    "config.middleware.WriteConcurrencyMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "sign_in.middleware.SessionMiddleware",
    "sign_in.middleware.AnonymousMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "sign_in.middleware.SecondFactorMiddleware",
    "axes.middleware.AxesMiddleware",
    "config.middleware.LocaleMiddleware",
]

ROOT_URLCONF = "config.urls"
WSGI_APPLICATION = "config.wsgi.application"
# Errors: the context of HTML pages, formats by path, and paths that get JSON errors.
ERROR_PAGE_CONTEXT = "config.errors.page_context"
ERROR_FORMATS = {
    **dict.fromkeys((HUB_PATH, HUB_STATUS_PATH), "core.http.problems.plain_text_error"),
    **dict.fromkeys(("/mcp", "/mcp/"), "config.errors.rpc_error"),
}
PROGRAM_PATHS = "publishing.registry.registry"
APPEND_SLASH = False

_CONTEXT_PROCESSORS = [
    "django.template.context_processors.request",
    "django.contrib.auth.context_processors.auth",
    "django.contrib.messages.context_processors.messages",
    "sign_in.views.administration",
]
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "APP_DIRS": True,
        "OPTIONS": {"context_processors": _CONTEXT_PROCESSORS},
    },
]

LANGUAGE_CODE = "en"
TIME_ZONE = "UTC"  # The admin uses the time zone of the business (`LocaleMiddleware`).
USE_I18N = True
LANGUAGES = [("en", "English"), ("de", "Deutsch"), ("es", "Español"), ("fr", "Français")]
LOCALE_PATHS = [Path(__file__).resolve().parent / "locale"]
FORMAT_MODULE_PATH = ["config.formats"]

# --- Signing in -----------------------------------------------------------------------------------

AUTHENTICATION_BACKENDS = [
    "axes.backends.AxesStandaloneBackend",
    "django.contrib.auth.backends.ModelBackend",
]
_VALIDATION = "django.contrib.auth.password_validation"
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"{_VALIDATION}.UserAttributeSimilarityValidator"},
    {"NAME": f"{_VALIDATION}.MinimumLengthValidator", "OPTIONS": {"min_length": 12}},
    {"NAME": f"{_VALIDATION}.NumericPasswordValidator"},
    {"NAME": "sign_in.passwords.PaddedPasswordValidator"},
]
# Five failures lock a user for a quarter of an hour in one network.
AXES_HANDLER = "sign_in.limits.SignInHandler"
AXES_FAILURE_LIMIT = 5
AXES_COOLOFF_TIME = 0.25  # Hours.
AXES_LOCKOUT_PARAMETERS = [["username", "ip_address"]]
AXES_LOCKOUT_CALLABLE = "sign_in.limits.locked_out"
AXES_RESET_ON_SUCCESS = True
# Attempts during a lock check no password, so they do not prolong it.
AXES_RESET_COOL_OFF_ON_FAILURE_DURING_LOCKOUT = False
AXES_CLIENT_IP_CALLABLE = "core.http.rate_limit.client_network"
# Attempts are deleted with their lock. This log is kept for `sign_in.tasks.LOGINS_KEPT`.
AXES_ENABLE_ACCESS_FAILURE_LOG = True
AXES_ACCESS_FAILURE_LOG_PER_USER_LIMIT = 1_000_000
# Not logged, like the password.
AXES_SENSITIVE_PARAMETERS = ["code", "credential", "old_password", "new_password1", "new_password2"]
AXES_VERBOSE = False

# django-allauth provides the pages of second factors and sessions.
LOGIN_URL = "admin:login"
LOGIN_REDIRECT_URL = "admin:index"
ACCOUNT_ADAPTER = "sign_in.adapters.AccountAdapter"
ACCOUNT_EMAIL_VERIFICATION = "none"  # django-allauth sends no e-mail here.
ACCOUNT_LOGIN_METHODS = {"username"}
ACCOUNT_SIGNUP_FIELDS = ["username*", "password1*", "password2*"]
MFA_ADAPTER = "sign_in.adapters.SecondFactorAdapter"
MFA_SUPPORTED_TYPES = ["totp", "webauthn", "recovery_codes"]
MFA_ALLOW_UNVERIFIED_EMAIL = True
MFA_TOTP_TOLERANCE = 1  # Periods of 30 seconds, since clocks of phones differ.
# Users without a second factor can do nothing else than set one up.
ADMIN_REQUIRE_SECOND_FACTOR = env.flag("ADMIN_REQUIRE_SECOND_FACTOR", default=False)

# A session ends after this time without a request, and fourteen days after the sign-in.
_idle_hours = env.positive_float("ADMIN_SESSION_IDLE_HOURS", 12, least=0.1, most=336)
SESSION_COOKIE_AGE = int(3600 * _idle_hours)
ADMIN_SESSION_SECONDS = 14 * 86_400

# --- Database, backups and caches -----------------------------------------------------------------

BASE_DIR = env.BASE_DIR
STATE_DIR = env.folder("STATE_DIR", env.STATE_DIR)
_DATABASE_FILE = STATE_DIR / "reviews.sqlite3"
DATABASES = {"default": env.database("DATABASE_URL", default=_DATABASE_FILE)}
USES_SQLITE = DATABASES["default"]["ENGINE"] == env.SQLITE
SQLITE_OPTIONS = {
    "transaction_mode": "IMMEDIATE",
    "timeout": 20,
    "init_command": (
        "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA cache_size=-32000;"
        "PRAGMA mmap_size=268435456; PRAGMA temp_store=MEMORY;"
        # Truncates the WAL, which stays large after a large import otherwise.
        "PRAGMA journal_size_limit=67108864"
    ),
}
if USES_SQLITE:
    DATABASES["default"]["OPTIONS"] = SQLITE_OPTIONS
    # The shared cache has its own file: SQLite has one writer per file, and a large import must not
    # block rate limits.
    DATABASES["cache"] = {
        "ENGINE": env.SQLITE,
        "NAME": STATE_DIR / "cache.sqlite3",
        "OPTIONS": {**SQLITE_OPTIONS, "timeout": 1},
    }
else:
    DATABASES["default"]["ENGINE"] = "core.db.postgres"  # Adds timeouts for a silent server.
    DATABASES["default"]["CONN_HEALTH_CHECKS"] = True
for _database in DATABASES.values():
    # Opening a connection takes ten times as long as an empty request, even on SQLite.
    _database["CONN_MAX_AGE"] = 60
DATABASE_ROUTERS = ["core.db.cache.CacheRouter"]
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# Daily backups to a folder or to s3://bucket/prefix, at this hour (UTC) or later.
BACKUP_TO = env.text("BACKUP_TO")
BACKUP_HOUR = env.positive_int("BACKUP_HOUR", 3, most=23)
BACKUP_KEEP_DAYS = env.positive_int("BACKUP_KEEP_DAYS", 7, least=1)
BACKUP_KEEP_WEEKS = env.positive_int("BACKUP_KEEP_WEEKS", 4)
BACKUP_S3_ENDPOINT = env.service_url(
    "BACKUP_S3_ENDPOINT", ("http", "https"), "https://s3.example.com"
)
BACKUP_S3_REGION = env.text("BACKUP_S3_REGION", "us-east-1")
BACKUP_S3_KEY_ID = env.text("BACKUP_S3_KEY_ID")
BACKUP_S3_SECRET = env.text("BACKUP_S3_SECRET")
if BACKUP_TO.startswith("s3://"):
    if find_spec("obstore") is None:
        install = f"{sys.executable} -m pip install --require-hashes -r requirements-s3.txt"
        env.refuse("BACKUP_TO", "names a bucket, but obstore is not installed", f"Run `{install}`.")
    env.required("BACKUP_S3_KEY_ID", "Set it to the key that may write to the bucket.")
    env.required("BACKUP_S3_SECRET", "Set it, or BACKUP_S3_SECRET_FILE.")
elif "://" in BACKUP_TO:
    env.refuse(
        "BACKUP_TO", "names no place for backups", "Set it to a folder, or s3://bucket/prefix."
    )

_REDIS = ("redis", "rediss"), "redis://127.0.0.1:6379/0"
REDIS_URL = env.service_url("REDIS_URL", *_REDIS)
CACHES = {
    "default": {
        "BACKEND": "django.core.cache.backends.redis.RedisCache",
        "LOCATION": REDIS_URL,
        "KEY_PREFIX": "reviews",
        "OPTIONS": {"socket_connect_timeout": 1, "socket_timeout": 1},
    }
    if REDIS_URL
    else {
        "BACKEND": "core.db.cache.AtomicDatabaseCache",
        "LOCATION": "shared_cache",
        "OPTIONS": {"MAX_ENTRIES": 100_000},
    }
}

# Without STATIC_ROOT, WhiteNoise serves static files from the apps, so that a checkout needs no
# `collectstatic`. Images contain them collected and compressed.
STATIC_URL = "/static/"
STATIC_ROOT = env.path("STATIC_ROOT")
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "whitenoise.storage.CompressedStaticFilesStorage"},
}
WHITENOISE_USE_FINDERS = STATIC_ROOT is None
WHITENOISE_MAX_AGE = 3600

# --- Celery: messages only wake workers, the database is the queue --------------------------------

_BROKERS = ("redis", "rediss", "amqp", "amqps", "filesystem", "memory")
CELERY_BROKER_URL = (
    env.broker_url("CELERY_BROKER_URL", _BROKERS, "amqp://guest:guest@127.0.0.1:5672//")
    or env.broker_url("REDIS_URL", *_REDIS)
    or "filesystem://"
)

# --- Published documents --------------------------------------------------------------------------

CACHE_MAX_AGE_SECONDS = env.positive_int("CACHE_MAX_AGE_SECONDS", 60)
VERSION_POLL_MS = env.positive_int("VERSION_POLL_MS", 250)
PUBLISHING_HEADERS = "config.documents.headers"
PUBLISHING_ERROR_HINT = "core.db.errors.hint_for"
PUBLISHING_CLIENT = "core.http.rate_limit.client_key"
SEARCH_COUNT_CAP = env.positive_int("SEARCH_COUNT_CAP", 10_000)

# Further sites that may frame the page /embed. No other page may be framed.
_ORIGINS = "Set it to origins like https://www.example.com,https://example.com, or to *."
_ANCESTORS = env.readable("EMBED_FRAME_ANCESTORS", "*", parse_origins, _ORIGINS)
EMBED_FRAME_ANCESTORS = ["'self'", *sorted(parse_origins(_ANCESTORS))]

WEB_WORKERS = env.positive_int("WEB_WORKERS", 1, least=1, most=1_024)
MAX_UNSENT_BYTES = env.positive_int("MAX_UNSENT_BYTES", 256 * 1024 * 1024, most=env.MAX_BYTES)
WRITE_TIMEOUT_SECONDS = env.positive_int("WRITE_TIMEOUT_SECONDS", 30, least=1, most=3_600)
# Threads of each web process; granian reads the same variable. One stays free for reading, one for
# the bodies of /mcp and the hub, and the admin may use the rest.
WEB_THREADS = env.positive_int("GRANIAN_BLOCKING_THREADS", 4, least=3, most=1_024)

# (requests, seconds) per client address, or None for no limit.
RATE_LIMITS = {
    "search": env.rate("RATE_LIMIT_SEARCH", "600/min"),
    "mcp": env.rate("RATE_LIMIT_MCP", "600/min"),
    "hub": env.rate("RATE_LIMIT_HUB", "60/min"),
    "verify": env.rate("RATE_LIMIT_VERIFY", "10/min"),  # Per callback host, not per client.
    "sign_in": env.rate("RATE_LIMIT_SIGN_IN", "10/min"),  # For all user names together.
    "sources": env.rate("RATE_LIMIT_SOURCES", "600/min"),  # Pushes per source.
}
# The number of trusted proxies. Each adds one entry to the header.
TRUSTED_PROXY_COUNT = env.positive_int("TRUSTED_PROXY_COUNT", 0)
FORWARDED_HEADER = ""  # No default: a client can forge any header that the proxies do not replace.
if TRUSTED_PROXY_COUNT:
    env.required(
        "FORWARDED_HEADER",
        "Set it to the header in which your proxy names the client and replaces what the client "
        "wrote: Forwarded, as the proxies of deploy/ do, or X-Forwarded-For.",
    )
    FORWARDED_HEADER = env.one_of("FORWARDED_HEADER", ("Forwarded", "X-Forwarded-For"), "")
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")

# --- Insights -------------------------------------------------------------------------------------

# The analyser of reviews: a class like `insights.backends.RulesAnalyser`.
INSIGHTS_ANALYSER = env.text("INSIGHTS_ANALYSER", "insights.backends.RulesAnalyser")

# For `insights.neural.NeuralAnalyser`: the weights of its network, and their SHA-256.
INSIGHTS_NEURAL_WEIGHTS = env.path("INSIGHTS_NEURAL_WEIGHTS")
INSIGHTS_NEURAL_SHA256 = env.text("INSIGHTS_NEURAL_SHA256").lower()

# For `insights.llm.ChatAnalyser`: its server, and limits per day.
_CHAT = ("http", "https"), "https://api.example.com/v1"
INSIGHTS_CHAT_URL = env.service_url("INSIGHTS_CHAT_URL", *_CHAT)
INSIGHTS_CHAT_KEY = env.bearer_token("INSIGHTS_CHAT_KEY")
INSIGHTS_CHAT_MODEL = env.text("INSIGHTS_CHAT_MODEL")
INSIGHTS_CHAT_REVIEWS_PER_DAY = env.positive_int("INSIGHTS_CHAT_REVIEWS_PER_DAY", 1_000)
INSIGHTS_CHAT_TOKENS_PER_DAY = env.positive_int("INSIGHTS_CHAT_TOKENS_PER_DAY", 2_000_000)
if INSIGHTS_ANALYSER == "insights.llm.ChatAnalyser":
    env.required("INSIGHTS_CHAT_URL", "Set it like https://api.example.com/v1.")
    env.required("INSIGHTS_CHAT_MODEL", "Set it to the name by which the server knows its model.")

# --- The WebSub hub -------------------------------------------------------------------------------

WEBSUB_ALLOWED_NETWORKS = env.networks("WEBSUB_ALLOWED_NETWORKS")
_ports = "Set it like WEBSUB_ALLOWED_PORTS=443,8443,10000-20000."
WEBSUB_ALLOWED_PORTS = env.readable(
    "WEBSUB_ALLOWED_PORTS", "443,8443,1024-65535", parse_ports, _ports
)
WEBSUB_CA_BUNDLE = str(env.path("WEBSUB_CA_BUNDLE") or "")
WEBSUB_MAX_PER_HOST = env.positive_int("WEBSUB_MAX_PER_HOST", 100)
WEBSUB_THREADS = env.positive_int("WEBSUB_THREADS", 96, least=1, most=1_024)
WEBSUB_ALLOW_HTTP = env.flag("WEBSUB_ALLOW_HTTP", default=False)
WEBSUB_BASE_URL = BASE_URL
WEBSUB_STATE_DIR = STATE_DIR
WEBSUB_TOPICS = "websub.documents.document_topics"
WEBSUB_PRODUCT = "Reviews-Hub"
WEBSUB_USE_CELERY = True
WEBSUB_RATE_LIMITER = "core.http.rate_limit.hit"
WEBSUB_CLIENT_KEY = "core.http.rate_limit.client_key"
# Deliveries wait until a GET returns the same version: web processes poll for versions this often,
# and take a moment to unpack one.
WEBSUB_VISIBLE_AFTER_SECONDS = VERSION_POLL_MS / 1000 + 0.25
WEBSUB_LEASE_DEFAULT_SECONDS = env.whole_seconds("WEBSUB_LEASE_DEFAULT_SECONDS", 864_000)
WEBSUB_LEASE_MIN_SECONDS = env.whole_seconds("WEBSUB_LEASE_MIN_SECONDS", 3_600, least=0)
WEBSUB_LEASE_MAX_SECONDS = env.whole_seconds("WEBSUB_LEASE_MAX_SECONDS", 2_592_000)
if WEBSUB_LEASE_MIN_SECONDS > WEBSUB_LEASE_MAX_SECONDS:
    _why = f"is {WEBSUB_LEASE_MIN_SECONDS}, more than WEBSUB_LEASE_MAX_SECONDS"
    env.refuse("WEBSUB_LEASE_MIN_SECONDS", _why, f"Set it to at most {WEBSUB_LEASE_MAX_SECONDS}.")
WEBSUB_MAX_FAILURES = env.positive_int("WEBSUB_MAX_FAILURES", 3)
WEBSUB_RETRY_SECONDS = env.seconds_list("WEBSUB_RETRY_SECONDS", "300,3600")
WEBSUB_VERIFY_RETRY_SECONDS = env.seconds_list("WEBSUB_VERIFY_RETRY_SECONDS", "30,300")
WEBSUB_SWEEP_SECONDS = env.positive_float("WEBSUB_SWEEP_SECONDS", 5, least=0.01)
WEBSUB_SIGNATURE_METHOD = env.one_of("WEBSUB_SIGNATURE_METHOD", SIGNATURE_METHODS, "sha256")

# --- Sources --------------------------------------------------------------------------------------

SOURCES_ALLOWED_NETWORKS = env.networks("SOURCES_ALLOWED_NETWORKS")
INBOX_DIR = env.path("INBOX_DIR") or STATE_DIR / "inbox"

# --- Notifications: webhooks and e-mail -----------------------------------------------------------

WEBHOOKS_ALLOWED_NETWORKS = env.networks("WEBHOOKS_ALLOWED_NETWORKS")

# E-mail is off without a server or another e-mail backend.
_mail = env.mail_server("EMAIL_URL")
if _backend := env.text("EMAIL_BACKEND"):
    _mail = {"EMAIL_BACKEND": _backend, **({} if _backend != _mail.get("EMAIL_BACKEND") else _mail)}
EMAIL_ENABLED = bool(_mail)
if EMAIL_ENABLED:
    _remedy = "Set it to the sender of all messages, like Reviews <reviews@example.com>."
    DEFAULT_FROM_EMAIL = env.required("DEFAULT_FROM_EMAIL", _remedy)
    if django.VERSION < (6, 1):
        globals().update(_mail)
    else:
        MAILERS = {"default": env.mailer(_mail)}

# --- The MCP server -------------------------------------------------------------------------------

# Further sites that may use the server from a browser. All its data is public.
MCP_ALLOWED_ORIGINS = env.readable("MCP_ALLOWED_ORIGINS", "*", parse_origins, _ORIGINS)
MCP_SERVER = {
    "name": "reviews",
    "title": "Reviews",
    "version": VERSION,
    "description": "The customer reviews of one business and what they say, read-only.",
    "instructions": "config.mcp.instructions",
    "base_url": BASE_URL,
    "guide_url": f"{BASE_URL}/developers/mcp",
}
MCP_RATE_LIMITER = "config.mcp.seconds_to_wait"
MCP_COMPRESSOR = "config.mcp.compress"
MCP_CACHE_SECONDS = CACHE_MAX_AGE_SECONDS
# Long, since several clients cannot recover from an expired session.
MCP_SESSION_SECONDS = env.positive_int("MCP_SESSION_SECONDS", 2_592_000, least=1)
# Whether requests of protocol revisions with sessions are refused without their session id.
MCP_REQUIRE_SESSION = env.flag("MCP_REQUIRE_SESSION", default=True)

# --- Imports --------------------------------------------------------------------------------------

IMPORT_MAX_BYTES = env.positive_int("IMPORT_MAX_BYTES", 20 * 1024 * 1024, least=1)
IMPORT_MAX_ROWS = env.positive_int("IMPORT_MAX_ROWS", 50_000, least=1)
# Limits of the reader process of a file: address space in bytes, and seconds.
IMPORT_MEMORY_LIMIT = env.positive_int(
    "IMPORT_MEMORY_LIMIT", 768 * 1024 * 1024, least=64 * 1024 * 1024, most=env.MAX_BYTES
)
IMPORT_READ_TIMEOUT = env.positive_int("IMPORT_READ_TIMEOUT", 300, least=1, most=86_400)
# An import can be undone for this long.
IMPORT_UNDO_DAYS = env.positive_int("IMPORT_UNDO_DAYS", 90, most=100_000)
# The admin page of a taxonomy has up to 3,400 fields.
DATA_UPLOAD_MAX_NUMBER_FIELDS = 5_000

# --- HTTP API -------------------------------------------------------------------------------------

REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [],  # Public: an Authorization header is ignored.
    "DEFAULT_PERMISSION_CLASSES": [],
    "UNAUTHENTICATED_USER": None,
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": [],
    "DEFAULT_CONTENT_NEGOTIATION_CLASS": "core.http.problems.OneRepresentation",
    "DEFAULT_THROTTLE_CLASSES": ["core.http.rate_limit.ClientThrottle"],
    "DEFAULT_SCHEMA_CLASS": "config.openapi.schema.OperationSchema",
    "DEFAULT_METADATA_CLASS": None,  # OPTIONS only returns headers.
    "EXCEPTION_HANDLER": "core.http.problems.exception_handler",
    "URL_FORMAT_OVERRIDE": None,
}

# --- Security -------------------------------------------------------------------------------------

if IS_HTTPS:
    # Browsers accept cookies with this prefix only from this host over https.
    SESSION_COOKIE_NAME = "__Host-sessionid"
    CSRF_COOKIE_NAME = "__Host-csrftoken"
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = IS_HTTPS
CSRF_COOKIE_HTTPONLY = True  # No script reads the cookie, since forms contain the token.
# Subdomains may still use http, and browsers remember both promises for months.
SECURE_HSTS_SECONDS = HSTS_SECONDS if IS_HTTPS else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = env.flag("HSTS_INCLUDE_SUBDOMAINS", default=False)
SECURE_HSTS_PRELOAD = env.flag("HSTS_PRELOAD", default=False)
if SECURE_HSTS_PRELOAD and not SECURE_HSTS_INCLUDE_SUBDOMAINS:
    remedy = "Set HSTS_INCLUDE_SUBDOMAINS too, which the lists of browsers ask for, or neither."
    env.refuse("HSTS_PRELOAD", "is set without HSTS_INCLUDE_SUBDOMAINS", remedy)
_directives = {"include_subdomains": SECURE_HSTS_INCLUDE_SUBDOMAINS, "preload": SECURE_HSTS_PRELOAD}
HSTS = hsts(SECURE_HSTS_SECONDS, **_directives)
SECURE_REFERRER_POLICY = "strict-origin-when-cross-origin"
CSRF_TRUSTED_ORIGINS = [BASE_URL]
CSRF_FAILURE_VIEW = "core.http.problems.csrf_failure"
# Contact for security reports (RFC 9116). If empty, it is the e-mail address of the business.
SECURITY_CONTACT = env.text("SECURITY_CONTACT")
if SECURITY_CONTACT and not SECURITY_CONTACT.startswith(("mailto:", "https://", "tel:")):
    env.refuse(
        "SECURITY_CONTACT",
        f"is {SECURITY_CONTACT[:60]!r}, which starts with none of mailto:, https:// and tel:",
        "Set it like SECURITY_CONTACT=mailto:security@example.com, or leave it out.",
    )
SILENCED_SYSTEM_CHECKS = [
    # These checks only search MIDDLEWARE, not ADMINISTRATION_MIDDLEWARE. `PublicHeadersMiddleware`
    # sets the security headers.
    *("admin.E408", "admin.E409", "admin.E410", "axes.W002"),
    *("security.W001", "security.W002", "security.W003"),
    # The TLS proxy redirects to https. A redirect here would break its health checks.
    "security.W008",
    # Only the operator knows whether all subdomains use https.
    "security.W005",
    "security.W021",
]

# --- Metrics, which need a token ------------------------------------------------------------------

MIN_TOKEN = 16
METRICS_TOKEN = env.bearer_token("METRICS_TOKEN")
METRICS_LISTEN = env.listening("METRICS_LISTEN", "127.0.0.1:9464")
if METRICS_TOKEN:
    if len(METRICS_TOKEN) < MIN_TOKEN:
        _why = f"is shorter than {MIN_TOKEN} characters"
        env.refuse("METRICS_TOKEN", _why, "Set a long random one.")
    if find_spec("prometheus_client") is None:
        install = f"{sys.executable} -m pip install --require-hashes -r requirements-metrics.txt"
        remedy = f"Run `{install}`, or leave it out."
        env.refuse("METRICS_TOKEN", "is set, but prometheus-client is not installed", remedy)
    INSTALLED_APPS.insert(1, "metrics")
elif METRICS_LISTEN:
    _why = "is set without METRICS_TOKEN"
    env.refuse("METRICS_LISTEN", _why, "Set the token as well, or neither.")

# --- Logs -----------------------------------------------------------------------------------------

_LEVELS = ("DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL")
DEFAULT_EXCEPTION_REPORTER = "core.logging.MaskedExceptionReporter"
LOGGING = logging_settings(
    env.one_of("LOG_FORMAT", ("line", "json"), "line"), env.one_of("LOG_LEVEL", _LEVELS, "INFO")
)
