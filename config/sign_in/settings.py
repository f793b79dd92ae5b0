"""Settings of signing in: passwords, lockouts, second factors and sessions."""

from config.env import flag, positive_float

AUTHENTICATION_BACKENDS = [
    "axes.backends.AxesStandaloneBackend",
    "django.contrib.auth.backends.ModelBackend",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {
        "NAME": "django.contrib.auth.password_validation.MinimumLengthValidator",
        "OPTIONS": {"min_length": 12},
    },
    {"NAME": "django.contrib.auth.password_validation.NumericPasswordValidator"},
    {"NAME": "config.sign_in.passwords.PaddedPasswordValidator"},
]
# Five failures per user and network lock for a quarter of an hour; no user is locked for good.
AXES_HANDLER = "config.sign_in.limits.SignInHandler"
AXES_FAILURE_LIMIT = 5
# Without a time the lock would never end.
AXES_COOLOFF_TIME = positive_float("ADMIN_LOCKOUT_HOURS", 0.25, least=0.01, most=100_000)
AXES_LOCKOUT_PARAMETERS = [["username", "ip_address"]]
AXES_LOCKOUT_CALLABLE = "config.sign_in.limits.locked_out"
AXES_RESET_ON_SUCCESS = True
# Attempts during a lock check no password, so they neither count nor prolong it.
AXES_RESET_COOL_OFF_ON_FAILURE_DURING_LOCKOUT = False
AXES_CLIENT_IP_CALLABLE = "core.http.throttling.client_network"
# Attempts hold the locks, and go with them; this log is kept for `LOGINS_KEPT` of `config.tasks`.
AXES_ENABLE_ACCESS_FAILURE_LOG = True
AXES_ACCESS_FAILURE_LOG_PER_USER_LIMIT = 1_000_000
# Never kept, as the password is not.
AXES_SENSITIVE_PARAMETERS = [
    "code",
    "credential",
    "old_password",
    "new_password1",
    "new_password2",
]
AXES_VERBOSE = False

# The pages of a user's own sign-in, second factor and sessions are those of django-allauth.
LOGIN_URL = "admin:login"
LOGIN_REDIRECT_URL = "admin:index"
ACCOUNT_ADAPTER = "config.sign_in.adapters.AccountAdapter"
ACCOUNT_EMAIL_VERIFICATION = "none"  # No message is ever sent.
ACCOUNT_LOGIN_METHODS = {"username"}
ACCOUNT_SIGNUP_FIELDS = ["username*", "password1*", "password2*"]
MFA_ADAPTER = "config.sign_in.adapters.SecondFactorAdapter"
MFA_SUPPORTED_TYPES = ["totp", "webauthn", "recovery_codes"]
MFA_ALLOW_UNVERIFIED_EMAIL = True
MFA_TOTP_TOLERANCE = 1  # Of 30 seconds: clocks of phones differ.
# Users without a second factor are led to set one up, and can do nothing else.
ADMIN_REQUIRE_SECOND_FACTOR = flag("ADMIN_REQUIRE_SECOND_FACTOR", default=False)

# A session ends after so long without a page, and fourteen days after the sign-in.
SESSION_COOKIE_AGE = int(3600 * positive_float("ADMIN_SESSION_IDLE_HOURS", 12, least=0.1, most=336))
ADMIN_SESSION_SECONDS = 14 * 86_400
