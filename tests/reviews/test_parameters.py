"""Parameters of a search in a query string: values, errors, and any bytes."""

import datetime as dt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reviews.search.fields import SORTS, Position, cursor_text
from reviews.search.parameters import FIELDS, query_string, read_query_string
from tests.reviews.searches import issues_of, issues_of_arguments, search_of

POSITION = Position(dt.date(2026, 3, 14), "01KDVG5B00QS8R2V6M3W0XPE4T")
CURSOR = cursor_text(POSITION)
ALL = {"sort": "newest", "limit": 20}
MOMENT = dt.datetime(2026, 3, 1, 10, tzinfo=dt.UTC)


def test_every_parameter_is_read():
    raw = (
        b"rating=5&min_rating=4.5&since=2026-01-01&until=2026-02-28&query=caf%C3%A9+au%20lait"
        b"&mentions_technician=+Dana%20Reed+&mentions_service=leak&limit=7&cursor="
    ) + CURSOR.encode()

    assert search_of(raw) == ALL | {
        "rating": 5,
        "min_rating": 5,
        "since": dt.date(2026, 1, 1),
        "until": dt.date(2026, 2, 28),
        "query": "café au lait",
        "mentions_technician": "Dana Reed",
        "mentions_service": "leak",
        "limit": 7,
        "cursor": POSITION,
    }


def test_empty_query_searches_all():
    assert search_of(b"&&") == ALL
    assert search_of(b"query=&mentions_service=+") == ALL | {"query": "", "mentions_service": ""}


def test_unknown_parameters_are_ignored_and_named():
    raw = b"format=xml&%ff=%ff&a=%00&a=b&=5&Rating=9&ratin%67=4"

    assert read_query_string(raw) == (ALL | {"rating": 4}, ("format", "\ufffd", "a", "Rating"))


def test_names_of_unknown_parameters_are_limited():
    raw = b"&".join(b"x" * 1_000 + b"%d=" % number for number in range(100))
    _, ignored = read_query_string(raw.replace(b"x" * 1_000, b"y") + b"&" + raw)

    assert len(ignored) == 20
    assert read_query_string(raw)[1] == ("x" * 100 + "…",)


@pytest.mark.parametrize(
    ("raw", "query"),
    [
        (b"query=a+b", "a b"),
        (b"query=a%2Bb", "a+b"),
        (b"query=%25_%5C", "%_\\"),
        (b"query=a=b", "a=b"),
        (b"query=100%", "100%"),
        (b"query=%zz%4", "%zz%4"),
        (b"query=+", " "),
        (b"query=a;limit=5", "a;limit=5"),
        ("query=grün".encode(), "grün"),
    ],
)
def test_query_is_decoded_like_forms_and_not_trimmed(raw, query):
    assert search_of(raw)["query"] == query


@pytest.mark.parametrize(
    ("text", "least", "most"),
    [
        ("1", 1, 1), ("4", 4, 4), ("4.0", 4, 4), ("4.5", 5, 4), ("4.0000000000000000001", 5, 4),
        ("1.01", 2, 1), ("04", 4, 4), ("5.000", 5, 5), ("4.99999999999999999999", 5, 4),
    ],
)  # fmt: skip
def test_bounds_of_ratings_are_decimal_numbers_of_stars(text, least, most):
    search = search_of(f"min_rating={text}&max_rating={text}".encode())

    assert (search["min_rating"], search["max_rating"]) == (least, most)


@pytest.mark.parametrize(
    ("raw", "name", "value"),
    [
        (b"source=google", "source", ("google",)),
        (b"source=Yelp,google,yelp", "source", ("google", "yelp")),
        (b"source=judge-me%2Ctrustpilot", "source", ("judge-me", "trustpilot")),
        (b"language=EN", "language", "en"),
        (b"language=und", "language", "und"),
        (b"has_text=true", "has_text", True),
        (b"has_reply=false", "has_reply", False),
        (b"sort=oldest", "sort", "oldest"),
        (b"sort=newest", "sort", "newest"),
        (b"changed_since=2026-03-01T10:00:00Z", "changed_since", MOMENT),
        (b"changed_since=2026-03-01t10:00:00z", "changed_since", MOMENT),
        (b"changed_since=2026-03-01%2010:00:00.000Z", "changed_since", MOMENT),
        (b"changed_since=2026-03-01T11:00:00%2B01:00", "changed_since", MOMENT),
        (b"changed_since=2026-03-01T11:00:00+01:00", "changed_since", MOMENT),
        (b"changed_since=2026-03-01T05:00:00-05:00", "changed_since", MOMENT),
        (b"changed_since=2026-03-01T10:00Z", "changed_since", MOMENT),
        (b"changed_since=2026-03-01T10:00:00.000000%2B0000", "changed_since", MOMENT),
        (
            b"changed_since=2026-03-01T10:00:00.1234567891Z",
            "changed_since",
            MOMENT.replace(microsecond=123456),
        ),
    ],
)
def test_new_filters_and_orders_are_read(raw, name, value):
    assert search_of(raw) == ALL | {name: value}


