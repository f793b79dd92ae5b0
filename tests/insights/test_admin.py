"""The insights are curated in the administration, as an administrator would."""

import html
import re

import orjson
import pytest
from django.contrib.auth.models import Permission, User
from django.core.management import call_command

from insights import services, taxonomy
from insights.models import (
    AnalysisRun,
    Artifact,
    ChatDay,
    InsightText,
    Override,
    ReviewAnalysis,
    Taxonomy,
)
from insights.refresh import refresh
from insights.taxonomies import builtin
from reviews.models import Review, Revision
from reviews.services import hide
from tests.factories import make_business, make_review, make_technician

pytestmark = pytest.mark.django_db
# Changes that follow one another are seen one by one only if each is committed.
committing = pytest.mark.django_db(transaction=True)

EDITIONS = "/admin/insights/taxonomy/"
ANALYSES = "/admin/insights/reviewanalysis/"
TEXTS = "/admin/insights/insighttext/"
RUNS = "/admin/insights/analysisrun/"


@pytest.fixture
def admin(admin_client):
    make_business()
    return admin_client


@pytest.fixture
def viewer(client):
    user = User.objects.create_user("viewer", is_staff=True)
    permissions = Permission.objects.filter(
        content_type__app_label="insights", codename__startswith="view_"
    )
    user.user_permissions.set(permissions)
    client.force_login(user)
    return client


def shown(response):
    assert response.status_code == 200
    return html.unescape(response.content.decode())


def inputs(response):
    """What a browser would send for the page's form as it stands."""
    page = response.content.decode()
    values = {}
    for tag in re.findall(r"<input [^>]*>", page):
        attributes = dict(re.findall(r'([\w-]+)="([^"]*)"', tag))
        if attributes.get("type") in {"text", "hidden", "number"} and "name" in attributes:
            values[attributes["name"]] = html.unescape(attributes.get("value", ""))
    for name, text in re.findall(
        r'<textarea name="([^"]+)"[^>]*>\n?(.*?)</textarea>', page, re.DOTALL
    ):
        values[name] = html.unescape(text)
    return values


def draft():
    return services.save_draft("home_services", taxonomy.published("home_services"), None)


def small_draft():
    """A draft of few entries, whose page is a tenth as long."""
    words = builtin("home_services")
    few = {group: words[group][:2] for group in ("aspects", "problems", "topics")}
    return services.save_draft("home_services", taxonomy.published("home_services") | few, None)


def publish(edition):
    return services.publish_draft(edition.vertical, None)


def edit_page(edition):
    return f"{EDITIONS}{edition.pk}/change/"


# --- The taxonomy ---------------------------------------------------------------------------------


def test_draft_begins_as_the_words_in_force(admin):
    assert "the built-in words" in shown(admin.get(EDITIONS))

    response = admin.post(f"{EDITIONS}add/")

    edition = Taxonomy.objects.get()
    assert response["Location"] == edit_page(edition)
    assert edition.content == builtin("home_services")
    assert edition.edited_by.username == "admin"
    assert "Go on with the draft" in shown(admin.get(EDITIONS))


def test_draft_that_is_kept_as_it_stands_says_the_same(admin):
    edition = draft()

    response = admin.post(edit_page(edition), inputs(admin.get(edit_page(edition))))

    assert response["Location"] == edit_page(edition)
    kept = Taxonomy.objects.get().content
    built_in = builtin("home_services")
    assert set(kept) == set(built_in)
    for group in ("aspects", "problems", "topics"):
        assert [entry["id"] for entry in kept[group]] == [e["id"] for e in built_in[group]]
        for entry, before in zip(kept[group], built_in[group], strict=True):
            assert set(entry["terms"]) == set(before["terms"]), entry["id"]
            signs = {t: s for t, s in before.get("term_polarity", {}).items() if s}
            assert entry.get("term_polarity", {}) == signs
            assert entry.get("exclude", []) == before.get("exclude", [])


