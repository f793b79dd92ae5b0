"""The search compared with brute force, a plain filter over all rows."""
# ruff: noqa: RUF001  (These tests are about confusable letters.)

import datetime as dt
import random

import pytest

from review_analysis.text import fold, fold_for_search
from reviews.current import clear_caches
from reviews.models import Mention, Review
from tests.factories import build_review, make_review, make_service, make_technician
from tests.reviews.searches import START, all_pages, answer_to, ask

pytestmark = pytest.mark.django_db

DAYS = 400
BLOCK = 500
# Texts that case folding, LIKE, FTS5 or a collation might mishandle.
SIGNS = (
    "100% good", "under_score", "back\\slash", "it's \"quoted\" AND (more) OR -less*", "50 % off",
    "STRASSE", "Straße", "İstanbul", "ISTANBUL", "ıspanak", "ΌΣΟΣ", "όσος", "ΣΑΣ", "ὈΔΥΣΣΕΎΣ",
    "cafe\u0301", "CAFÉ", "café", "A\u030angstrom", "ångström", "ﬁne work", "FINE WORK",
    "很好吃的服务", "非常に良い", "아주 좋아요", "👍🏽 great", "👩\u200d👧 family", "🔥🔥🔥",
    "מצוין מאוד", "ممتاز جدا", "हिन्दी समीक्षा", "NULL", "'; DROP TABLE reviews_review; --",
    "tab\there", "line\nbreak", "a  b", "...", "!?", "%", "_", "\\", '"', "'", "aaaaaaaaaaaa",
    "x" * 300, "ſtrange", "\u212aelvin K", "ŉ", "ǰ", "ΐ", "ﬄ", "ẞ", "ǆ ǅ Ǆ", "𐐀𐐨",
    "\u200bzero\u200b", "e\u0301\u0323", "odd\ufffdsigns", "odd\ufffesigns", "odd\uffffsigns",
    "It’s “fine” – really", "It's \"fine\" - really", "a\u00a0\n\t b",
    "l\u2019\u00e9t\u00e9 \u00ab\u202fbon\u202f\u00bb", "2\u20113 \u2014 days",
)  # fmt: skip
WORDS = (
    "the", "The", "quick", "leak", "Leak", "LEAK", "water", "heater", "on", "time", "Dana", "fixed",
    "kitchen", "price", "fair", "very", "tidy", "late", "call", "again",
)  # fmt: skip
SOURCES = ("google", "google", "google", "yelp", "judge-me")
LANGUAGES = ("en", "und", "de", "zh")
CHANGED = dt.datetime(2025, 6, 1, tzinfo=dt.UTC)
MENTIONS = (
    ("technician", "dana-reed", ("dana-reed", " Dana Reed ", "DANA REED", "Dana", "the boss")),
    ("technician", "bo-lind", ("bo-lind", "bo lind")),
    ("service", "leak-detection", ("leak-detection", "Leak Detection", " LEAK detection")),
    ("service", "drain-cleaning", ("drain-cleaning", "drain cleaning")),
)


def random_text(rng):
    if rng.random() < 0.15:
        return ""
    parts = rng.choices(WORDS, k=rng.randint(1, 12))
    if rng.random() < 0.5:
        parts.insert(rng.randrange(len(parts) + 1), rng.choice(SIGNS))
    return rng.choice((" ", " ", ", ")).join(parts)


