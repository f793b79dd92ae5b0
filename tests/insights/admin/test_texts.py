"""Drafted texts, and an administrator's decisions about them."""

import orjson
import pytest

from insights import services
from insights.models import Artifact, InsightText
from insights.refresh import refresh
from reviews.models import Review
from reviews.services import hide
from tests.administration import assert_refused, form_fields, page_html
from tests.factories import make_review
from tests.insights.admin.pages import TEXTS, committing

pytestmark = pytest.mark.django_db


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
def test_text_of_administrator_replaces_automatic_one(admin, praised):
    automatic = dataset()["summary"]
    assert automatic in page_html(admin.get(f"{TEXTS}summary/"))

    admin.post(f"{TEXTS}summary/", {"text": "We fix pipes.", "locked": "on"})
    refresh()

    assert dataset()["summary"] == "We fix pipes."
    assert "edited by hand, locked" in page_html(admin.get(TEXTS))

    admin.post(f"{TEXTS}summary/", {"release": ""})
    refresh()

    assert dataset()["summary"] == automatic
    assert not InsightText.objects.exists()


def test_text_names_its_public_evidence(admin, praised):
    artifact = Artifact.objects.get()
    evidence = artifact.texts["pull_quote"]["review_ids"]
    review = Review.objects.get(ulid=evidence[0])

    page = page_html(admin.get(f"{TEXTS}pull_quote/"))
    hide(Review.objects.filter(pk=review.pk))

    link = f'<a href="/reviews/{review.ulid}">{review}</a>'
    assert link in page
    assert link not in page_html(admin.get(f"{TEXTS}pull_quote/"))


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
def test_quote_is_verbatim_from_public_review(admin, praised):
    quote = "The price was fair"

    assert_refused = page_html(admin.post(f"{TEXTS}pull_quote/", {"text": "The price was a steal"}))
    admin.post(f"{TEXTS}pull_quote/", {"text": quote})
    refresh()

    assert "No public review says this; quote one word for word." in assert_refused
    assert dataset()["pull_quote"] == quote


@committing
def test_chosen_quote_has_its_review_as_evidence(admin, praised):
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


@committing
def test_list_shows_published_text_when_evidence_is_gone(admin, praised):
    automatic = Artifact.objects.get().texts["summary"]
    admin.post(f"{TEXTS}summary/", {"text": "We fix pipes."})
    refresh()
    assert "<td>We fix pipes.</td>" in page_html(admin.get(TEXTS))

    hide(Review.objects.filter(ulid__in=automatic["review_ids"]))
    refresh()

    page = page_html(admin.get(TEXTS))
    assert dataset()["summary"] in page
    assert "We fix pipes." not in page
    assert "edited by hand, not published" in page
    assert "a review that it is based on is no longer public" in page_html(
        admin.get(f"{TEXTS}summary/")
    )


@committing
def test_locked_answer_names_public_reviews_only(admin, praised):
    review, other = Review.objects.all()[:2]
    own = {"question": "Who?", "text": "Ann.", "evidence_ids": [review.ulid, other.ulid]}
    services.decide_text("faq", "own", None, locked=True, **own)
    services.decide_text("faq", "other", None, **own)
    hide(Review.objects.filter(pk=review.pk))
    refresh()

    assert dataset()["faq"][-1] == {
        "question": "Who?", "answer": "Ann.", "review_ids": [other.ulid]
    }  # fmt: skip
    assert [each["question"] for each in dataset()["faq"]].count("Who?") == 1


def test_unknown_text_is_a_404(admin):
    for path in ("nonsense/", "faq/no-such-question/", "summary/x/"):
        assert admin.get(TEXTS + path).status_code == 404


def test_concurrent_edit_of_text_is_not_overwritten(admin, praised):
    page = f"{TEXTS}summary/"
    opened = form_fields(admin.get(page))
    services.decide_text("summary", "", None, text="We mend pipes.")

    response = admin.post(page, opened | {"text": "We fix pipes."})

    assert_refused(response, "Now it is: “We mend pipes.”. Save again to replace that.")
    assert InsightText.objects.get().text == "We mend pipes."
