"""Headers of all public responses, from Django and from the WSGI middleware of the documents."""

Headers = tuple[tuple[str, str], ...]

HUB_PATH = "/api/websub/hub"  # Named by all topics, in the Link header or the body.
HUB_STATUS_PATH = "/api/websub/status"  # For subscribers, about their own subscription.

EXPOSED_HEADERS = (
    "ETag, Last-Modified, Link, RateLimit, RateLimit-Policy, Retry-After, Mcp-Session-Id"
)

# Any page may read the responses, since none depends on credentials.
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

CONTENT_SECURITY_POLICY = (
    "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; "
    "form-action 'self'; frame-ancestors 'none'"
)
# For customers' photos, which the pages load from other sites.
POLICY_WITH_PHOTOS = CONTENT_SECURITY_POLICY.replace("img-src 'self'", "img-src 'self' https:")

HSTS_SECONDS = 31_536_000


def hsts(seconds: int, *, include_subdomains: bool, preload: bool) -> str:
    """Value of `Strict-Transport-Security` (RFC 6797 6.1); empty for 0 seconds."""
    if not seconds:
        return ""
    directives = [f"max-age={seconds}"]
    directives += ["includeSubDomains"] * include_subdomains + ["preload"] * preload
    return "; ".join(directives)


def security_headers(hsts: str) -> Headers:
    """Headers that tell a browser how to handle content; a 304 does not need them.

    `hsts` is empty unless the public address is https.
    """
    return (*SECURITY_HEADERS, ("Strict-Transport-Security", hsts)) if hsts else SECURITY_HEADERS


def public_headers(hsts: str) -> Headers:
    """CORS and security headers."""
    return CORS_HEADERS + security_headers(hsts)


def service_desc_link(base_url: str) -> str:
    """Link to the OpenAPI description."""
    return f'<{base_url}/.well-known/openapi.json>; rel="service-desc"'


def cache_control(max_age_seconds: int) -> str:
    """Value of `Cache-Control` of a public response."""
    return f"public, max-age={max_age_seconds}, stale-while-revalidate=300"