def fill(reviews: int, seed: int) -> None:
    rng = random.Random(seed)
    make_technician("Dana Reed", aliases=["the boss"])
    make_technician("Bo Lind")
    make_service("Leak detection")
    make_service("Drain cleaning")
    rows = Review.objects.bulk_create(
        build_review(
            text=random_text(rng),
            rating=rng.choice((5, 5, 5, 5, 4, 4, 3, 2, 1)),
            # One day has many reviews, ordered by their ids.
            date=START + dt.timedelta(days=rng.choice((300, *(rng.randrange(DAYS),) * 9))),
            hidden=rng.random() < 0.1,
            source=rng.choice(SOURCES),
            reply_text=rng.choice(("", "", "Thanks!")),
            modified_at=CHANGED + dt.timedelta(minutes=rng.randrange(1_000)),
        )
        for _ in range(reviews)
    )
    Mention.objects.bulk_create(
        Mention(review=row, kind=kind, subject=slug)
        for row in rows
        for kind, slug, _ in MENTIONS
        if rng.random() < 0.2
    )
    # Rows changed after indexing.
    for row in rng.sample(rows, 40):
        change = rng.choice(("text", "hidden", "delete"))
        if change == "delete":
            row.delete()
        else:
            row.text = random_text(rng) if change == "text" else row.text
            row.hidden = row.hidden != (change == "hidden")
            row.save()
    clear_caches()


class BruteForce:
    """All rows in memory, and the filters as documented."""

    def __init__(self) -> None:
        rows = sorted(Review.objects.all(), key=lambda row: (row.date, row.ulid), reverse=True)
        self.rows = [(row, fold_for_search(row.text)) for row in rows if not row.hidden]
        self.mentions = set(Mention.objects.values_list("kind", "subject", "review_id"))
        self.spellings = {
            (kind, fold(spelling).strip()): slug
            for kind, slug, spellings in MENTIONS
            for spelling in spellings
        }

    def matches(self, filters):
        rows = self.rows
        if "rating" in filters:
            rows = [each for each in rows if each[0].rating == int(filters["rating"])]
        if "min_rating" in filters:
            rows = [each for each in rows if each[0].rating >= float(filters["min_rating"])]
        if "since" in filters:
            rows = [each for each in rows if each[0].date.isoformat() >= filters["since"]]
        if "until" in filters:
            rows = [each for each in rows if each[0].date.isoformat() <= filters["until"]]
        if filters.get("query"):
            needle = fold_for_search(filters["query"])
            rows = [each for each in rows if needle in each[1]]
        for kind in ("technician", "service"):
            name = fold(filters.get(f"mentions_{kind}", "")).strip()
            if name:
                slug = self.spellings.get((kind, name))
                rows = [each for each in rows if (kind, slug, each[0].pk) in self.mentions]
        rows = [row for row, _ in rows if self.has_attributes(row, filters)]
        sort = filters.get("sort", "newest")
        if sort == "oldest":
            rows.reverse()
        elif sort != "newest":
            rows.sort(key=lambda row: row.rating, reverse=sort == "highest")
        return [row.ulid for row in rows]

    def has_attributes(self, row, filters):
        flags = {"true": True, "false": False}
        return all(
            (
                row.rating <= float(filters.get("max_rating", 5)),
                row.source in filters.get("source", row.source).split(","),
                row.language == filters.get("language", row.language),
                flags.get(filters.get("has_text"), bool(row.text)) == bool(row.text),
                flags.get(filters.get("has_reply"), bool(row.reply_text)) == bool(row.reply_text),
                row.modified_at
                >= dt.datetime.fromisoformat(filters.get("changed_since", "2000-01-01T00:00:00Z")),
            )
        )


def random_query(rng, texts):
    kind = rng.random()
    if kind < 0.3:
        query = rng.choice(WORDS)
    elif kind < 0.9:
        source = rng.choice(texts)
        start = rng.randrange(len(source))
        query = source[start : start + rng.choice((1, 1, 2, 2, 3, 3, 4, 6, 9, 30, 200))]
    else:
        query = rng.choice(("zzzqqq", "qz", "ß", "ss", "i̇", "ς", "σ", "%%", "a%", "_%_", "\\\\"))
    return rng.choice((str.upper, str.lower, str, str))(query)[:200]


