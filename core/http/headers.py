"""The headers that every public answer carries, whoever gives it.

The front answers published documents before Django is entered, Django's middleware answers the
rest; both take the headers from here, so that a client cannot tell one from the other.
"""

Headers = tuple[tuple[str, str], ...]

HUB_PATH = "/api/websub/hub"  # What every topic names, in whatever form it is served.
HUB_STATUS_PATH = "/api/websub/status"  # Where subscribers ask about their own subscription.

EXPOSED_HEADERS = (
    "ETag, Last-Modified, Link, RateLimit, RateLimit-Policy, Retry-After, Mcp-Session-Id"
)

# Anybody's page may read; there are no credentials, so nothing depends on who asks.
CORS_HEADERS: Headers = (
    ("Access-Control-Allow-Origin", "*"),
    ("Access-Control-Expose-Headers", EXPOSED_HEADERS),
)

SECURITY_HEADERS: Headers = (
    ("X-Content-Type-Options", "nosniff"),
    ("X-Frame-Options", "DENY"),
    ("Referrer-Policy", "strict-origin-when-cross-origin"),
    ("Cross-Origin-Opener-Policy", "same-origin"),
)

# Sent as well when the public address is https, also by a process behind a proxy that ends TLS.
HTTPS_HEADERS: Headers = (
    ("Strict-Transport-Security", "max-age=31536000; includeSubDomains; preload"),
)


def security_headers(*, is_https: bool) -> Headers:
    """Headers that tell a browser how to handle content; a 304 has no content and goes without."""
    return SECURITY_HEADERS + HTTPS_HEADERS if is_https else SECURITY_HEADERS


def public_headers(*, is_https: bool) -> Headers:
    """All of them, for an installation whose public address is https or is not."""
    return CORS_HEADERS + security_headers(is_https=is_https)


def service_desc_link(base_url: str) -> str:
    """The part of `Link` that names the description of the interface."""
    return f'<{base_url}/.well-known/openapi.json>; rel="service-desc"'


def cache_control(max_age_seconds: int) -> str:
    """How long a published answer is fresh, and how long an old one may bridge its renewal."""
    return f"public, max-age={max_age_seconds}, stale-while-revalidate=300"
