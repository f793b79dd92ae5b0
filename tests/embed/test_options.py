"""Options of widgets and their canonical form."""

import pytest
from django.http import QueryDict
from hypothesis import given
from hypothesis import strategies as st

from embed.options import CHOICES, FIELDS, Options, UnusableOptions


def parse(query):
    return Options.parse(QueryDict(query))


def test_options_without_query_are_defaults():
    assert parse("") == Options()
    assert parse("layout=&max=&min-rating=&source=&lang=&accent=&utm_source=mail") == Options()


def test_former_name_of_wall_is_accepted():
    assert parse("layout=grid") == Options(layout="wall")


def test_spellings_of_equal_options_are_equal():
    assert parse("min-rating=4") == parse("min_rating=4") == Options(min_rating=4)
    assert parse("accent=%230B6&lang=DE_at") == parse("lang=de-CH&accent=00bb66")


@pytest.mark.parametrize(
    ("query", "problem"),
    [
        (
            "layout=table",
            "layout must be one of: list, wall, carousel, quote, badge, bar, floating.",
        ),
        ("min-rating=6", "min-rating must be a whole number from 1 to 5."),
        ("min-rating=4.5", "min-rating must be a whole number from 1 to 5."),
        ("max=13", "max must be a whole number from 1 to 12."),
        ("max=%D9%A3", "max must be a whole number from 1 to 12."),
        ("source=Google+Maps", "source must be the id of a source, like google."),
        ("sort=best", "sort must be one of: newest, oldest, highest, lowest."),
        ("theme=pink", "theme must be one of: auto, light, dark."),
        ("accent=red;}body{", "accent must be a colour like #0b6b57."),
        ("star-color=gold", "star-color must be a colour like #c77d06."),
        ("radius=99", "radius must be a whole number from 0 to 32."),
        ("background=red", "background must be one of: transparent, card, none."),
        ("density=1", "density must be one of: comfortable, compact."),
        ("size=huge", "size must be one of: small, medium, large."),
        ("autoplay=yes", "autoplay must be one of: off, on."),
        ("lang=..%2F", "lang must be a language tag, like en or de-AT."),
        ("max=3&max=4", "max is given 2 times; give it once."),
        ("min-rating=4&min_rating=4", "min-rating is given 2 times; give it once."),
    ],
)
def test_unusable_option_is_named_with_remedy(query, problem):
    with pytest.raises(UnusableOptions) as refused:
        parse(query)
    assert refused.value.problems == [problem]


@given(
    st.dictionaries(
        st.sampled_from([name.replace("_", "-") for name in FIELDS]),
        st.text(max_size=60),
    )
)
def test_any_query_gives_options_or_error(query):
    given_query = QueryDict(mutable=True)
    given_query.update(query)
    try:
        options = Options.parse(given_query)
    except UnusableOptions:
        return
    assert all(getattr(options, name) in values for name, values in CHOICES.items())
    assert Options.parse(QueryDict(options.query())) == options
