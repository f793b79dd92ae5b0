"""A page as a person reads it: its words, its links, its structure."""

from html.parser import HTMLParser


class Document(HTMLParser):
    """A page as a browser reads it: elements with attributes, and the text outside of them."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))

    def handle_data(self, data):
        self.text += data

    def all(self, tag, **wanted):
        return [
            attrs
            for name, attrs in self.elements
            if name == tag and all(attrs.get(key) == value for key, value in wanted.items())
        ]


def read(client, address, status=200):
    response = client.get(address)
    assert response.status_code == status
    return Document(response.content.decode())
