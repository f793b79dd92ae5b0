"""The search against brute force: the plainest possible filter over all rows."""
# ruff: noqa: RUF001  (Letters that look alike are what these tests are about.)

import datetime as dt
import json
import random
import threading
from io import BytesIO
from urllib.parse import urlencode

import pytest
from django.db import OperationalError, connection, connections
from django.test.utils import CaptureQueriesContext

from reviews import answers, search, services
from reviews.answers import forget, search_reviews
from reviews.importing.options import ImportOptions
from reviews.models import Mention, Review, Revision
from reviews.parameters import Search, parse_query_string
from reviews.revision_watch import RevisionWatch
from reviews.search import BLOCK
from reviews.text import fold
from reviews.vocabulary import MOST_PARTS, MOST_WORDS
from tests.factories import build_review, make_review, make_service, make_technician
from tests.reviews.indexes import assert_index_is_whole, pieces_of_the_index

START = dt.date(2025, 1, 1)
DAYS = 400

# Texts that folding, LIKE, FTS5 or a collation might get wrong.
SIGNS = (
    "100% good", "under_score", "back\\slash", "it's \"quoted\" AND (more) OR -less*", "50 % off",
    "STRASSE", "Straße", "İstanbul", "ISTANBUL", "ıspanak", "ΌΣΟΣ", "όσος", "ΣΑΣ", "ὈΔΥΣΣΕΎΣ",
    "cafe\u0301", "CAFÉ", "café", "A\u030angstrom", "ångström", "ﬁne work", "FINE WORK",
    "很好吃的服务", "非常に良い", "아주 좋아요", "👍🏽 great", "👩\u200d👧 family", "🔥🔥🔥",
    "מצוין מאוד", "ممتاز جدا", "हिन्दी समीक्षा", "NULL", "'; DROP TABLE reviews_review; --",
    "tab\there", "line\nbreak", "a  b", "...", "!?", "%", "_", "\\", '"', "'", "aaaaaaaaaaaa",
    "x" * 300, "ſtrange", "\u212aelvin K", "ŉ", "ǰ", "ΐ", "ﬄ", "ẞ", "ǆ ǅ Ǆ", "𐐀𐐨",
    "\u200bzero\u200b", "e\u0301\u0323", "odd\ufffdsigns", "odd\ufffesigns", "odd\uffffsigns",
)  # fmt: skip
WORDS = (
    "the", "The", "quick", "leak", "Leak", "LEAK", "water", "heater", "on", "time", "Dana", "fixed",
    "kitchen", "price", "fair", "very", "tidy", "late", "call", "again",
)  # fmt: skip
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
            # One day has many, whose order is that of their ids.
            date=START + dt.timedelta(days=rng.choice((300, *(rng.randrange(DAYS),) * 9))),
            hidden=rng.random() < 0.1,
        )
        for _ in range(reviews)
    )
    Mention.objects.bulk_create(
        Mention(review=row, kind=kind, subject=slug)
        for row in rows
        for kind, slug, _ in MENTIONS
        if rng.random() < 0.2
    )
    # Rows that were changed after they had been indexed.
    for row in rng.sample(rows, 40):
        change = rng.choice(("text", "hidden", "delete"))
        if change == "delete":
            row.delete()
        else:
            row.text = random_text(rng) if change == "text" else row.text
            row.hidden = row.hidden != (change == "hidden")
            row.save()
    forget()


