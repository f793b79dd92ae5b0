"""Asking a WSGI application as a server does."""

from io import BytesIO


def environment(query="", method="GET", *, path, body=None, **fields):
    """The environment of a request; `fields` in small letters."""
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


def ask(application, environ):
    """Status, headers by their names in small letters, and body."""
    started = []
    response = application(environ, lambda *args: started.append(args))
    # Servers send no body in answer to HEAD, whatever the application gives.
    body = b"" if environ["REQUEST_METHOD"] == "HEAD" else b"".join(response)
    if hasattr(response, "close"):
        response.close()
    ((status, headers),) = started
    fields = {name.lower(): value for name, value in headers}
    assert len(fields) == len(headers)
    return status, fields, body