@committing
def test_new_words_find_reviews_in_the_preview_and_count_when_published(admin):
    for number in range(3):
        make_review(text=f"The zorbing was great fun on day {number}.", author=f"A{number}")
    refresh()
    edition = draft()
    values = inputs(admin.get(edit_page(edition)))
    place = int(values["aspects-TOTAL_FORMS"]) - 1
    values |= {
        f"aspects-{place}-id": "zorbing",
        f"aspects-{place}-label": "Zorbing",
        f"aspects-{place}-terms": "zorb*\r\nzorbing",
        "preview": "",
    }

    response = admin.post(edit_page(edition), values)

    preview = shown(admin.get(response["Location"]))
    row = re.search(r"<tr class=\"changed\">.*?Zorbing.*?</tr>", preview, re.DOTALL)[0]
    assert re.findall(r"<td>(\d+)</td>", row) == ["3", "0"]
    assert "The zorbing was great fun on day 0." in preview

    admin.post(f"{EDITIONS}{edition.pk}/publish/")
    refresh()

    published = Taxonomy.objects.get()
    built_in = builtin("home_services")["version"]
    assert (published.version, published.content["version"]) == (built_in + 1, built_in + 1)
    assert b'"id":"zorbing","label":"Zorbing","mention_count":3' in Artifact.objects.get().json
    assert "in force" in shown(admin.get(EDITIONS))
    assert "zorb*" in shown(admin.get(edit_page(published)))


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({"id": "Zorb!"}, "Use small letters and digits, joined by _ or -, like on_time."),
        ({"id": "punctuality"}, "There are two entries with the id punctuality; rename one."),
        ({"terms": ""}, "Without a word nothing can be found; write one or delete it."),
        ({"terms": "*"}, "“*” would match anything; write a word before the *."),
        ({"terms": "x" * 1001}, "is longer than 1000 characters."),
        ({"terms": "\n".join(f"w{n}" for n in range(1001))}, "At most 1000 terms are kept"),
        ({"terms": "a\x00b"}, "Character 2 is U+0000, a control character"),
        ({"praise": "zap", "complaints": "zap"}, "“zap” is listed as praise as well; keep one."),
        ({"label": ""}, "This field is required."),
    ],
)
def test_words_that_cannot_work_are_refused_and_nothing_is_lost(admin, changed, sentence):
    edition = small_draft()
    values = inputs(admin.get(edit_page(edition)))
    place = int(values["aspects-TOTAL_FORMS"]) - 1
    entry = {"id": "zorbing", "label": "Zorbing", "terms": "zorb", "exclude": "my zorb"} | changed
    values |= {f"aspects-{place}-{name}": text for name, text in entry.items()}

    page = shown(admin.post(edit_page(edition), values))

    assert sentence in page
    assert "my zorb" in page
    assert Taxonomy.objects.get().content == edition.content


@pytest.mark.parametrize(
    "changed",
    [
        {"aspects-INITIAL_FORMS": "0"},
        {"aspects-INITIAL_FORMS": "900"},
        {"aspects-INITIAL_FORMS": "x"},
        {"aspects-TOTAL_FORMS": "-1"},
        {"aspects-TOTAL_FORMS": "1"},
        {"aspects-TOTAL_FORMS": "9" * 20},
        {"aspects-TOTAL_FORMS": ""},
    ],
)
def test_page_that_was_sent_with_wrong_counts_loses_no_entry(admin, changed):
    edition = small_draft()
    values = inputs(admin.get(edit_page(edition)))

    response = admin.post(edit_page(edition), values | changed)

    assert response.status_code in {200, 302}
    kept = Taxonomy.objects.get().content["aspects"]
    assert [entry["id"] for entry in kept] == [e["id"] for e in edition.content["aspects"]]


def test_entry_that_somebody_else_added_in_the_meantime_is_not_lost(admin):
    edition = draft()
    values = inputs(admin.get(edit_page(edition)))
    zorbing = [{"id": f"zorb{n}", "label": "Zorbing", "terms": ["zorb"]} for n in range(2)]
    aspects = [*edition.content["aspects"], *zorbing]
    services.save_draft("home_services", edition.content | {"aspects": aspects}, None)

    page = shown(admin.post(edit_page(edition), values))

    assert "Somebody else has added entries; load the page again." in page
    assert Taxonomy.objects.get().content["aspects"] == aspects


