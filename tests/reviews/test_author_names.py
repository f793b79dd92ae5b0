import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from feeds import atom, json_feed
from reviews.documents import build
from reviews.models import Business, Review
from reviews.published_json import FIRST_NAME, FULL, INITIALS, public_name
from tests.administration import form_fields, page_html
from tests.factories import make_business, make_review
from tests.reviews.imports import ROWS, load, table

BUSINESS = "/admin/reviews/business/1/change/"


@pytest.mark.parametrize(
    ("author", "first_name", "initials"),
    [
        ("Dana Reyes", "Dana R.", "D. R."),
        ("Dana R.", "Dana R.", "D. R."),
        ("Dana", "Dana", "D."),
        ("Dr. Dana María Reyes-Ortiz Jr.", "Dana R.", "D. R."),
        ("Reyes, Dana", "Dana R.", "D. R."),
        ("Dana Reyes, Jr.", "Dana R.", "D. R."),
        ("élodie ørsted", "élodie Ø.", "É. Ø."),
        ("Юлия Яшина", "Юлия Я.", "Ю. Я."),
        ("山田太郎", "山.", "山."),
        ("dana_reyes85", "dana_reyes85", "D."),
        ("★ Dana ★", "Dana", "D."),
        ("★★★", "Anonymous", "Anonymous"),
        ("Anonymous", "Anonymous", "Anonymous"),
        ("ß x", "ß X.", "ß. X."),
    ],
)
def test_name_is_shortened(author, first_name, initials):
    assert public_name(author, FULL) == author
    assert public_name(author, FIRST_NAME) == first_name
    assert public_name(author, INITIALS) == initials


@given(st.text(min_size=1, max_size=40), st.sampled_from([FULL, FIRST_NAME, INITIALS]))
def test_shortening_name_is_idempotent_and_never_empty(author, style):
    name = public_name(author, style)

    assert name
    if style == INITIALS:
        assert public_name(name, style) == name


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("style", "name"), [(FULL, "Dana Reyes"), (FIRST_NAME, "Dana R."), (INITIALS, "D. R.")]
)
def test_setting_applies_to_every_public_format(admin_client, client, style, name):
    make_business()
    review = make_review(author="Dana Reyes", text="", reply_text="Thank you, Dana Reyes!")
    form = form_fields(admin_client.get(BUSINESS))

    admin_client.post(BUSINESS, form | {"author_names": style})
    later = make_review(author="Dana Reyes")

    assert Business.objects.get().author_names == style
    reviews = json.loads(build(review.created_at))["reviews"]
    assert [row["author"] for row in reviews] == [name, name]
    items = json.loads(json_feed.build(review.created_at))["items"]
    assert {item["authors"][0]["name"] for item in items} == {name}
    assert {item["title"] for item in items} == {f"5 stars from {name}"}
    assert f"{name} gave 5 stars without words." in {item["content_text"] for item in items}
    assert f"<name>{name}</name>" in atom.build(review.created_at).decode()
    found = client.get("/api/reviews/search").json()["reviews"]
    assert {row["author"] for row in found} == {name}
    for address in ("/", "/reviews", f"/reviews/{review.ulid}", f"/reviews/{later.ulid}"):
        page = page_html(client.get(address)).replace("Thank you, Dana Reyes!", "")
        assert name in page
        assert style == FULL or "Dana Reyes" not in page
    assert reviews[1]["owner_reply"]["text"] == "Thank you, Dana Reyes!"


@pytest.mark.django_db
def test_changed_setting_updates_published_names_only():
    business = make_business()
    load(table(*ROWS))
    before = {review.pk: review for review in Review.objects.all()}

    business.author_names = INITIALS
    business.save()

    for review in Review.objects.all():
        old = before[review.pk]
        assert review.author == old.author
        assert json.loads(review.fragment) == json.loads(old.fragment) | {
            "author": public_name(old.author, INITIALS)
        }
        assert review.modified_at > old.modified_at
        assert review.updated_at == old.updated_at  # The texts are not analysed again.
    business.author_names = FULL
    business.save()
    assert {r.fragment for r in Review.objects.all()} == {r.fragment for r in before.values()}


@pytest.mark.django_db
def test_import_shortens_name_and_own_export_keeps_it():
    make_business(author_names=INITIALS)
    load(table(*ROWS))
    own = [json.loads(review.fragment) for review in Review.objects.all()]
    assert {row["author"] for row in own} == {"D. R.", "I. B.", "L. O."}

    report = load(json.dumps({"reviews": own}).encode())

    assert (report.changed, report.unchanged) == (0, 3)
    assert set(Review.objects.values_list("author", flat=True)) == {"Dana R.", "Ivo B.", "Lena O."}
