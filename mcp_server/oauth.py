"""OAuth protected resource metadata (RFC 9728); include these URLs at the root."""

from django.http import Http404, HttpRequest, JsonResponse
from django.urls import path
from django.views.decorators.http import require_safe

from mcp_server import conf

WELL_KNOWN = ".well-known/oauth-protected-resource"


def challenge(base_url: str) -> str:
    """Return `WWW-Authenticate` for a request without a token (RFC 9728 5.1)."""
    address = conf.address(f"{base_url}/{WELL_KNOWN}")
    scopes = " ".join(conf.get("MCP_OAUTH").get("scopes_supported", ()))
    scope = f', scope="{scopes}"' if scopes else ""
    return f'Bearer resource_metadata="{address}"{scope}'


@require_safe
def metadata(request: HttpRequest, resource: str = "") -> JsonResponse:
    """Answer with the metadata (RFC 9728 3.2). `resource` is the path of the endpoint."""
    if not conf.get("MCP_OAUTH") or resource not in {"", conf.address("")}:
        raise Http404
    members = {
        "resource": conf.address(conf.base_url(request)),
        "resource_name": conf.server("title"),
        "bearer_methods_supported": ["header"],
        **conf.get("MCP_OAUTH"),
    }
    return JsonResponse(members, headers={"Access-Control-Allow-Origin": "*"})


urlpatterns = [path(WELL_KNOWN, metadata), path(f"{WELL_KNOWN}<path:resource>", metadata)]
