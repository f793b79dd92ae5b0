"""The page that confirms what the columns of a file mean."""

import pytest

from reviews.models import ConfirmedShape, ImportBatch, Review
from tests.factories import make_business
from tests.reviews.admin.import_pages import confirm, latest, page, post_file, press

State = ImportBatch.State
NEW = b"""Ref,Customer,Stars,Date,Comment,Consent
1,Ann B,5,2024-01-13,Quick and clean,yes
2,Ben C,2,2024-01-14,Came late,no
3,Cleo D,4,2024-01-15,Fair price,
"""

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def business():
    make_business(time_zone="UTC")


def shown(response):
    return response.content.decode()


def test_file_of_a_new_layout_opens_a_page_to_confirm_and_publishes_nothing(admin_client):
    answer = post_file(admin_client, NEW)

    html = shown(answer)
    assert latest().state == State.CONFIRMING
    assert not Review.objects.exists()
    assert "Nothing of this file is public yet" in html
    for name in ("Ref", "Customer", "Stars", "Date", "Comment", "Consent", "Ann B", "★★★★★"):
        assert name in html


def test_confirmed_layout_is_imported_without_a_question(admin_client):
    post_file(admin_client, NEW)
    confirm(admin_client)
    press(admin_client, "apply")
    assert list(Review.objects.values_list("author", flat=True)) == ["Ann B"]

    later = NEW + b"4,Dana E,5,2024-02-01,Kind staff,yes\n"
    post_file(admin_client, later, "later.csv")

    assert latest().state == State.PREVIEWED
    press(admin_client, "apply")
    assert set(Review.objects.values_list("author", flat=True)) == {"Ann B", "Dana E"}


@pytest.mark.slow
def test_new_value_of_a_deciding_column_is_asked_for_alone(admin_client):
    post_file(admin_client, NEW)
    confirm(admin_client)
    press(admin_client, "apply")

    post_file(admin_client, NEW + b"4,Dana E,5,2024-02-01,Kind staff,later\n", "later.csv")

    assert latest().state == State.CONFIRMING
    new = [one["name"] for one in latest().preview["shape"]["columns"] if one["is_new"]]
    assert new == ["Consent"]
    confirm(admin_client)  # As it is preset, which permits nothing new.
    press(admin_client, "apply")
    assert not Review.objects.filter(author="Dana E").exists()


def test_new_column_is_asked_for(admin_client):
    post_file(admin_client, NEW)
    confirm(admin_client)
    press(admin_client, "apply")
    lines = NEW.decode().splitlines()
    wider = [f"{lines[0]},Release", *(f"{line},ok" for line in lines[1:])]

    post_file(admin_client, "\n".join(wider).encode(), "wider.csv")

    assert latest().state == State.CONFIRMING


def test_column_without_an_answer_is_named_and_nothing_is_lost(admin_client):
    post_file(admin_client, b"When,Points,Note\n2024-01-13,5,Fine work\n2024-01-14,4,Good\n")
    form = admin_client.get(page("change", latest())).context["form"]
    (stars,) = (one.html_name for one in form if one.label == "Points")

    answer = confirm(admin_client, **{stars: ""})

    assert answer.status_code == 200
    assert latest().state == State.CONFIRMING
    assert not ConfirmedShape.objects.exists()


def test_batch_that_was_applied_is_not_asked_again(admin_client):
    post_file(admin_client, NEW)
    confirm(admin_client)
    press(admin_client, "apply")

    answer = admin_client.post(page("columns", latest()), {}, follow=True)

    assert answer.status_code == 200
    assert latest().state == State.APPLIED
    assert Review.objects.count() == 1


def test_viewer_sees_the_layout_and_may_not_confirm_it(admin_client, client, django_user_model):
    post_file(admin_client, NEW)
    client.force_login(django_user_model.objects.create_user("v", is_staff=True))

    assert client.post(page("columns", latest()), {}).status_code == 403
    assert not ConfirmedShape.objects.exists()