class BruteForce:
    """All rows in memory, and the filters as the interface describes them."""

    def __init__(self) -> None:
        rows = sorted(Review.objects.all(), key=lambda row: (row.date, row.ulid), reverse=True)
        self.rows = [(row, fold(row.text)) for row in rows if not row.hidden]
        self.mentions = set(Mention.objects.values_list("kind", "subject", "review_id"))
        self.spellings = {
            (kind, fold(spelling).strip()): slug
            for kind, slug, spellings in MENTIONS
            for spelling in spellings
        }

    def matches(self, asked):
        rows = self.rows
        if "rating" in asked:
            rows = [each for each in rows if each[0].rating == int(asked["rating"])]
        if "min_rating" in asked:
            rows = [each for each in rows if each[0].rating >= float(asked["min_rating"])]
        if "since" in asked:
            rows = [each for each in rows if each[0].date.isoformat() >= asked["since"]]
        if "until" in asked:
            rows = [each for each in rows if each[0].date.isoformat() <= asked["until"]]
        if asked.get("query"):
            needle = fold(asked["query"])
            rows = [each for each in rows if needle in each[1]]
        for kind in ("technician", "service"):
            name = fold(asked.get(f"mentions_{kind}", "")).strip()
            if name:
                slug = self.spellings.get((kind, name))
                rows = [each for each in rows if (kind, slug, each[0].pk) in self.mentions]
        return [row.ulid for row, _ in rows]


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
    asked = {}
    if rng.random() < 0.65:
        asked["query"] = random_query(rng, texts)
    if rng.random() < 0.15:
        asked["rating"] = str(rng.randint(1, 5))
    if rng.random() < 0.25:
        asked["min_rating"] = rng.choice(("1", "2", "3", "4", "5", "4.5", "1.5", "4.0", "2.25"))
    for bound in ("since", "until"):
        if rng.random() < 0.2:
            asked[bound] = (START + dt.timedelta(days=rng.randrange(-5, DAYS + 5))).isoformat()
    for kind in ("technician", "service"):
        if rng.random() < 0.2:
            spellings = [name for k, _, names in MENTIONS if k == kind for name in names]
            asked[f"mentions_{kind}"] = rng.choice([*spellings, "Nobody", "", "  "])
    return asked


def ask(asked, **more):
    answer = search_reviews(parse_query_string(urlencode(asked | more).encode()))
    return json.loads(answer.body)


def all_pages(asked, limit):
    """The ids of every page, and what each page said about the number of matches."""
    ids, counts, cursor = [], set(), {}
    while True:
        result = ask(asked, limit=limit, **cursor)
        page = [review["id"] for review in result["reviews"]]
        assert result["returned"] == len(page) <= limit
        ids += page
        counts.add(result["matched"])
        if result["next_cursor"] is None:
            return ids, counts
        assert page
        cursor = {"cursor": result["next_cursor"]}


@pytest.mark.django_db
@pytest.mark.parametrize("cap", [10_000, 60])
def test_search_equals_brute_force_for_random_parameters(monkeypatch, settings, cap):
    # Smaller, so that a few reviews take every way that many take.
    monkeypatch.setattr(search, "BLOCK", 100)
    monkeypatch.setattr(search, "LARGE_BLOCK", 300)
    monkeypatch.setattr(search, "LARGE_DAY", 120)
    monkeypatch.setattr(search, "PHRASE_CHARACTERS", 10)
    settings.SEARCH_COUNT_CAP = cap
    fill(reviews=1_300, seed=1)
    brute_force = BruteForce()
    texts = [row.text for row, _ in brute_force.rows if row.text]
    rng = random.Random(2)
    found = 0
    for number in range(1_500):
        asked = random_search(rng, texts)
        expected = brute_force.matches(asked)
        is_beyond = bool(asked.get("query")) and len(expected) > cap
        matched = cap if is_beyond else len(expected)
        limit = rng.choice((1, 5, 20, 100))

        result = ask(asked, limit=limit)

        assert [review["id"] for review in result["reviews"]] == expected[:limit], asked
        assert result["matched"] == matched, asked
        assert result.get("matched_is_lower_bound", False) == is_beyond, asked
        assert (result["next_cursor"] is None) == (len(expected) <= limit), asked
        if number % 10 == 0:
            assert all_pages(asked, rng.choice((30, 100))) == (expected, {matched}), asked
        found += bool(expected)
    assert 500 < found < 1_400  # Many searches with matches, and some without.


# --- One by one -----------------------------------------------------------------------------------


@pytest.mark.django_db
def test_equal_dates_are_ordered_by_id_downwards():
    ids = ["01KDVG5B00QS8R2V6M3W0XPE4A", "01KDVG5B00QS8R2V6M3W0XPE4C", "01KDVG5B00QS8R2V6M3W0XPE4B"]
    for ulid in ids:
        make_review(ulid=ulid)

    assert all_pages({}, 1) == (sorted(ids, reverse=True), {3})