def random_search(rng, texts):
    filters = {}
    if rng.random() < 0.65:
        filters["query"] = random_query(rng, texts)
    if rng.random() < 0.15:
        filters["rating"] = str(rng.randint(1, 5))
    if rng.random() < 0.25:
        filters["min_rating"] = rng.choice(("1", "2", "3", "4", "5", "4.5", "1.5", "4.0", "2.25"))
    for bound in ("since", "until"):
        if rng.random() < 0.2:
            filters[bound] = (START + dt.timedelta(days=rng.randrange(-5, DAYS + 5))).isoformat()
    for kind in ("technician", "service"):
        if rng.random() < 0.2:
            spellings = [name for k, _, names in MENTIONS if k == kind for name in names]
            filters[f"mentions_{kind}"] = rng.choice([*spellings, "Nobody", "", "  "])
    if rng.random() < 0.5:
        filters |= random_attributes(rng)
    if rng.random() < 0.5:
        filters["sort"] = rng.choice(("newest", "oldest", "highest", "lowest"))
    return filters


def random_attributes(rng):
    moment = CHANGED + dt.timedelta(minutes=rng.randrange(1_000), seconds=rng.choice((0, 0, 30)))
    attributes = {
        "max_rating": rng.choice(("1", "2", "3", "4", "5", "4.5", "1.5")),
        "source": rng.choice(("google", "yelp", "yelp,judge-me", "google,yelp,nobody", "nobody")),
        "language": rng.choice(LANGUAGES),
        "has_text": rng.choice(("true", "false")),
        "has_reply": rng.choice(("true", "false")),
        "changed_since": moment.isoformat(),
    }
    chosen = rng.sample(sorted(attributes), rng.choice((1, 1, 2, 3)))
    return {name: attributes[name] for name in chosen}


def test_search_equals_brute_force_for_random_parameters(settings, monkeypatch):
    settings.SEARCH_COUNT_CAP = cap = 60
    monkeypatch.setattr("reviews.search.query.FEW", 20)
    fill(reviews=BLOCK + 100, seed=1)
    brute_force = BruteForce()
    texts = [row.text for row, _ in brute_force.rows if row.text]
    rng = random.Random(2)
    found = 0
    for number in range(400):
        filters = random_search(rng, texts)
        expected = brute_force.matches(filters)
        is_beyond = bool(filters.get("query")) and len(expected) > cap
        matched = cap if is_beyond else len(expected)
        limit = rng.choice((1, 5, 20, 100))

        result = ask(filters, limit=limit)

        assert [review["id"] for review in result["reviews"]] == expected[:limit], filters
        assert result["matched"] == matched, filters
        assert result.get("matched_is_lower_bound", False) == is_beyond, filters
        assert (result["next_cursor"] is None) == (len(expected) <= limit), filters
        if number % 10 == 0:
            assert all_pages(filters, rng.choice((30, 100))) == (expected, {matched}), filters
        found += bool(expected)
    assert 100 < found < 390  # Many searches with matches, and some without.


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("It’s fine.", "it's fine"),
        ("It's fine.", "It‘s Fine"),
        ("„Gut“, sagte er", '"gut"'),
        ("« Très bien »", "«\u00a0très\u00a0bien\u00a0»"),
        ("on time – always", "time - always"),
        ("twenty-one", "twenty\u2011one"),
        ("first line\r\n\r\n  second line", "line second"),
        ("two  words", "two words"),
        ("two words", "two \u3000\t words"),
        ("tea\u00a0time", " time"),
    ],
)
def test_quotes_dashes_and_white_space_match_any_spelling(text, query):
    review = make_review(text=text)
    make_review(text="Another")

    for letters in (query, query.upper()):
        assert all_pages({"query": letters}, 20) == ([review.ulid], {1})


def test_review_is_returned_as_published():
    review = make_review(text='Größe: "XL" \U0001f44d', reply_text="Danke")

    body = answer_to().body

    expected = f'{{"matched":1,"returned":1,"reviews":[{review.fragment}],"next_cursor":null}}'
    assert body == expected.encode()
