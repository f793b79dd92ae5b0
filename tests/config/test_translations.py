"""Translation catalogues are complete, and pages hold no untranslated sentence."""

import re
import sys
from collections import defaultdict
from html.parser import HTMLParser
from string import Formatter

import pytest
from django.utils import translation
from django.utils.translation import gettext, trans_real

from imports.templatetags import sentences
from insights.refresh import refresh
from tests.factories import make_area, make_business, make_review, make_service, make_technician
from tools import translations

pytestmark = pytest.mark.django_db

LANGUAGES = translations.LANGUAGES
PAGES = ["/", "/reviews", "/insights", "/reviews?query=777", "/missing"]
# Their tables list tools and parameters in the words of the protocol.
FOR_PROGRAMS = ["/developers", "/developers/mcp"]
MARKED = re.compile(r"⟦[^⟦⟧]*⟧")
WORD = re.compile(r"[A-Za-z]{3,}")
NUMBERS = re.compile(r"\{(\w+):[^{}]*\}")
SPOKEN = {"alt", "aria-label", "placeholder", "title"}
NOT_SPOKEN = {"script", "style", "code", "title", "option", "textarea"}
# Names that are the same in each language, and endonyms.
NAMES = re.compile(
    r"https?://\S+|Google|English|Deutsch|Español|Français|UTC|PDT|PST|POST|Reviews|admin\b|True|False"
)


class Words(HTMLParser):
    """Collect the words of a page outside of the marks of `marked`."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self._open: list[str] = []
        self.spoken = [""]
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        if tag in NOT_SPOKEN:
            self._open.append(tag)
        if tag not in {"a", "strong", "bdi", "q", "span", "b", "em"}:
            self.spoken.append("")
        self.spoken += [value for name, value in attrs if name in SPOKEN and value] + [""]

    def handle_endtag(self, tag):
        if self._open and self._open[-1] == tag:
            self._open.pop()

    def handle_data(self, data):
        if not self._open:
            self.spoken[-1] += data

    def unmarked(self):
        page = "\n".join(self.spoken)
        while (rest := MARKED.sub("", page)) != page:
            page = rest
        return [line.strip() for line in NAMES.sub("", page).splitlines() if WORD.search(line)]


@pytest.fixture
def marked(monkeypatch):
    """Put marks around each translated message in every language."""
    plain = trans_real.gettext, trans_real.ngettext, trans_real.pgettext, trans_real.npgettext
    gettext, ngettext, pgettext, npgettext = plain
    for name, marked in {
        "gettext": lambda text: f"⟦{gettext(text)}⟧",
        "ngettext": lambda *given: f"⟦{ngettext(*given)}⟧",
        "pgettext": lambda context, text: (
            text if "format" in context else f"⟦{pgettext(context, text)}⟧"
        ),
        "npgettext": lambda *given: f"⟦{npgettext(*given)}⟧",
    }.items():
        monkeypatch.setattr(translation._trans, name, marked)


@pytest.fixture
def rows():
    make_business(name="777", slug="777", description="777")
    make_technician("777")
    make_service("777")
    make_area("777")
    for stars in (1, 3, 5):
        make_review(author="777", text="777 777", rating=stars, reply_text="777")
    refresh()


def test_catalogues_are_complete_and_compiled(monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["translations", "--check"])

    assert translations.main() == 0, capsys.readouterr().out


@pytest.mark.parametrize("address", PAGES)
def test_page_has_no_untranslated_sentence(client, rows, marked, address):
    assert Words(client.get(address).content.decode()).unmarked() == []


@pytest.mark.parametrize("address", FOR_PROGRAMS)
def test_page_for_programs_has_no_untranslated_sentence(client, rows, marked, address):
    page = re.sub(r"(?s)<table.*?</table>", "", client.get(address).content.decode())

    assert Words(page).unmarked() == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_import_messages_are_translated_with_values(language):
    def filled(text):
        values = defaultdict(lambda: "Zeile 7", dict.fromkeys(NUMBERS.findall(text), 4321))
        return Formatter().vformat(text, (), values)

    follows = "The file has more than {limit:,} rows."
    with translation.override(language):
        for message in sentences.messages():
            wanted = filled(gettext(message))

            assert sentences.translated(filled(message)) == wanted
            if message.endswith("."):
                both = sentences.translated(f"{filled(message)} {filled(follows)}")
                assert both == f"{wanted} {filled(gettext(follows))}"


@pytest.mark.parametrize("language", LANGUAGES)
def test_pages_are_served_in_each_language(client, rows, language):
    for address in PAGES[:3]:
        assert client.get(f"/{language}{address}".removesuffix("/")).status_code == 200


@pytest.mark.slow
@pytest.mark.parametrize(
    "address",
    [
        "/admin/inbox/",
        "/admin/imports/importbatch/",
        "/admin/imports/importbatch/add/",
        "/admin/reviews/review/",
        "/admin/reviews/technician/add/",
        "/admin/reviews/service/add/",
        "/admin/reviews/business/",
        "/admin/sources/sourceconnection/",
        "/admin/sources/sourceconnection/add/?kind=api&recipe=dataforseo",
        "/admin/auth/user/add/",
        "/admin/notifications/recipient/",
        "/admin/embed/",
    ],
)
def test_administration_has_no_untranslated_sentence(admin_client, rows, marked, address):
    # The tables of the hub and of operators, under "Advanced", are in English.
    page = admin_client.get(address, follow=True).content.decode()
    places = re.sub(r"(?s)<nav class=\"place.*?</nav>", "", page)

    assert Words(places).unmarked() == []