@pytest.mark.django_db
@pytest.mark.parametrize(
    "query",
    [
        "zq", "!?", "needle", "ä", "好吃极了", "snake_case", "100%", "per%cent", "back\\slash",
        'the "quoted" one', '"""', "it's", "NEAR(a b)", "this AND NOT that", "-less* ^(more):",
    ],
)  # fmt: skip
def test_a_match_older_than_the_newest_block_is_found(query):
    old = make_review(text=f"An old {query}.", date=START)
    decoy = query.translate(dict.fromkeys(map(ord, '_%"\\*'), "x"))
    others = [build_review(text=f"A hidden {query}.", date=START, hidden=True)]
    if decoy != query:
        others.append(build_review(text=f"An old {decoy}.", date=START))
    others += [build_review(text="Nothing.", date=START + dt.timedelta(1)) for _ in range(BLOCK)]
    Review.objects.bulk_create(others)

    assert all_pages({"query": query}, 20) == ([old.ulid], {1})
    assert all_pages({"query": query, "rating": 5}, 20) == ([old.ulid], {1})
    assert all_pages({"query": query, "rating": 4}, 20) == ([], {0})


@pytest.mark.django_db
def test_a_mention_older_than_the_newest_block_is_found():
    make_technician("Dana Reed")
    make_service("Leak detection")
    old = make_review(date=START, technicians=["dana-reed"], services=["leak-detection"])
    make_review(date=START, technicians=["dana-reed"], hidden=True)
    newer = [build_review(date=START + dt.timedelta(1)) for _ in range(BLOCK)]
    Review.objects.bulk_create(newer)
    forget()
    both = {"mentions_technician": "Dana", "mentions_service": "leak detection"}

    assert all_pages({"mentions_technician": "Dana"}, 20) == ([old.ulid], {1})
    assert all_pages(both, 20) == ([old.ulid], {1})
    assert all_pages(both | {"query": "TIDY"}, 20) == ([old.ulid], {1})
    assert all_pages(both | {"query": "y"}, 20) == ([old.ulid], {1})


@pytest.mark.django_db
@pytest.mark.parametrize("query", ["aaa", "aa"])
def test_beyond_the_cap_the_number_of_matches_is_a_lower_bound(query, settings):
    settings.SEARCH_COUNT_CAP = 3
    for _ in range(3):
        make_review(text="aaaa")
    exact = ask({"query": query}, limit=1)
    make_review(text="aaaa")
    forget()

    beyond = ask({"query": query}, limit=1)
    on_one_page = ask({"query": query})
    without_text = ask({"rating": 5})

    assert (exact["matched"], "matched_is_lower_bound" in exact) == (3, False)
    assert (beyond["matched"], beyond["matched_is_lower_bound"]) == (3, True)
    assert (on_one_page["matched"], on_one_page["returned"]) == (3, 4)
    assert (without_text["matched"], "matched_is_lower_bound" in without_text) == (4, False)


@pytest.mark.django_db
@pytest.mark.parametrize(
    "asked",
    [
        {"rating": 3, "min_rating": 4},
        {"since": "2026-02-01", "until": "2026-01-01"},
        {"mentions_technician": "Nobody"},
        {"mentions_service": "nothing"},
    ],
)
def test_filters_that_contradict_each_other_match_nothing(asked):
    make_review(rating=3)

    assert ask(asked) == {"matched": 0, "returned": 0, "reviews": [], "next_cursor": None}


@pytest.mark.django_db
def test_a_review_is_given_as_it_is_published():
    review = make_review(text='Größe: "XL" \U0001f44d', reply_text="Danke")

    body = search_reviews(Search()).body

    expected = f'{{"matched":1,"returned":1,"reviews":[{review.fragment}],"next_cursor":null}}'
    assert body == expected.encode()


# --- The index of texts ---------------------------------------------------------------------------