def test_entry_can_be_deleted(admin):
    edition = draft()
    values = inputs(admin.get(edit_page(edition))) | {"topics-0-DELETE": "on"}

    admin.post(edit_page(edition), values)

    before = builtin("home_services")["topics"]
    assert Taxonomy.objects.get().content["topics"] == before[1:]


def test_discarded_draft_leaves_what_is_in_force(admin):
    edition = draft()

    response = admin.post(f"{EDITIONS}{edition.pk}/discard/")

    assert response["Location"] == EDITIONS
    assert not Taxonomy.objects.exists()


def test_published_edition_is_changed_by_nobody(admin):
    edition = draft()
    services.publish_draft("home_services", None)

    for page in ("publish", "discard"):
        followed = admin.post(f"{EDITIONS}{edition.pk}/{page}/", follow=True)
        assert "not a draft any more; start a new one here" in shown(followed)
    assert "change" in shown(admin.post(edit_page(edition), {"aspects-TOTAL_FORMS": "0"}))
    assert Taxonomy.objects.get().content["aspects"]


@committing
def test_next_draft_begins_as_the_edition_in_force_and_gets_the_next_version(admin):
    first = publish(draft())
    second = draft()

    assert second.content == first.content
    assert publish(second).version == first.version + 1


# --- Findings -------------------------------------------------------------------------------------


def test_page_of_a_review_shows_what_was_found_where_and_why(admin):
    make_technician("Maren Holt")
    review = make_review(text="Maren was on time. The price was outrageous!", rating=3)
    call_command("refresh_insights")

    page = shown(admin.get(f"{ANALYSES}{review.pk}/change/"))

    assert re.search(r'<mark class="negative"[^>]*>price<sub>price</sub></mark>', page)
    assert "maren-holt" in page
    assert "outrageous" in page
    assert "as found: negative" in page


@committing
def test_correction_wins_survives_reading_again_and_can_be_taken_back(admin):
    review = make_review(text="The price was outrageous!", rating=1)
    refresh()
    page = f"{ANALYSES}{review.pk}/change/"

    admin.post(page, {"sentiment": "neutral", "aspects.price": "absent"})
    refresh(everything=True)

    analysis = ReviewAnalysis.objects.get()
    assert analysis.sentiment == "neutral"
    assert '"price"' not in analysis.record
    assert {(o.path, o.value) for o in Override.objects.all()} == {
        ("sentiment", "neutral"),
        ("aspects.price", "absent"),
    }
    assert "Corrected by" in shown(admin.get(page))
    assert "Yes" in shown(admin.get(f"{ANALYSES}?corrected=yes"))

    admin.post(page, {"sentiment": "", "aspects.price": ""})
    refresh()

    assert not Override.objects.exists()
    assert ReviewAnalysis.objects.get().sentiment == "negative"


@committing
def test_correction_of_an_earlier_text_is_passed_over_and_says_so(admin):
    review = make_review(text="The price was outrageous!", rating=1)
    refresh()
    services.correct_all(review, {"sentiment": "positive"}, None)
    review.text = "The price was a scandal!"
    review.save()
    refresh()

    assert ReviewAnalysis.objects.get().sentiment == "negative"
    assert "made for an earlier text" in shown(admin.get(f"{ANALYSES}{review.pk}/change/"))


def test_value_that_does_not_fit_is_refused(admin):
    review = make_review(text="The price was outrageous!", rating=1)
    refresh()

    page = shown(admin.post(f"{ANALYSES}{review.pk}/change/", {"aspects.price": "resolved"}))

    assert "Select a valid choice." in page
    assert not Override.objects.exists()


@committing
def test_correction_of_what_the_words_in_force_lack_stays(admin):
    review = make_review(text="The price was outrageous!", rating=1)
    refresh()
    services.correct(review, "aspects.of_another_trade", "negative", None)

    admin.post(f"{ANALYSES}{review.pk}/change/", {"sentiment": "neutral"})

    assert {override.path for override in Override.objects.all()} == {
        "sentiment",
        "aspects.of_another_trade",
    }


