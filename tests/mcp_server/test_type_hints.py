"""Tools described by type hints: arguments, results and unsupported types."""

import datetime as dt
import enum
from collections.abc import Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Annotated, Any, Literal, NotRequired, TypedDict
from uuid import UUID

import pytest
from django.core.exceptions import ImproperlyConfigured
from jsonschema import Draft202012Validator

from mcp_server import READ_ONLY, JsonText, completion, encoding, example, prompt, resource, tool
from mcp_server.testing import Client
from reviews.models import Technician
from tests.factories import make_technician

pytestmark = pytest.mark.usefixtures("empty_registry")


def call(name, **arguments):
    return Client().call_tool(name, arguments)


def refusal(result):
    assert result.is_error
    assert result.structured is None
    return result.text


# --- Arguments ------------------------------------------------------------------------------------


class Genre(enum.Enum):
    NOVEL = "novel"
    POEM = "poem"


@dataclass(frozen=True)
class Years:
    since: int
    until: int | None = None

    def __post_init__(self) -> None:
        if self.until is not None and self.until < self.since:
            raise ValueError("until is before since.")


class Author(TypedDict):
    name: Annotated[str, "The surname."]
    born: NotRequired[dt.date | None]


@dataclass(frozen=True)
class Filters:
    years: Years
    authors: list[Author] = field(default_factory=list)


OR_NULL = {"type": "null"}
YEARS = {
    "type": "object",
    "properties": {
        "since": {"type": "integer"},
        "until": {"anyOf": [{"type": "integer"}, OR_NULL]},
    },
    "required": ["since"],
}
AUTHOR = {
    "type": "object",
    "properties": {
        "name": {"type": "string", "description": "The surname."},
        "born": {"anyOf": [{"type": "string", "format": "date"}, OR_NULL]},
    },
    "required": ["name"],
}
TYPES: list[tuple[Any, dict[str, Any], list[tuple[Any, Any]], list[tuple[Any, str]]]] = [
    # A type, its schema, values with their conversions, and refused values with messages.
    (
        str,
        {"type": "string"},
        [(" a", " a"), ("[1]", "[1]")],
        [(5, "x must be a text in UTF-8 without NUL characters."), ("", "x must be given.")],
    ),
    (
        int,
        {"type": "integer"},
        [(5, 5), ("5", 5), (5.0, 5)],
        [(wrong, "x must be a whole number.") for wrong in (True, 1.5, 2**63, "9" * 40)],
    ),
    (
        float,
        {"type": "number"},
        [(2, 2), ("2.5", 2.5)],
        [("much", "x must be a number.")],
    ),
    (bool, {"type": "boolean"}, [("True", True)], [("maybe", "x must be true or false.")]),
    (
        dt.date,
        {"type": "string", "format": "date"},
        [(" 2026-03-14", dt.date(2026, 3, 14))],
        [("2026-02-30", "x must be a calendar day written as YYYY-MM-DD.")],
    ),
    (
        dt.datetime,
        {"type": "string", "format": "date-time"},
        [("2026-03-14T02:00:00+02:00", dt.datetime(2026, 3, 14, tzinfo=dt.UTC))],
        [
            (wrong, "x must be a time written as YYYY-MM-DDThh:mm:ssZ.")
            for wrong in ("2026-03-14", "2026-03-14T02:00:00", "0001-01-01T00:00:00+10:00", 5)
        ],
    ),
    (
        UUID,
        {"type": "string", "format": "uuid"},
        [("00000000-0000-0000-0000-000000000005", UUID(int=5))],
        [("5", "x must be a UUID.")],
    ),
    (
        Decimal,
        {"type": "string", "pattern": r"^-?[0-9]+(\.[0-9]+)?$"},
        [("12.50", Decimal("12.50")), (0.1, Decimal("0.1"))],
        [("NaN", "x must be a decimal number such as 12.50.")],
    ),
    (
        Genre,
        {"type": "string", "enum": ["novel", "poem"]},
        [("poem", Genre.POEM)],
        [("play", "x must be one of novel, poem."), ([], "x must be one of novel, poem.")],
    ),
    (
        Literal[7, 14],
        {"type": "integer", "enum": [7, 14]},
        [("7", 7)],
        [(True, "x must be one of 7, 14.")],
    ),
    (
        list[int],
        {"type": "array", "items": {"type": "integer"}},
        [([1, "2"], [1, 2]), ("[1, 2]", [1, 2])],
        [
            ([1, "b", None], "x[1] must be a whole number.\nx[2] must be a whole number."),
            ("1", "x must be a list."),
            (["x"] * 99, "\n".join(f"x[{n}] must be a whole number." for n in range(20))),
        ],
    ),
    (set[str], {"type": "array", "items": {"type": "string"}}, [(["a", "a"], {"a"})], []),
    (
        dict[str, bool],
        {"type": "object", "additionalProperties": {"type": "boolean"}},
        [({"a": "true"}, {"a": True})],
        [({"a": 5}, "x.a must be true or false."), ([], "x must be an object.")],
    ),
    (
        dict,
        {"type": "object"},
        [({"a": [None, 1.5]}, {"a": [None, 1.5]})],
        [
            ({"a": ["\0"]}, "x.a must be a text in UTF-8 without NUL characters."),
            ({"\ud800": 1}, "x must be a text in UTF-8 without NUL characters."),
        ],
    ),
    (
        int | str,
        {"anyOf": [{"type": "integer"}, {"type": "string"}]},
        [("5", "5"), (5, 5)],
        [([], "x must be a whole number.")],
    ),
    (
        Filters,
        {
            "type": "object",
            "properties": {"years": YEARS, "authors": {"type": "array", "items": AUTHOR}},
            "required": ["years"],
        },
        [
            ({"years": {"since": 1800, "until": None}}, Filters(Years(1800))),
            (
                {"years": '{"since": "1800"}', "authors": [{"name": "Eliot", "born": ""}]},
                Filters(Years(1800), [{"name": "Eliot"}]),
            ),
        ],
        [
            (
                {"years": {"sinc": 1}, "authors": [{"name": 5, "born": "1819"}]},
                """x.years.sinc is not a member; use since, until.
x.years.since must be given.
x.authors[0].name must be a text in UTF-8 without NUL characters.
x.authors[0].born must be a calendar day written as YYYY-MM-DD.""",
            ),
            (
                {"years": {"since": 2, "until": 1}},
                "x.years cannot be used: until is before since.",
            ),
        ],
    ),
]