@pytest.mark.django_db
def test_the_text_index_follows_every_kind_of_change():
    review = make_review(text="first words")
    Review.objects.filter(pk=review.pk).update(text_folded="second words")
    forget()
    assert ask({"query": "first"})["matched"] == 0
    assert ask({"query": "second"})["matched"] == 1
    assert_index_is_whole()

    review.hidden = True
    review.text = "hidden words"
    review.save()
    assert_index_is_whole()
    Review.objects.update(hidden=False)
    forget()
    assert ask({"query": "hidden words"})["matched"] == 1
    assert_index_is_whole()
    review.hidden = False
    review.text = ""
    review.save()
    assert_index_is_whole()
    review.text = "third words, third time"
    review.save()
    assert_index_is_whole()
    other = make_review(text="words (of another)")
    assert_index_is_whole()
    review.date, review.rating = review.date - dt.timedelta(1), 1
    review.save()
    assert_index_is_whole()
    review.delete()
    assert_index_is_whole()
    other.delete()
    assert_index_is_whole()


@pytest.mark.django_db
@pytest.mark.parametrize(
    "texts",
    [
        ["leaking", "No.", "leak", "LEAKS!", "bleak-leak", "oleaker leaking"],
        ["a_leak", "leak*leak", "[leak]", "leak", "l_eak", "é“leaké”"],
        [f"leak{number:03} and leak" for number in range(MOST_WORDS + 1)],
        [f"leak{number:03}" for number in range(MOST_PARTS + 1)],
        ["漏" * 12_000 + "leak", "漏" * 12_000 + "lake", "leak"],
    ],
    ids=["words", "signs", "many words", "many parts", "long words"],
)
def test_words_that_contain_the_needle_are_all_found(texts, settings):
    reviews = [make_review(text=text, rating=1 + at % 5) for at, text in enumerate(texts)]
    matching = [review for review in reviews if "leak" in review.text_folded]

    for settings.SEARCH_COUNT_CAP in (10_000, len(matching), len(matching) - 1):
        forget()
        expected = [review.ulid for review in matching[::-1]]
        assert all_pages({"query": "leak"}, 3) == (
            expected,
            {min(len(matching), settings.SEARCH_COUNT_CAP)},
        )
    assert ask({"query": "leak", "rating": 1})["matched"] == sum(
        review.rating == 1 for review in matching
    )


@pytest.mark.django_db
@pytest.mark.skipif(connection.vendor != "sqlite", reason="PostgreSQL has no list of words")
@pytest.mark.parametrize("query", ["e", "le", "ï", "é"])
def test_letters_too_few_for_an_index_are_looked_for_in_words(query):
    make_review(text="A leaking pipe, a café.")

    with CaptureQueriesContext(connection) as queries:
        assert ask({"query": query, "since": "2020-01-01"})["matched"] == (query != "ï")

    assert not any("text_folded" in each["sql"] for each in queries)


@pytest.mark.django_db
@pytest.mark.skipif(connection.vendor != "sqlite", reason="PostgreSQL has no list of words")
def test_a_needle_of_one_word_is_counted_without_a_look_at_its_reviews(django_assert_num_queries):
    for _ in range(3):
        make_review(text="A leaking pipe.")
    ask({"query": "warm"})

    with django_assert_num_queries(3):  # The word, the places of the page, and its reviews.
        assert ask({"query": "leak"}, limit=2)["matched"] == 3


@pytest.mark.django_db(transaction=True)
@pytest.mark.skipif(connection.vendor != "sqlite", reason="PostgreSQL keeps its index in one piece")
def test_a_large_load_leaves_the_index_in_one_piece(monkeypatch):
    monkeypatch.setattr("reviews.importing.importer.CHUNK", 5)

    load_reviews(range(60))
    after_a_large_load = pieces_of_the_index()
    load_reviews(range(60, 70))

    assert after_a_large_load == 1
    assert pieces_of_the_index() > 1  # Ten reviews are not worth it.
    assert_index_is_whole()


def load_reviews(numbers):
    rows = [f"{number},5,{START - dt.timedelta(number)},Words {number}" for number in numbers]
    content = "\n".join(["id,rating,date,text", *rows]).encode()
    services.import_file(BytesIO(content), file_name="reviews.csv", options=ImportOptions())


