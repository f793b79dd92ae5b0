"""The words of a taxonomy, as an administrator edits and publishes them."""

import re

import pytest

from insights import services, taxonomy
from insights.models import Artifact, Taxonomy
from insights.refresh import refresh
from review_analysis.taxonomies import builtin
from tests.administration import form_fields, page_html
from tests.factories import make_review
from tests.insights.admin.pages import VERSIONS, committing, draft, edit_page, publish

pytestmark = pytest.mark.django_db


def small_draft():
    """Create a draft of few entries, whose page is a tenth as long."""
    words = builtin("home_services")
    few = {group: words[group][:2] for group in ("aspects", "problems", "topics")}
    return services.save_draft("home_services", taxonomy.published("home_services") | few, None)


def test_draft_begins_as_current_taxonomy(admin):
    assert "the built-in words" in page_html(admin.get(VERSIONS))

    response = admin.post(f"{VERSIONS}add/")

    version = Taxonomy.objects.get()
    assert response["Location"] == edit_page(version)
    assert version.content == builtin("home_services")
    assert version.edited_by.username == "admin"
    assert "Continue the draft" in page_html(admin.get(VERSIONS))


def test_unchanged_draft_equals_current_taxonomy(admin):
    version = draft()

    response = admin.post(edit_page(version), form_fields(admin.get(edit_page(version))))

    assert response["Location"] == edit_page(version)
    kept = Taxonomy.objects.get().content
    built_in = builtin("home_services")
    assert set(kept) == set(built_in)
    for group in ("aspects", "problems", "topics"):
        assert [entry["id"] for entry in kept[group]] == [e["id"] for e in built_in[group]]
        for entry, before in zip(kept[group], built_in[group], strict=True):
            assert set(entry["terms"]) == set(before["terms"]), entry["id"]
            signs = {t: s for t, s in before.get("term_polarity", {}).items() if s}
            assert entry.get("term_polarity", {}) == signs
            for name in ("exclude", "weak", "subjects"):
                assert entry.get(name, []) == before.get(name, [])


@pytest.mark.slow
@committing
def test_new_words_are_previewed_and_count_when_published(admin):
    for number in range(3):
        make_review(text=f"The zorbing was great fun on day {number}.", author=f"A{number}")
    refresh()
    version = draft()
    values = form_fields(admin.get(edit_page(version)))
    place = int(values["aspects-TOTAL_FORMS"]) - 1
    values |= {
        f"aspects-{place}-id": "zorbing",
        f"aspects-{place}-label": "Zorbing",
        f"aspects-{place}-terms": "zorb*\r\nzorbing",
        "preview": "",
    }

    response = admin.post(edit_page(version), values)

    previewed = admin.get(response["Location"])
    preview = page_html(previewed)
    row = re.search(r"<tr class=\"changed\">.*?Zorbing.*?</tr>", preview, re.DOTALL)[0]
    assert re.findall(r"<td>(\d+)</td>", row) == ["3", "0"]
    assert "The zorbing was great fun on day 0." in preview

    admin.post(f"{VERSIONS}{version.pk}/publish/", form_fields(previewed))
    refresh()

    published = Taxonomy.objects.get()
    built_in = builtin("home_services")["version"]
    assert (published.version, published.content["version"]) == (built_in + 1, built_in + 1)
    assert b'"id":"zorbing","label":"Zorbing","mention_count":3' in Artifact.objects.get().json
    assert "in force" in page_html(admin.get(VERSIONS))
    assert "zorb*" in page_html(admin.get(edit_page(published)))


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({"id": "Zorb!"}, 'must be of lower-case letters and digits, like "response_time".'),
        ({"id": "punctuality"}, "There are two entries with the id punctuality; rename one."),
        ({"terms": ""}, "An entry without words finds nothing. Enter one or delete the entry."),
        ({"terms": "zorb*ing"}, "“zorb*ing” may have a * only at the end of a word, or by itself."),
        ({"terms": "x" * 1001}, "is longer than 1000 characters."),
        ({"terms": "\n".join(f"w{n}" for n in range(1001))}, "At most 1000 terms are allowed"),
        ({"terms": "a\x00b"}, "Character 2 is U+0000, a control character"),
        ({"praise": "zap", "complaints": "zap"}, "“zap” is listed as praise as well; keep one."),
        ({"weak": "zorb"}, "Leave a word that is not weak, or name a subject."),
    ],
)
def test_invalid_words_are_refused_and_form_is_kept(admin, changed, sentence):
    version = small_draft()
    values = form_fields(admin.get(edit_page(version)))
    place = int(values["aspects-TOTAL_FORMS"]) - 1
    entry = {"id": "zorbing", "label": "Zorbing", "terms": "zorb", "exclude": "my zorb"} | changed
    values |= {f"aspects-{place}-{name}": text for name, text in entry.items()}

    page = page_html(admin.post(edit_page(version), values))

    assert sentence in page
    assert "Nothing is saved yet: correct the open entries." in page
    assert "my zorb" in page
    assert Taxonomy.objects.get().content == version.content