@pytest.mark.parametrize(("hint", "schema", "values", "refused"), TYPES)
def test_argument_is_described_converted_and_checked_by_type(hint, schema, values, refused):
    received = []

    @tool
    def find_books(x: hint) -> str:  # type: ignore[valid-type]
        received.append(x)
        return ""

    described = Client().list_tools()["find_books"]["inputSchema"]
    Draft202012Validator.check_schema(described)
    assert described == {"type": "object", "properties": {"x": schema}, "required": ["x"]}
    for value, converted in values:
        call("find_books", x=value)
        assert (received[-1], type(received[-1])) == (converted, type(converted))
    for value, message in refused:
        assert refusal(call("find_books", x=value)) == message


def test_tool_is_described_by_function():
    received = []

    @tool(annotations=READ_ONLY)
    def find_books(
        words: Annotated[str, "Part of a title."],
        limit=10,
        genre: Genre = Genre.POEM,
        since: dt.date | None = None,
        *,
        lent: bool = False,
    ) -> str:
        """Books with these words in their titles.

        Use it to find a book.
        """
        received.append((words, limit, genre, since, lent))
        return "None."

    assert Client().list_tools()["find_books"] == {
        "name": "find_books",
        "title": "Find books",
        "description": "Books with these words in their titles.\n\nUse it to find a book.",
        "inputSchema": {
            "type": "object",
            "properties": {
                "words": {"type": "string", "description": "Part of a title."},
                "limit": {"type": "integer", "default": 10},
                "genre": {"type": "string", "enum": ["novel", "poem"], "default": "poem"},
                "since": {"type": "string", "format": "date"},
                "lent": {"type": "boolean", "default": False},
            },
            "required": ["words"],
        },
        "annotations": READ_ONLY,
    }
    result = call("find_books", words="a", limit=None, since="", lent="true")
    assert (result.text, result.structured) == ("None.", None)
    assert received == [("a", 10, Genre.POEM, None, True)]
    assert refusal(call("find_books", limt=1, lent=[])) == (
        "limt is not an argument; use words, limit, genre, since, lent.\n"
        "lent must be true or false.\n"
        "words must be given."
    )


# --- Results --------------------------------------------------------------------------------------


@dataclass
class Book:
    title: str
    price: Decimal
    genre: Genre = Genre.NOVEL
    printed: dt.date | None = None


EMMA = Book("Emma", Decimal("12.50"), printed=dt.date(1815, 12, 23))
EMMA_JSON = {"title": "Emma", "price": "12.50", "genre": "novel", "printed": "1815-12-23"}


@pytest.fixture(params=["orjson", "json"])
def _encoder(request, monkeypatch):
    if request.param == "json":
        monkeypatch.setattr(encoding, "orjson", None)


