"""Foreign websites, served on this machine at their own origin."""

from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

PAGE = """<!DOCTYPE html><html lang="en"{attributes}><head><meta charset="utf-8">
<title>A website</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="/site.css">{head}</head>
<body><main><h1>Our work</h1>{body}<p id="after">What stands below.</p></main></body></html>"""

# Rules of site builders' themes that affect foreign elements.
WORDPRESS_LIKE = """html{font-size:62.5%;box-sizing:border-box}*,*::before{box-sizing:inherit}
body{font-size:1.8rem;line-height:1.7;margin:0 2rem}svg{max-width:none;height:auto;fill:red}
p{margin:0 0 2em!important}ul{list-style:square;margin-left:3em}a{color:#c00}
button{background:#c00;color:#fff;padding:2em 3em;text-transform:uppercase}
.entry-content>*{max-width:58rem;margin-left:auto;margin-right:auto}"""
SQUARESPACE_LIKE = """body{font-size:17px;letter-spacing:.02em;margin:0}
.sqs-block{position:relative;padding:17px;clear:both}.sqs-block-code{overflow:hidden}
section{display:none}strong{display:block;text-transform:uppercase}
li{float:left;width:33%}p{white-space:pre-wrap}"""
SHOPIFY_LIKE = """*,*::before,*::after{box-sizing:inherit;font-family:cursive!important}
html{box-sizing:border-box;font-size:calc(1rem*.625)}
body{display:grid;font-size:1.5rem;letter-spacing:.06rem;margin:0}
.grid{display:flex;flex-wrap:wrap}.page-width{max-width:60rem;margin:0 auto;padding:0 1.5rem}
a:empty,ul:empty,div:empty,section:empty,p:empty{display:none}
button{appearance:none;min-width:12rem;min-height:4.5rem;border-radius:0;background:#000;color:#fff}
summary,ul{list-style:none!important}p{line-height:3}"""
WEBFLOW_LIKE = """*{transition:all .2s;outline:none!important}
.w-embed::before,.w-embed::after{content:" ";display:table}
body{font:14px/20px Arial;color:#333;min-height:100%}a{color:#09f;text-transform:lowercase}
p,ul{margin-top:0;margin-bottom:10px;padding-left:40px}
img,svg{max-width:100%;vertical-align:middle;display:inline-block}
blockquote{border-left:5px solid #e2e2e2;font-size:18px}
section,article,li{background:#fee;border:3px dotted red}"""
# Every property that a theme may set on all elements.
AGGRESSIVE = """*{margin:8px!important;padding:8px!important;border:2px solid red!important;
color:#777!important;background:#ff0!important;
font:italic 20px/3 fantasy!important;float:left!important;
display:inline!important;position:relative!important;opacity:.9!important;
text-transform:uppercase!important}
html,head,body,main,h1{display:block!important;float:none!important;opacity:1!important}
head{display:none!important}h1,#after{color:#000!important}
img,svg{width:9px!important;height:9px!important}a{display:none!important}
button{visibility:hidden!important}
blockquote{quotes:"a" "b"}
customer-reviews{display:block!important;float:none!important;opacity:1!important}"""
PLAIN = "body{font:16px/1.5 Georgia,serif;margin:1rem;background:#eee;color:#222}"


def strict_policy(origin: str) -> str:
    """Return a policy that allows our script and its requests, but no inline code or eval."""
    return (
        f"default-src 'none'; script-src {origin}; connect-src {origin}; style-src 'self'; "
        f"img-src {origin}; frame-src {origin}; base-uri 'none'; "
        "require-trusted-types-for 'script'; trusted-types 'none'"
    )


class Host:
    """A website whose pages a test writes."""

    def __init__(self, origin: str) -> None:
        self.origin = origin
        self.styles = PLAIN
        self.policy = ""
        self.pages: dict[str, str] = {}

    def show(self, body: str, head: str = "", path: str = "/", attributes: str = "") -> str:
        """Return the URL of a page with this content. `attributes` are those of <html>."""
        self.pages[path] = PAGE.format(head=head, body=body, attributes=attributes)
        return f"{self.origin}{path}"


@contextmanager
def host() -> Iterator[Host]:
    """Start a website at `localhost`, which is cross-site to numeric addresses."""
    site: Host

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            is_page = self.path in site.pages
            text = site.pages[self.path] if is_page else site.styles
            body = text.encode()
            self.send_response(200 if is_page or self.path == "/site.css" else 404)
            self.send_header("Content-Type", "text/html" if is_page else "text/css")
            self.send_header("Content-Length", str(len(body)))
            self.send_header("Set-Cookie", "own=1")
            if is_page and site.policy:
                self.send_header("Content-Security-Policy", site.policy)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *args: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        site = Host(f"http://localhost:{server.server_port}")
        Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield site
        finally:
            server.shutdown()