@committing
def test_what_was_corrected_is_not_said_to_be_found(admin):
    review = make_review(text="The price was outrageous!", rating=1)
    refresh()
    services.correct(review, "sentiment", "positive", None)
    refresh()

    page = shown(admin.get(f"{ANALYSES}{review.pk}/change/"))

    assert "as found: positive" not in page
    assert "as found: negative" in page  # The price.


@committing
def test_same_correction_again_changes_nothing(admin):
    review = make_review(text="The price was outrageous!", rating=1)
    refresh()
    services.correct_all(review, {"sentiment": "positive"}, None)
    before = Revision.objects.current(Revision.REVIEWS)

    assert services.correct_all(review, {"sentiment": "positive"}, None) == 0
    assert Revision.objects.current(Revision.REVIEWS) == before


def test_test_box_shows_spans_labels_and_reasons_and_keeps_nothing(admin):
    make_technician("Maren Holt")

    text = "Maren was <b>great</b>, but the price was outrageous."

    response = admin.post(f"{ANALYSES}try/", {"text": text, "rating": "2"})

    page = shown(response)
    assert "maren-holt" in page
    assert re.search(r'<mark class="negative"[^>]*>price', page)
    assert b"<b>great" not in response.content
    assert not ReviewAnalysis.objects.exists()


def test_test_box_reads_by_the_draft_when_asked(admin):
    edition = draft()
    zorbing = {"id": "zorbing", "label": "Zorbing", "terms": ["zorb"]}
    content = edition.content | {"aspects": [zorbing], "problems": [], "topics": []}
    services.save_draft("home_services", content, None)

    by_draft = shown(admin.post(f"{ANALYSES}try/", {"text": "A great zorb.", "draft": "on"}))
    in_force = shown(admin.post(f"{ANALYSES}try/", {"text": "A great zorb."}))

    assert "<sub>zorbing</sub>" in by_draft
    assert "<sub>zorbing</sub>" not in in_force


# --- Texts ----------------------------------------------------------------------------------------


@pytest.fixture
def praised(admin):
    for number in range(8):
        make_review(
            text="They arrived right on time. The price was fair and the work was excellent.",
            author=f"Author {number}",
        )
    refresh()


def dataset():
    return orjson.loads(Artifact.objects.get().json)


@committing
def test_text_of_an_administrator_takes_the_place_of_the_automatic_one(admin, praised):
    automatic = dataset()["summary"]
    assert automatic in shown(admin.get(f"{TEXTS}summary/"))

    admin.post(f"{TEXTS}summary/", {"text": "We fix pipes.", "locked": "on"})
    refresh()

    assert dataset()["summary"] == "We fix pipes."
    assert "edited by hand, locked" in shown(admin.get(TEXTS))

    admin.post(f"{TEXTS}summary/", {"release": ""})
    refresh()

    assert dataset()["summary"] == automatic
    assert not InsightText.objects.exists()


@committing
def test_hidden_text_is_not_published(admin, praised):
    admin.post(f"{TEXTS}summary/", {"text": "", "hidden": "on"})
    refresh()

    assert "summary" not in dataset()


@committing
def test_question_can_be_pinned_reworded_and_hidden(admin, praised):
    artifact = Artifact.objects.get()
    first, *others = [question["slug"] for question in artifact.texts["questions"]]
    assert others
    last = others[-1]

    admin.post(f"{TEXTS}faq/{last}/", {"question": "Why us?", "text": "Because.", "pinned": "on"})
    admin.post(f"{TEXTS}faq/{first}/", {"question": "", "text": "", "hidden": "on"})
    refresh()

    questions = [(entry["question"], entry["answer"]) for entry in dataset()["faq"]]
    assert questions[0] == ("Why us?", "Because.")
    hidden = next(q for q in artifact.texts["questions"] if q["slug"] == first)
    assert hidden["question"] not in [question for question, _ in questions]