@pytest.mark.parametrize(
    "changed",
    [
        {"aspects-INITIAL_FORMS": "0"},
        {"aspects-INITIAL_FORMS": "x"},
        {"aspects-TOTAL_FORMS": "1"},
        {"aspects-TOTAL_FORMS": "9" * 20},
        {"aspects-TOTAL_FORMS": ""},
    ],
)
def test_wrong_form_counts_lose_no_entry(admin, changed):
    version = small_draft()
    values = form_fields(admin.get(edit_page(version)))

    response = admin.post(edit_page(version), values | changed)

    assert response.status_code in {200, 302}
    kept = Taxonomy.objects.get().content["aspects"]
    assert [entry["id"] for entry in kept] == [e["id"] for e in version.content["aspects"]]


def test_concurrent_edit_of_draft_is_not_overwritten(admin):
    version = small_draft()
    values = form_fields(admin.get(edit_page(version)))
    aspects = [version.content["aspects"][0] | {"label": "Theirs"}, *version.content["aspects"][1:]]
    services.save_draft("home_services", version.content | {"aspects": aspects}, None)

    second = admin.post(edit_page(version), values | {"topics-0-label": "Ours"})

    assert "Somebody else has changed this draft since you opened it" in page_html(second)
    assert Taxonomy.objects.get().content["aspects"] == aspects

    again = form_fields(second)
    assert again["topics-0-label"] == "Ours"
    admin.post(edit_page(version), again)

    assert Taxonomy.objects.get().content["topics"][0]["label"] == "Ours"


@pytest.mark.parametrize("button", ["publish", "discard"])
def test_only_previewed_draft_is_published_or_discarded(admin, button):
    version = small_draft()
    previewed = form_fields(admin.get(f"{VERSIONS}{version.pk}/preview/"))
    services.save_draft("home_services", version.content | {"topics": []}, None)

    response = admin.post(f"{VERSIONS}{version.pk}/{button}/", previewed, follow=True)

    assert "Somebody else has changed this draft since you opened it" in page_html(response)
    assert Taxonomy.objects.drafts().exists()


def test_draft_of_hundreds_of_entries_is_saved(admin):
    many = [{"id": f"zorb{n}", "label": "Zorbing", "terms": [f"zorb{n}"]} for n in range(90)]
    groups = dict.fromkeys(("aspects", "problems", "topics"), many)
    words = taxonomy.published("home_services") | groups
    version = services.save_draft("home_services", words, None)
    values = form_fields(admin.get(edit_page(version))) | {"topics-0-label": "Another"}

    admin.post(edit_page(version), values)

    assert len(values) > 1000
    assert Taxonomy.objects.get().content["topics"][0]["label"] == "Another"


def test_discarded_draft_keeps_current_taxonomy(admin):
    version = draft()

    previewed = form_fields(admin.get(f"{VERSIONS}{version.pk}/preview/"))

    response = admin.post(f"{VERSIONS}{version.pk}/discard/", previewed)

    assert response["Location"] == VERSIONS
    assert not Taxonomy.objects.exists()


