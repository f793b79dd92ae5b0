"""Findings of a review, as an administrator sees and corrects them."""

import re

import pytest
from django.core.management import call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext

from insights import services
from insights.models import Override, ReviewAnalysis
from insights.refresh import refresh
from tests.administration import form_fields, page_html
from tests.factories import make_review, make_technician
from tests.insights.admin.pages import ANALYSES, committing, draft

pytestmark = pytest.mark.django_db


def test_review_page_shows_findings_with_places_and_reasons(admin):
    make_technician("Maren Holt")
    review = make_review(text="Maren was on time. The price was outrageous!", rating=3)
    call_command("refresh_insights")

    page = page_html(admin.get(f"{ANALYSES}{review.pk}/change/"))

    assert re.search(r'<mark class="negative"[^>]*>price<sub>Price and value</sub></mark>', page)
    assert "Maren<sub>Maren Holt</sub>" in page
    assert "outrageous" in page
    assert "as found: negative" in page


def test_review_page_names_other_analyser(admin):
    review = make_review(text="The price was outrageous!", rating=1)
    refresh()
    sentence = "The marks show what the built-in rules find"
    page = f"{ANALYSES}{review.pk}/change/"
    assert sentence not in page_html(admin.get(page))

    ReviewAnalysis.objects.update(model="llm:small/prompt-1")

    assert sentence in page_html(admin.get(page))


@pytest.mark.parametrize("words", ["caf%C3%A9", "CAF%C3%89", "ann", "TIDY", "01jwn"])
def test_findings_are_found_by_words_in_any_case(admin, words):
    make_review(text="A tidy CAF\u00c9, well run.", author="Ann B.", ulid=f"01JWN{'0' * 21}")
    make_review(text="Late again.", author="Lee")
    call_command("refresh_insights")

    page = page_html(admin.get(f"{ANALYSES}?q={words}"))

    assert ("A tidy" in page, "Late again." in page) == (True, False)


@pytest.mark.parametrize(("value", "texts"), [("yes", ["Late again."]), ("no", ["A tidy van."])])
def test_findings_are_found_by_whether_they_were_corrected(admin, value, texts):
    reviews = {text: make_review(text=text) for text in ("A tidy van.", "Late again.")}
    refresh()
    late = f"{ANALYSES}{reviews['Late again.'].pk}/change/"
    admin.post(late, {"sentiment": "neutral", "aspects.price": "absent"})

    with CaptureQueriesContext(connection) as queries:
        page = page_html(admin.get(f"{ANALYSES}?corrected={value}"))

    assert [text for text in reviews if text in page] == texts
    # Comparing whole records took three seconds for 200,000.
    assert not any("DISTINCT" in query["sql"] and "record" in query["sql"] for query in queries)


@committing
def test_correction_survives_analysis_and_can_be_withdrawn(admin):
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
    corrected = page_html(admin.get(page))
    assert '<th scope="row">Price and value</th><td>not mentioned</td>' in corrected
    assert '<th scope="row">Sentiment</th><td>Neutral</td>' in corrected

    admin.post(page, {"sentiment": "", "aspects.price": ""})
    refresh()

    assert not Override.objects.exists()
    assert ReviewAnalysis.objects.get().sentiment == "negative"


@committing
def test_concurrent_correction_is_kept(admin):
    review = make_review(text="The price was outrageous!", rating=1)
    refresh()
    page = f"{ANALYSES}{review.pk}/change/"
    opened = form_fields(admin.get(page))
    services.correct(review, "aspects.price", "absent", None)

    admin.post(page, opened | {"sentiment": "neutral"})

    assert {(o.path, o.value) for o in Override.objects.all()} == {
        ("sentiment", "neutral"),
        ("aspects.price", "absent"),
    }


def corrected_and_then_rewritten():
    review = make_review(text="The price was outrageous!", rating=1)
    refresh()
    services.correct_all(review, {"sentiment": "neutral"}, None)
    review.text = "The price was a scandal!"
    review.save()
    refresh()
    return review


@committing
def test_correction_of_earlier_text_is_ignored_and_marked(admin):
    review = corrected_and_then_rewritten()

    assert ReviewAnalysis.objects.get().sentiment == "negative"
    assert "made for an earlier text" in page_html(admin.get(f"{ANALYSES}{review.pk}/change/"))


def test_test_box_shows_spans_labels_and_reasons_and_stores_nothing(admin):
    make_technician("Maren Holt")

    text = "Maren was <b>great</b>, but the price was outrageous."

    response = admin.post(f"{ANALYSES}try/", {"text": text, "rating": "2"})

    page = page_html(response)
    assert "Maren<sub>Maren Holt</sub>" in page
    assert re.search(r'<mark class="negative"[^>]*>price', page)
    assert b"<b>great" not in response.content
    assert not ReviewAnalysis.objects.exists()


def test_test_box_can_use_draft(admin):
    version = draft()
    zorbing = {"id": "zorbing", "label": "Zorbing", "terms": ["zorb"]}
    content = version.content | {"aspects": [zorbing], "problems": [], "topics": []}
    services.save_draft("home_services", content, None)

    by_draft = page_html(admin.post(f"{ANALYSES}try/", {"text": "A great zorb.", "draft": "on"}))
    in_force = page_html(admin.post(f"{ANALYSES}try/", {"text": "A great zorb."}))

    assert "<sub>Zorbing</sub>" in by_draft
    assert "<sub>Zorbing</sub>" not in in_force