@pytest.mark.parametrize(
    ("hint", "value", "structured"),
    [
        (Book, EMMA, EMMA_JSON),
        (list[Book], [EMMA], {"result": [EMMA_JSON]}),
        (Sequence[Book], (EMMA,), {"result": [EMMA_JSON]}),
        (Book | None, EMMA, {"result": EMMA_JSON}),
        (Book | None, None, {"result": None}),
        (int, 5, {"result": 5}),
        (str | None, "Emma", {"result": "Emma"}),
        (
            dt.datetime,
            dt.datetime(2026, 1, 1, tzinfo=dt.UTC),
            {"result": "2026-01-01T00:00:00+00:00"},
        ),
        (UUID, UUID(int=5), {"result": "00000000-0000-0000-0000-000000000005"}),
        (None, None, {"result": None}),
        (dict[str, Any], {"stars": {5: 2}, "words": {"a"}}, {"stars": {"5": 2}, "words": ["a"]}),
    ],
)
@pytest.mark.usefixtures("_encoder")
def test_result_is_structured_content(hint, value, structured):
    @tool
    def get_book() -> hint:  # type: ignore[valid-type]
        return value

    schema = Client().list_tools()["get_book"]["outputSchema"]
    result = call("get_book")

    assert result.structured == structured
    assert Draft202012Validator(schema).is_valid(structured)
    assert not Draft202012Validator(schema).is_valid([])
    assert JsonText(result.text).text == encoding.dumps(structured).decode()


@pytest.mark.parametrize("hint", [dict[str, Any], object])
@pytest.mark.django_db
@pytest.mark.usefixtures("_encoder")
def test_rows_are_a_result_and_other_objects_an_explained_error(hint, caplog):
    make_technician("Maren Holt")
    found: dict[str, Any] = {"people": Technician.objects.values("name")}

    @tool
    def get_people() -> hint:  # type: ignore[valid-type]
        return found

    assert call("get_people").structured == {"people": [{"name": "Maren Holt"}]}
    for value, words in (
        (Technician.objects.all(), "a value of type Technician"),
        (b"Maren", "a value of type bytes"),
        (Decimal("NaN"), "the decimal number NaN"),
    ):
        found["people"] = value
        message = f"The result of get_people has no form in JSON: {words}."
        assert refusal(call("get_people")) == message
    assert "The result of the MCP tool get_people has no form in JSON" in caplog.text


# --- Declarations that cannot be used -------------------------------------------------------------


class Node:
    pass


@dataclass
class Tree:
    branches: "list[Tree]"


@pytest.mark.parametrize(
    ("hint", "problem"),
    [
        (Node, "a type without a form in JSON: Node"),
        (dict[int, str], "a type without a form in JSON: dict[int, str]"),
        (tuple[int, str], "a type without a form in JSON: tuple[int, str]"),
        (list[Node], "a type without a form in JSON: Node"),
        (Tree, "branches has a type that contains itself: Tree"),
        (Literal[b"a"], "choices without a form in JSON: [b'a']"),
        ("Elsewhere", "has a type hint that cannot be read when it runs"),
    ],
)
def test_type_without_json_schema_is_an_error_at_declaration(hint, problem):
    def find_books(words: hint) -> str:  # type: ignore[valid-type]
        return ""

    def get_book() -> hint:  # type: ignore[valid-type]
        return None

    for function in (find_books, get_book):
        with pytest.raises(ImproperlyConfigured) as refused:
            tool(function)
        assert problem in str(refused.value)
        assert f"{__name__}.test_type_without" in str(refused.value)


@pytest.mark.parametrize(
    ("kind", "name", "decorator"),
    [
        ("tool", "get_book", lambda: tool),
        ("tool", "get_book", lambda: tool(name="get_book")),
        ("prompt", "get_book", lambda: prompt),
        ("resource", "/book", lambda: resource("/book")),
        ("completion", "title", lambda: completion("title")),
        ("example", "title", lambda: example("title")),
    ],
)
def test_duplicate_name_is_an_error_at_declaration(kind, name, decorator):
    def get_book() -> str:
        return ""

    decorator()(get_book)
    with pytest.raises(ImproperlyConfigured) as refused:
        decorator()(get_book)
    assert str(refused.value).startswith(f"There are two declarations of the {kind} {name}: ")
    assert (
        str(refused.value).count(f"{__name__}.test_duplicate_name_is_an_error_at_declaration") == 2
    )


def test_reimported_module_declares_its_tools_again():
    source = "from mcp_server import tool\n@tool\ndef get_book() -> str:\n    return str(version)"
    for version in (1, 2):  # The first import may have failed below the tool.
        exec(source, {"__name__": "library.mcp", "version": version})

    assert call("get_book").text == "2"