def test_invalid_draft_is_not_published_and_its_errors_are_listed(admin):
    words = builtin("home_services")
    version = services.save_draft("home_services", words | {"label": ""}, None)

    previewed = form_fields(admin.get(f"{VERSIONS}{version.pk}/preview/"))
    response = admin.post(f"{VERSIONS}{version.pk}/publish/", previewed, follow=True)

    assert '"label" must be a text of 1 to 100 characters.' in page_html(response)
    assert Taxonomy.objects.drafts().get() == version


def test_published_version_cannot_be_changed(admin):
    version = draft()
    services.publish_draft("home_services", None)

    for page in ("publish", "discard"):
        followed = admin.post(f"{VERSIONS}{version.pk}/{page}/", follow=True)
        assert "not a draft any more; start a new one here" in page_html(followed)
    answered = page_html(admin.post(edit_page(version), {"aspects-TOTAL_FORMS": "0"}))
    assert "A published version does not change" in answered
    assert Taxonomy.objects.get().content["aspects"]


@committing
def test_earlier_version_can_be_published_again(admin):
    first = publish(draft())
    words = first.content | {"aspects": first.content["aspects"][:1]}
    second = publish(services.save_draft("home_services", words, None))

    assert "Start a draft from these words" in page_html(admin.get(edit_page(first)))
    response = admin.post(f"{VERSIONS}{first.pk}/again/")

    begun = taxonomy.draft("home_services")
    assert response["Location"] == edit_page(begun)
    assert begun.content == first.content
    restored = publish(begun)
    assert restored.version == second.version + 1
    assert restored.content["aspects"] == first.content["aspects"]


@committing
def test_built_in_taxonomy_can_be_restored(admin):
    assert "from the built-in words" not in page_html(admin.get(VERSIONS))
    content = builtin("home_services") | {"problems": []}
    publish(services.save_draft("home_services", content, None))
    assert "from the built-in words" in page_html(admin.get(VERSIONS))

    admin.post(f"{VERSIONS}add/", {"builtin": ""})

    assert taxonomy.draft("home_services").content == builtin("home_services")


# --- Themes as aspects ----------------------------------------------------------------------------


@committing
def test_found_theme_becomes_aspect_with_one_click(admin):
    for number in range(6):
        make_review(text=f"The boat rides were great fun on day {number}.", author=f"A{number}")
        make_review(text=f"They came at noon on day {number} and left.", author=f"B{number}")
    refresh()
    page = admin.get(VERSIONS)
    row = re.search(r"<tr><th scope=\"row\">Boat rides.*?</tr>", page_html(page), re.DOTALL)[0]
    assert "<td>6</td><td>6</td><td>0</td>" in row
    assert "Make an aspect: Boat rides" in row
    assert "csrfmiddlewaretoken" in row

    response = admin.post(f"{VERSIONS}aspect/", {"label": "Boat rides", "term": ["boat rides"]})

    draft = Taxonomy.objects.get()
    assert response["Location"] == f"{VERSIONS}{draft.pk}/preview/"
    assert draft.content["aspects"][-1] == {
        "id": "boat_rides", "label": "Boat rides", "terms": ["boat rides"]
    }  # fmt: skip
    assert "Make an aspect: Boat rides" not in page_html(admin.get(VERSIONS))
    publish(draft)
    refresh()
    published = Artifact.objects.get().json
    assert b'"id":"boat_rides","label":"Boat rides","mention_count":6' in published


@pytest.mark.parametrize(
    ("label", "reason"),
    [
        ("?!", "The label of an aspect needs a letter or digit."),
        ("Price and value", "The draft has an aspect “Price and value” already."),
    ],
)
def test_aspect_with_missing_or_used_name_is_refused(admin, label, reason):
    admin.post(f"{VERSIONS}aspect/", {"label": label, "term": ["ride"]})

    assert reason in page_html(admin.get(VERSIONS))
    assert not Taxonomy.objects.exists()
    assert admin.get(f"{VERSIONS}aspect/").status_code == 405