@committing
def test_quote_is_word_for_word_from_a_public_review(admin, praised):
    quote = "The price was fair"

    refused = shown(admin.post(f"{TEXTS}pull_quote/", {"text": "The price was a steal"}))
    admin.post(f"{TEXTS}pull_quote/", {"text": quote})
    refresh()

    assert "No public review says this; quote one word for word." in refused
    assert dataset()["pull_quote"] == quote


def test_quote_in_other_capitals_is_refused(admin, praised):
    refused = shown(admin.post(f"{TEXTS}pull_quote/", {"text": "THE PRICE WAS FAIR"}))

    assert "No public review says this; quote one word for word." in refused
    assert not InsightText.objects.exists()


@committing
def test_chosen_quote_rests_on_its_own_review_alone(admin, praised):
    automatic = Artifact.objects.get().texts["pull_quote"]
    make_review(text="Rarely was so fair a price so well earned.", author="Chosen")
    admin.post(f"{TEXTS}pull_quote/", {"text": "Rarely was so fair a price so well earned."})
    refresh()

    hide(Review.objects.filter(ulid__in=automatic["review_ids"]))
    refresh()
    assert dataset()["pull_quote"] == "Rarely was so fair a price so well earned."

    hide(Review.objects.filter(author="Chosen"))
    refresh()
    assert dataset()["pull_quote"] != "Rarely was so fair a price so well earned."


def test_unknown_text_is_a_404(admin):
    for path in ("nonsense/", "faq/no-such-question/", "summary/x/"):
        assert admin.get(TEXTS + path).status_code == 404


# --- Runs and permissions -------------------------------------------------------------------------


def test_history_of_runs_tells_how_far_each_has_come(admin):
    AnalysisRun.objects.create(
        reason="basis", basis="b", model="rules", taxonomy="home_services 2", total=400, done=100
    )

    page = shown(admin.get(RUNS))

    assert "100 of 400 (25 %)" in page
    assert admin.get(f"{RUNS}add/").status_code == 403


def test_days_of_the_language_model_show_the_budget_and_the_fallbacks(admin):
    ChatDay.objects.create(day="2026-03-14", reviews=41, tokens=5_300, fallbacks=7)

    page = shown(admin.get("/admin/insights/chatday/"))

    for name, value in (("reviews", "41"), ("tokens", "5300"), ("fallbacks", "7")):
        assert f'<td class="field-{name}">{value}</td>' in page
    assert admin.get("/admin/insights/chatday/add/").status_code == 403


def test_whoever_may_only_look_changes_nothing(viewer):
    make_business()
    review = make_review(text="The price was outrageous!", rating=1)
    refresh()
    edition = draft()

    for page in (
        EDITIONS,
        edit_page(edition),
        f"{EDITIONS}{edition.pk}/preview/",
        ANALYSES,
        f"{ANALYSES}{review.pk}/change/",
        TEXTS,
        f"{TEXTS}summary/",
    ):
        buttons = re.findall(r'<input type="submit"[^>]* value="([^"]*)"', shown(viewer.get(page)))
        assert set(buttons) <= {"Search"}, page
    for page in (
        f"{EDITIONS}add/",
        edit_page(edition),
        f"{EDITIONS}{edition.pk}/publish/",
        f"{EDITIONS}{edition.pk}/discard/",
        f"{ANALYSES}{review.pk}/change/",
        f"{TEXTS}summary/",
    ):
        assert viewer.post(page, {"sentiment": "positive", "text": "x"}).status_code == 403, page
    assert Taxonomy.objects.get().version is None


@pytest.mark.parametrize("pk", ["999", "0", "x", "9" * 30, "-1"])
def test_row_that_is_not_there_is_a_404(admin, pk):
    for page in (EDITIONS, ANALYSES):
        assert admin.get(f"{page}{pk}/change/").status_code == 404


def test_get_of_a_button_is_refused(admin):
    edition = draft()

    for page in ("publish", "discard"):
        assert admin.get(f"{EDITIONS}{edition.pk}/{page}/").status_code == 405
    assert admin.get(f"{EDITIONS}add/")["Location"] == EDITIONS
