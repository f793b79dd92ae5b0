"""Headers of every public answer.

A WSGI middleware answers published documents before Django is entered, Django answers the rest;
both take the headers from here, so that a client cannot tell one from the other.
"""

Headers = tuple[tuple[str, str], ...]

HUB_PATH = "/api/websub/hub"  # What every topic names in its Link header or its body.
HUB_STATUS_PATH = "/api/websub/status"  # Where subscribers ask about their own subscription.

EXPOSED_HEADERS = (
    "ETag, Last-Modified, Link, RateLimit, RateLimit-Policy, Retry-After, Mcp-Session-Id"
)

# Any page may read: there are no credentials, so no answer depends on the client.
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

# Pages load nothing from elsewhere.
CONTENT_SECURITY_POLICY = (
    "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; "
    "form-action 'self'; frame-ancestors 'none'"
)
# But for photos of customers, where the business has them shown from their sites.
POLICY_WITH_PHOTOS = CONTENT_SECURITY_POLICY.replace("img-src 'self'", "img-src 'self' https:")

HSTS_SECONDS = 31_536_000


def hsts(seconds: int, *, include_subdomains: bool, preload: bool) -> str:
    """The value of `Strict-Transport-Security` (RFC 6797 6.1); empty for no seconds."""
    if not seconds:
        return ""
    directives = [f"max-age={seconds}"]
    directives += ["includeSubDomains"] * include_subdomains + ["preload"] * preload
    return "; ".join(directives)


def security_headers(hsts: str) -> Headers:
    """Headers that tell a browser how to handle content; a 304 has no content and goes without.

    `hsts` is empty unless the public address is https, of a process behind a proxy too.
    """
    return (*SECURITY_HEADERS, ("Strict-Transport-Security", hsts)) if hsts else SECURITY_HEADERS


def public_headers(hsts: str) -> Headers:
    """All of them, for an installation whose public address is https or is not."""
    return CORS_HEADERS + security_headers(hsts)


def service_desc_link(base_url: str) -> str:
    """The part of `Link` that names the description of the interface."""
    return f'<{base_url}/.well-known/openapi.json>; rel="service-desc"'


def cache_control(max_age_seconds: int) -> str:
    """How long a published answer is fresh, and how long an old one may bridge its renewal."""
    return f"public, max-age={max_age_seconds}, stale-while-revalidate=300"
