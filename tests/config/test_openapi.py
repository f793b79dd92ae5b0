"""The OpenAPI description: valid, complete, current, and true of real responses."""

import datetime as dt
import re

import orjson
import pytest
from django.core.management import call_command
from jsonschema import Draft202012Validator
from openapi_spec_validator import OpenAPIV31SpecValidator

from config.documents import FILE
from config.openapi.schema import render
from reviews.models import Review
from reviews.search.parameters import FIELDS
from tests.factories import (
    make_area,
    make_complete_business,
    make_review,
    make_service,
    make_technician,
)


@pytest.fixture(scope="module")
def description():
    """Return the description as an installation publishes it."""
    return orjson.loads(render().replace(b"{base_url}", b"https://reviews.example"))


def operations(description):
    return {
        (path, method): operation
        for path, methods in description["paths"].items()
        for method, operation in methods.items()
    }


def validator(description, name):
    """Return a validator of a component, which also checks formats."""
    schema = {"$ref": f"#/components/schemas/{name}", "components": description["components"]}
    return Draft202012Validator(schema, format_checker=Draft202012Validator.FORMAT_CHECKER)


def test_description_is_valid_openapi_3_1_0(description):
    assert description["openapi"] == "3.1.0"
    assert description["info"]["version"] == "1.0.0"
    assert list(OpenAPIV31SpecValidator(description).iter_errors()) == []


def test_description_is_written_without_warnings(tmp_path):
    file = str(tmp_path / "openapi.yaml")
    call_command("spectacular", fail_on_warn=True, validate=True, file=file)


def test_search_parameters_are_all_described(description):
    parameters = description["paths"]["/api/reviews/search"]["get"]["parameters"]
    described = {each["name"]: each["schema"] for each in parameters if each["in"] == "query"}
    assert list(described) == list(FIELDS)
    assert described["limit"] == {"type": "integer", "minimum": 1, "maximum": 100, "default": 20}
    assert described["min_rating"] == {"type": "number", "minimum": 1, "maximum": 5}


def test_examples_match_their_schemas(description):
    shown = 0
    for operation in operations(description).values():
        media = [
            response["content"]["application/json"]
            for response in operation["responses"].values()
            if "content" in response
        ]
        if "requestBody" in operation:
            media.append(operation["requestBody"]["content"]["application/json"])
        for each in media:
            name = each["schema"]["$ref"].rpartition("/")[2]
            for example in each.get("examples", {}).values():
                validator(description, name).validate(example["value"])
                shown += 1
    assert shown == 16


def test_description_file_is_current():
    call_command("openapi", check=True)


# The tests above have no database, so the description reads no rows.


@pytest.fixture
def business_with_reviews(transactional_db):
    make_complete_business(logo_url="https://tern.example/logo.svg")
    make_technician()
    make_service()
    make_area()
    make_review(
        technicians=["maren-holt"],
        services=["leak-detection"],
        areas=["north-quay"],
        author_avatar_url="https://img.example/1.png",
        source_url="https://source.example/1",
        reply_text="Thank you.",
        verified=True,
    )
    edited = make_review(rating=2, date=dt.date(2026, 1, 2), text="Came late.")
    edited.text = "Came late, twice."
    edited.save()
    make_review(rating=4, date=dt.date(2025, 11, 30), text="")


ANSWERS = [
    ("/reviews.json", "ReviewsDataset"),
    ("/insights.json", "InsightsDataset"),
    ("/api/feed.json", "JsonFeed"),
    ("/api/reviews/search", "SearchResult"),
    ("/api/reviews/search?rating=2&limit=1&query=LATE", "SearchResult"),
    ("/api/reviews/search?mentions_technician=Maren+Holt&limit=1", "SearchResult"),
    ("/api/reviews/search?limit=1", "SearchResult"),
    ("/api/reviews/since/2026-01-01", "SinceResult"),
    ("/api/reviews/since/2999-01-01", "SinceResult"),
]


@pytest.mark.usefixtures("business_with_reviews")
def test_responses_match_described_schemas_and_headers(client, description, settings):
    settings.RATE_LIMITS = {"search": (600, 60)}
    for address, shape in ANSWERS:
        response = client.get(address)
        assert (address, response.status_code) == (address, 200)
        validator(description, shape).validate(response.json())
        path = re.sub(r"since/.*", "since/{date}", address.partition("?")[0])
        described = description["paths"][path]["get"]["responses"]["200"]["headers"]
        assert set(described) <= set(response.headers)


REFUSED = [
    ("/api/reviews/search?limit=0&rating=6&since=x&query=%00&cursor=x&until=1&until=2", 400, 6),
    ("/api/reviews/search?query=" + "x" * 201, 400, 1),
    ("/api/reviews/since/2026-02-30", 400, 1),
    ("/api/nothing", 404, 0),
]


@pytest.mark.django_db(transaction=True)
def test_errors_match_described_schema(client, description):
    for address, status, issues in REFUSED:
        response = client.get(address)
        assert (address, response.status_code) == (address, status)
        shape = "ValidationProblem" if issues else "Problem"
        validator(description, shape).validate(response.json())
        assert len(response.json().get("issues", [])) == issues


@pytest.fixture
def demo(transactional_db):
    call_command("make_demo", verbosity=0)


@pytest.mark.usefixtures("demo")
def test_example_ids_exist_in_demo(description):
    ids = set(re.findall(r"[0-7][0-9A-HJKMNP-TV-Z]{25}", orjson.dumps(description).decode()))

    assert ids
    assert set(Review.objects.filter(ulid__in=ids).values_list("ulid", flat=True)) == ids


@pytest.mark.usefixtures("demo")
def test_search_examples_find_reviews(client, description):
    parameters = description["paths"]["/api/reviews/search"]["get"]["parameters"]
    examples = {
        each["name"]: each["examples"]["Demo"]["value"]
        for each in parameters
        if each["in"] == "query"
    }
    assert set(examples) == set(FIELDS)
    sent = {
        name: str(example).lower() if isinstance(example, bool) else example
        for name, example in examples.items()
    }
    for parameters in (sent, *({name: example} for name, example in sent.items())):
        response = client.get("/api/reviews/search", parameters)
        assert (parameters, response.status_code) == (parameters, 200)
        assert response.json()["returned"] > 0, parameters


@pytest.mark.usefixtures("business_with_reviews")
def test_published_description_is_file_with_base_url(client):
    response = client.get("/.well-known/openapi.json")
    assert response.status_code == 200
    expected = FILE.read_bytes().replace(b"{base_url}", b"https://reviews.example")
    assert response.json() == orjson.loads(expected)
    assert response.json()["servers"] == [{"url": "https://reviews.example"}]
    etag = response["ETag"]
    make_review()
    assert client.get("/.well-known/openapi.json")["ETag"] == etag