@pytest.mark.django_db
def test_a_rare_word_is_looked_up_and_not_scanned_for():
    Review.objects.bulk_create(build_review(text=f"Words {n} of a text.") for n in range(300))
    wanted = search.criteria(Search(query="zyxwvutsr"), None)
    on_sqlite = connection.vendor == "sqlite"
    found = search._indexed(wanted, None) if on_sqlite else search._lookup(wanted)
    with connection.cursor() as cursor:
        if not on_sqlite:
            # With so few rows it would rather scan the table or any index.
            cursor.execute("SET LOCAL enable_seqscan = off")
            cursor.execute("DROP INDEX review_newest, review_rating_newest")
        explain = "EXPLAIN QUERY PLAN" if on_sqlite else "EXPLAIN"
        cursor.execute(f"{explain} SELECT 1 {found.sql}", found.parameters)
        plan = str(cursor.fetchall())

    assert "review_text_trigrams" in plan or "SCAN t VIRTUAL TABLE" in plan


@pytest.mark.django_db
@pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite has days in its index")
@pytest.mark.parametrize("bounds", [{"rating": 1}, {"until": dt.date(2025, 1, 9)}])
def test_a_common_word_is_looked_up_within_the_bounds(bounds):
    Review.objects.bulk_create(
        build_review(
            text="On time" if n % 3 else "Late", rating=1 + n % 5, date=START + dt.timedelta(n % 99)
        )
        for n in range(1_000)
    )
    wanted = search.criteria(Search(query="late", **bounds), None)
    found = search._lookup(wanted)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE reviews_review")
        # As in a large table, where to fetch a row costs far more than to find it.
        cursor.execute("SET LOCAL enable_seqscan = off")
        cursor.execute("SET LOCAL enable_indexscan = off")
        cursor.execute("SET LOCAL cpu_tuple_cost = 1000")
        cursor.execute(f"EXPLAIN SELECT 1 {found.sql}", found.parameters)
        plan = str(cursor.fetchall())

    assert "BitmapAnd" in plan
    assert "review_text_trigrams" in plan


@pytest.mark.django_db
@pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite has nobody else to protect")
@pytest.mark.parametrize(("query", "is_bounded"), [("qz", True), ("!?.", True), ("quick", False)])
def test_a_walk_through_all_texts_is_given_up_in_time(query, is_bounded):
    make_review()

    with CaptureQueriesContext(connection) as queries:
        ask({"query": query})

    assert any("statement_timeout" in each["sql"] for each in queries) == is_bounded


# --- Answers that are kept ------------------------------------------------------------------------


@pytest.mark.django_db
def test_a_repeated_search_asks_the_database_nothing(django_assert_num_queries):
    make_review(text="On time")
    asked = parse_query_string(b"query=time&limit=20")
    answer = search_reviews(asked)

    with django_assert_num_queries(0):
        assert search_reviews(parse_query_string(b"limit=020&query=time")) is answer


@pytest.mark.django_db
def test_other_days_and_stars_of_a_known_needle_take_one_query(django_assert_num_queries):
    for day in range(1, 9):
        make_review(text="On time", date=dt.date(2026, 1, day), rating=1 + day % 5)
    first = ask({"query": "time", "until": "2026-01-07"}, limit=2)
    ask({"query": "time", "until": "2026-01-06"}, limit=2)

    with django_assert_num_queries(1):
        days = ask({"query": "time", "since": "2026-01-02", "until": "2026-01-04"}, limit=2)
    with django_assert_num_queries(1):
        stars = ask({"query": "time", "rating": 3}, limit=1)

    assert (first["matched"], days["matched"], stars["matched"]) == (7, 3, 2)
    assert [review["date"] for review in days["reviews"]] == ["2026-01-04", "2026-01-03"]
    assert [review["date"] for review in stars["reviews"]] == ["2026-01-07"]