@pytest.mark.parametrize(
    ("raw", "code", "bound"),
    [
        (b"rating=0", "too_small", {"minimum": 1}),
        (b"rating=6", "too_big", {"maximum": 5}),
        (b"limit=0", "too_small", {"minimum": 1}),
        (b"limit=000", "too_small", {"minimum": 1}),
        (b"limit=101", "too_big", {"maximum": 100}),
        (b"limit=" + b"9" * 10_000, "too_big", {"maximum": 100}),
        (b"min_rating=0.99", "too_small", {"minimum": 1}),
        (b"min_rating=-1", "too_small", {"minimum": 1}),
        (b"min_rating=-0.5", "too_small", {"minimum": 1}),
        (b"min_rating=5.0000000000000000000001", "too_big", {"maximum": 5}),
        (b"min_rating=6", "too_big", {"maximum": 5}),
    ],
)
def test_numbers_out_of_range_name_limit(raw, code, bound):
    (issue,) = issues_of(raw)

    assert issue["code"] == code
    assert {key: issue[key] for key in ("minimum", "maximum") if key in issue} == bound
    assert issue["inclusive"] is True


WHOLE = (
    *(
        "",
        "+5",
        "%2B5",
        "-1",
        "%205",
        "5%20",
        "5.0",
        "1e0",
        "nan",
        "1_0",
        "0x1",
        "\u0665",
        "\uff15",
    ),
    *("²", "five"),
)
DAYS = (
    *("", "2026-02-30", "2025-02-29", "0000-01-01", "2026-13-01", "2026-1-1", "20260101"),
    *("2026-W01-1", "2026-01-01T00:00:00", "+2026-01-01", "\uff12026-01-01", "2026-01-01%0A"),
)
CURSORS = (
    *("", "x", CURSOR[:-1], CURSOR + "=", CURSOR + "AAAA", CURSOR.lower(), "A" * 48, "!" * 48),
    cursor_text(POSITION._replace(ulid="81KDVG5B00QS8R2V6M3W0XPE4T")),
    "MjAyNi0wMi0zMDAxS0RWRzVCMDBRUzhSMlY2TTNXMFhQRTRU",  # 30 February.
)


@pytest.mark.parametrize(
    ("name", "code", "texts"),
    [
        ("rating", "invalid_type", WHOLE),
        ("limit", "invalid_type", WHOLE),
        ("min_rating", "invalid_type", ("", "4.", ".5", "4,5", "--1", "+4", "4e0", "inf", "4 ")),
        ("since", "invalid_date", DAYS),
        ("until", "invalid_date", DAYS),
        ("cursor", "invalid_cursor", CURSORS),
        ("source", "invalid_type", ("", ",", "google,", "a,,b", "judge me", "-a", "a_b", "é")),
        ("language", "invalid_type", ("", "en-GB", "e", "english", "12", "en,de", "é")),
        ("has_text", "invalid_type", ("", "1", "True", "yes", "null", "true ")),
        ("has_reply", "invalid_type", ("", "0", "FALSE", "no")),
        ("sort", "invalid_type", ("", "Newest", "rating", "-date", "newest ")),
        (
            "changed_since",
            "invalid_date",
            (
                "", "2026-03-01", "2026-03-01T10:00:00", "2026-02-30T10:00:00Z", "1772359200",
                "2026-03-01T24:00:00Z", "2026-03-01T10Z", "2026-03-01T10:00:00%2B01",
                "2026-03-01T10:00:00%2B25:00", "0001-01-01T00:00:00%2B14:00", "now",
                "9999-12-31T23:59:59-14:00", "2026-03-01T10:00:00,5Z", "\uff12026-03-01T10:00:00Z",
            ),
        ),
    ],
)  # fmt: skip
def test_value_in_other_notation_is_refused_with_remedy(name, code, texts):
    for text in texts:
        (issue,) = issues_of(f"{name}={text}".encode())

        assert (issue["code"], issue["path"]) == (code, [name]), text
        assert issue["message"].startswith(f"{name} must be ")


