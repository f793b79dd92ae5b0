"""Parse a page into its text, links and structure."""

from html.parser import HTMLParser

from django.test import Client


class Document(HTMLParser):
    """A parsed page: elements with attributes, and the text outside of them."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.text += data

    def all(self, tag: str, **wanted: str) -> list[dict[str, str | None]]:
        return [
            attrs
            for name, attrs in self.elements
            if name == tag and all(attrs.get(key) == value for key, value in wanted.items())
        ]


def read(client: Client, address: str, status: int = 200) -> Document:
    response = client.get(address)
    assert response.status_code == status
    return Document(response.content.decode())