@pytest.mark.django_db(transaction=True)
def test_a_change_is_seen_as_soon_as_the_revision_is_read_again(settings):
    settings.VERSION_POLL_MS = 0
    assert ask({})["matched"] == 0

    review = make_review()
    assert ask({})["matched"] == 1

    review.hidden = True
    review.save()
    assert ask({})["matched"] == 0


@pytest.mark.django_db(transaction=True)
def test_equal_reviews_have_equal_answers_whatever_happened_in_between(settings):
    settings.VERSION_POLL_MS = 0
    review = make_review(rating=5)
    before = search_reviews(Search())
    review.rating = 4
    review.save()
    changed = search_reviews(Search())
    review.rating = 5
    review.save()

    again = search_reviews(Search())
    assert (again.body, again.etag) == (before.body, before.etag)
    assert changed.etag != before.etag


@pytest.mark.django_db(transaction=True)
def test_a_change_in_the_middle_of_a_search_is_either_seen_whole_or_not_at_all(monkeypatch):
    make_review()
    make_review()
    find_page = answers.find_page

    def find_page_and_be_overtaken(*args):
        rows = find_page(*args)
        if Review.objects.count() == 2:
            save_elsewhere(build_review())
        return rows

    monkeypatch.setattr(answers, "find_page", find_page_and_be_overtaken)

    result = json.loads(search_reviews(Search(limit=1)).body)

    assert result["matched"] == 3
    assert result["reviews"][0]["id"] == Review.objects.newest_first()[0].ulid


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("overtaken", ["find_places", "find_rows"])
def test_matches_in_memory_are_never_of_another_state_than_the_page(monkeypatch, overtaken):
    for _ in range(2):
        make_review(text="On time")
    ask({"query": "time", "min_rating": 3}, limit=1)
    find = getattr(answers, overtaken)

    def be_overtaken_and_find(*args):
        if Review.objects.count() == 2:
            save_elsewhere(build_review(text="Just on time"))
        return find(*args)

    monkeypatch.setattr(answers, overtaken, be_overtaken_and_find)

    result = ask({"query": "time", "min_rating": 2}, limit=1)

    assert result["matched"] == 3
    assert result["reviews"][0]["id"] == Review.objects.newest_first()[0].ulid


def save_elsewhere(review):
    """Commit through a connection of its own."""

    def save():
        try:
            review.save()
        finally:
            connections.close_all()

    thread = threading.Thread(target=save)
    thread.start()
    thread.join()


def test_the_revision_is_read_once_in_each_interval(monkeypatch, settings):
    settings.VERSION_POLL_MS = 250
    now, reads = [100.0], []
    monkeypatch.setattr("reviews.revision_watch.time.monotonic", lambda: now[0])
    monkeypatch.setattr(
        "reviews.revision_watch.revision", lambda: reads.append(now[0]) or len(reads)
    )
    watch = RevisionWatch()
    seen = []
    for milliseconds in (0, 100, 250, 251, 400, 501, 502):
        now[0] = 100 + milliseconds / 1_000
        seen.append(watch.current())

    assert seen == [1, 1, 1, 2, 2, 2, 3]


@pytest.mark.django_db
def test_what_is_kept_stays_within_its_bounds(monkeypatch):
    make_review()
    size = len(search_reviews(Search()).body)
    monkeypatch.setattr(answers, "KEPT_BYTES", 3 * size)
    monkeypatch.setattr(answers, "KEPT_COUNTS", 2)
    monkeypatch.setattr(answers, "KEPT_MATCHES_BYTES", 0)
    for limit in range(1, 10):
        ask({}, limit=limit)
    memory = answers._memory_at(Revision.objects.current(Revision.REVIEWS))

    assert memory.recall(Search(limit=9)) is not None
    assert memory.recall(Search(limit=1)) is None
    assert memory.recall(Search(limit=8)) is not None


@pytest.mark.django_db
def test_an_unreachable_database_is_no_empty_answer(monkeypatch):
    def unreachable():
        raise OperationalError("server closed the connection")

    monkeypatch.setattr("reviews.revision_watch.revision", unreachable)

    with pytest.raises(OperationalError):
        search_reviews(Search())