def test_sources_are_limited_to_twenty():
    slugs = [f"s{number}" for number in range(21)]
    assert len(search_of(f"source={','.join(slugs[:20])}".encode())["source"]) == 20

    (issue,) = issues_of(f"source={','.join(slugs)}".encode())

    assert (issue["code"], issue["maximum"]) == ("too_long", 20)


@pytest.mark.parametrize("sort", SORTS)
def test_cursor_of_other_order_is_refused(sort):
    stars = 4 if sort in {"highest", "lowest"} else 0
    cursor = cursor_text(POSITION._replace(sort=sort, stars=stars))
    for other in SORTS:
        raw = f"cursor={cursor}&sort={other}".encode()
        if other == sort:
            assert search_of(raw)["cursor"].sort == sort
            continue
        (issue,) = issues_of(raw)
        assert (issue["code"], issue["path"]) == ("invalid_cursor", ["cursor"])
        assert issue["message"] == (
            f"cursor belongs to the order {sort}; send it with sort={sort}."
        )
        assert issues_of_arguments({"cursor": cursor, "sort": other}) == [issue]


def test_query_is_limited_to_200_characters():
    assert len(search_of(b"query=" + b"%F0%9F%91%8D" * 200)["query"]) == 200

    (issue,) = issues_of(b"query=" + b"x" * 201)

    assert (issue["code"], issue["maximum"]) == ("too_long", 200)
    assert issue["received"] == "x" * 100 + "…"


@pytest.mark.parametrize("name", FIELDS)
@pytest.mark.parametrize("value", [b"%00", b"a%00b", b"%FF", b"\xff", b"%ED%A0%80", b"%C0%80"])
def test_undecodable_text_is_refused_in_every_known_parameter(name, value):
    (issue,) = issues_of(name.encode() + b"=" + value)

    assert issue["code"] == "invalid_text"
    assert issue["path"] == [name]


@pytest.mark.parametrize("name", FIELDS)
def test_repeated_parameter_is_refused_even_with_equal_values(name):
    pair = f"{name}={FIELDS[name].example}"

    (issue,) = issues_of(f"{pair}&{pair}".encode())

    assert issue["code"] == "repeated"
    assert issue["message"] == f"{name} must be given once."


def test_all_issues_are_listed_in_order_of_parameters():
    issues = issues_of(b"limit=0&query=%ff&since=2026-02-30&rating=five&min_rating=9")

    assert [(issue["code"], issue["received"], issue["message"]) for issue in issues] == [
        ("invalid_type", "five", "rating must be a whole number from 1 to 5."),
        ("too_big", "9", "min_rating must be a number from 1 to 5."),
        ("invalid_date", "2026-02-30", "since must be a calendar day written as YYYY-MM-DD."),
        ("invalid_text", "\ufffd", "query must be text in UTF-8 without NUL characters."),
        ("too_small", "0", "limit must be a whole number from 1 to 100."),
    ]


TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1)
SEARCHES = st.fixed_dictionaries(
    {"sort": st.sampled_from(SORTS), "limit": st.integers(1, 100)},
    optional={
        "rating": st.integers(1, 5),
        "min_rating": st.integers(1, 5),
        "since": st.dates(),
        "query": TEXTS.filter(lambda text: len(text) <= 200),
        "mentions_technician": st.sampled_from(["Dana", "dana & reed=?"]),
        "source": st.sampled_from([("google",), ("google", "judge-me")]),
        "language": st.sampled_from(["en", "und"]),
        "has_text": st.booleans(),
        "changed_since": st.datetimes(timezones=st.just(dt.UTC)),
    },
)


@given(SEARCHES, st.dates(), st.integers(1, 5))
def test_search_round_trips_as_query_string_with_cursor(search, date, stars):
    by_stars = search["sort"] in {"highest", "lowest"}
    position = Position(date, POSITION.ulid, search["sort"], stars if by_stars else 0)

    raw = query_string(search, cursor_text(position)).encode()

    assert search_of(raw) == search | {"cursor": position}
