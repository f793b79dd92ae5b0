"""Call a WSGI application as a server does."""

from io import BytesIO


def environment(query="", method="GET", *, path, body=None, **fields):
    """Return the environment of a request. `fields` are header names in lower case."""
    length = {} if body is None else {"CONTENT_LENGTH": str(len(body))}
    return {
        "REQUEST_METHOD": method,
        "PATH_INFO": path,
        "QUERY_STRING": query,
        "SERVER_NAME": "reviews.example",
        "SERVER_PORT": "443",
        "HTTP_HOST": "reviews.example",
        "REMOTE_ADDR": "192.0.2.7",
        "wsgi.url_scheme": "http",
        "wsgi.input": BytesIO(body or b""),
        "HTTP_X_REQUEST_ID": "mine",
        **length,
        **{name.upper(): value for name, value in fields.items()},
    }


def call_application(application, environ):
    """Return status, headers by lower-case name, and body."""
    started = []
    response = application(environ, lambda *args: started.append(args))
    # Servers send no body for HEAD, whatever the application returns.
    body = b"" if environ["REQUEST_METHOD"] == "HEAD" else b"".join(response)
    if hasattr(response, "close"):
        response.close()
    ((status, headers),) = started
    fields = {name.lower(): value for name, value in headers}
    assert len(fields) == len(headers)
    return status, fields, body
