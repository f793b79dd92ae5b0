"""Custom recipes: their use, their validation, and the hosts that get their secrets."""

import json
import tomllib
from pathlib import Path

import pytest
from django.urls import reverse

from reviews.models import Review
from sources import polling
from sources.connectors.recipe import RecipeInvalid, parse
from sources.connectors.recipe_form import EXAMPLE
from sources.models import SourceConnection, SourceRun
from sources.selectors import alarms
from tests.sources.rows import entry, make_connection
from tests.sources.servers import Reply, maker_server

ADD = f"{reverse('admin:sources_sourceconnection_add')}?kind=api"
HOST = "https://api.example.com"
FAULTS = tomllib.loads(Path(__file__).with_name("recipe_faults.toml").read_text(encoding="utf-8"))[
    "faults"
]


def own(maker, text=EXAMPLE):
    """Return a recipe that requests the maker's server."""
    return text.replace(HOST, maker.url(""))


def body(*numbers, **around):
    return json.dumps({"data": {"reviews": [entry(n) for n in numbers]}, **around}).encode()


def faults(text):
    with pytest.raises(RecipeInvalid) as invalid:
        parse(text)
    return str(invalid.value)


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        *FAULTS,
        ('"Example"', "[" * 5_000, "The recipe is nested too deeply."),
        ('"Example"', f'"{"x" * 30_000}"', "longer than 20,000 letters"),
    ],
)
def test_error_is_named_with_its_entry(old, new, words):
    assert words in faults(EXAMPLE.replace(old, new))


def posted(maker, **values):
    return {
        "name": "Example",
        "recipe_text": own(maker),
        "key": "s3cret",
        "source": "google",
        "interval_seconds": 3600,
    } | values


def test_custom_recipe_imports_reviews(admin_client, maker, transactional_db):
    maker.reply = Reply(body(1, 2))

    page = admin_client.get(ADD).content.decode()
    assert "API key" in page
    assert "api.example.com" in page
    admin_client.post(ADD, posted(maker))
    connection = SourceConnection.objects.get()
    connection.import_options |= {"accept": True}  # The layout is confirmed.
    connection.save()
    polling.poll_due()

    first = maker.requests[0]
    assert first.target == "/v1/places/42/reviews?per_page=100"
    assert first.headers["Authorization"] == "Bearer s3cret"
    assert Review.objects.count() == 2
    connection = SourceConnection.objects.get()
    assert "s3cret" not in json.dumps([connection.settings, connection.fetch_state])


def test_custom_recipe_asks_for_its_inputs(admin_client, maker, transactional_db):
    text = own(maker).replace("[inputs.key]", '[inputs.town]\ntitle = "Your town"\n[inputs.key]')
    text = text.replace("per_page", 'town = "{town}", per_page')

    page = admin_client.post(ADD, posted(maker, recipe_text=text)).content.decode()
    assert "Your town" in page
    assert not SourceConnection.objects.exists()
    admin_client.post(ADD, posted(maker, recipe_text=text, town="Bad & Ems"))
    polling.poll_due()

    assert "town=Bad+%26+Ems" in maker.requests[0].target


@pytest.mark.parametrize("place", ['header = "Authorization"', 'query = "api_key"'])
@pytest.mark.parametrize("is_redirected", [True, False])
def test_secret_is_not_sent_to_other_hosts(maker, fetch_due, place, is_redirected):
    text = own(maker).replace('header = "Authorization"', place)
    with maker_server() as other:
        other.reply = Reply(body(3, next="/more"))
        leads = {"Location": other.url("/r")} if is_redirected else {}
        page = body(1, next=other.url("/r"))
        maker.reply = Reply(page, status=302 if is_redirected else 200, headers=leads)
        make_connection("api", recipe_text=text, key="s3cret")
        fetch_due()

    assert "s3cret" in maker.requests[0].target + str(maker.requests[0].headers)
    assert bool(other.requests) == is_redirected
    assert not any("s3cret" in each.target + str(each.headers) for each in other.requests)


def test_key_in_query_is_sent_to_further_pages(maker, fetch_due):
    text = own(maker).replace('header = "Authorization"', 'query = "api_key"')
    make_connection("api", recipe_text=text, key="s3cret")
    more = {"next": "/v1/places/42/reviews?page=2"}
    maker.reply = lambda requested: Reply(
        body(2) if "page=2" in requested.target else body(1, **more)
    )

    fetch_due()

    assert Review.objects.count() == 2
    assert all("api_key=Bearer+s3cret" in each.target for each in maker.requests)


def test_recipe_with_new_host_asks_for_secret_again(admin_client, maker, transactional_db):
    admin_client.post(ADD, posted(maker))
    connection = SourceConnection.objects.get()
    change = reverse("admin:sources_sourceconnection_change", args=[connection.pk])
    moved = EXAMPLE.replace(HOST, "https://evil.example")

    page = admin_client.post(change, posted(maker, key="", recipe_text=moved)).content.decode()
    assert "The address is on another host. Enter this again." in page
    admin_client.post(change, posted(maker, key=""))

    connection.refresh_from_db()
    assert connection.settings["recipe_text"] == own(maker).strip()
    assert connection.secrets["key"] == "s3cret"


def test_new_host_clears_header_value(admin_client, maker, transactional_db):
    add = reverse("admin:sources_sourceconnection_add") + "?kind=url"
    given = {"name": "Sheet", "interval_seconds": 3600, "address": maker.url("/r.json")}
    header = {"header_name": "X-Key", "header_value": "s3cret"}
    admin_client.post(add, given | header)
    connection = SourceConnection.objects.get()
    change = reverse("admin:sources_sourceconnection_change", args=[connection.pk])
    given["address"] = "https://evil.example/r.json"

    page = admin_client.post(change, given | {"header_name": "X-Key"}).content.decode()
    assert "Enter the value of the header for this address." in page
    admin_client.post(change, given)

    connection.refresh_from_db()
    assert "header_value" not in connection.secrets


def test_pages_of_recipe_are_complete_by_declaration(maker, fetch_due):
    text = own(maker).replace("[answer]", "[answer]\nlists_all = true")
    text += '[pages]\nparameter = "start"\nnext = "more"\n'
    make_connection("api", recipe_text=text, key="s3cret")
    maker.reply = lambda requested: Reply(
        body(2) if "start=x" in requested.target else body(1, more="x")
    )

    fetch_due()

    run = SourceRun.objects.get()
    assert (run.new, run.is_whole) == (2, True)
    assert alarms() == []


def test_response_without_list_is_a_failure_and_empty_list_is_not(maker, fetch_due):
    connection = make_connection("api", recipe_text=own(maker), key="s3cret")
    maker.reply = Reply(b'{"data": {}}')
    fetch_due()
    connection.refresh_from_db()
    assert connection.last_error == (
        "Example answered without a list of reviews. Check the settings."
    )

    maker.reply = Reply(body())
    fetch_due()

    connection.refresh_from_db()
    assert connection.last_error == ""
