"""Six tasks of an office manager in a real browser, in fewer than six clicks each."""

import re
from pathlib import Path

import pytest
from allauth.mfa.models import Authenticator
from django.contrib.auth.models import Group, User
from django.test import Client
from django.utils import timezone

from imports.models import ImportBatch
from imports.tasks import process_batches
from publishing.publisher import publish_due
from reviews.models import Review
from tests.browser import NavigatedError
from tests.factories import make_business, make_review
from tests.sign_in.test_second_factor import code_of
from tests.waiting import wait_until

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]

PASSWORD = "moss under nine lanterns"
TABLE = "author,rating,date,text,source\nDana Fell,5,2026-05-01,They came at once.,google\n"
TABLE_OF_TASKS = Path(__file__).parents[2] / "docs/administration.md"
SEEN = "each => each.checkVisibility() && !each.disabled"
BEYOND = "document.documentElement.scrollWidth - innerWidth"


class Office:
    """A user at the front page, whose clicks are counted."""

    def __init__(self, chromium, url):
        self.page, self.clicks = chromium, 0
        chromium.open(f"{url}/admin/", 1280)

    def click(self, words, *, leads_on=True):
        """Press the first visible control with this label, then wait for a new page."""
        self.clicks += 1
        self.page.ask("window.isOld = true")
        pressed = self.page.ask(
            "(() => { const found = [...document.querySelectorAll("
            "'a, button, summary, label, input[type=submit]')]"
            f".filter({SEEN}).map(each => [each, (each.innerText || each.value || '').trim()]);"
            f" const control = found.find(([, words]) => words === {words!r})"
            f" ?? found.find(([, words]) => words.startsWith({words!r}));"
            " control?.[0].click(); return !!control })()"
        )
        assert pressed, (words, self.page.ask("document.body.innerText"))
        if leads_on:
            wait_until(self._is_new)

    def _is_new(self):
        try:
            return self.page.ask("!window.isOld && document.readyState === 'complete'")
        except NavigatedError:
            return False

    def fill(self, **values):
        for name, value in values.items():
            self.page.ask(f"document.getElementsByName({name!r})[0].value = {value!r}")

    def choose_file(self, path):
        found = self.page.send("Runtime.evaluate", expression="document.querySelector('#id_file')")
        self.page.send(
            "DOM.setFileInputFiles", files=[str(path)], objectId=found["result"]["objectId"]
        )

    def text(self):
        return self.page.ask("document.body.innerText")

    def wait_for_import(self):
        """Run the worker's task until the import has its result."""
        process_batches(*ImportBatch.objects.values_list("pk", flat=True))
        assert not ImportBatch.objects.filter(state__in=ImportBatch.PENDING).exists()
        self.page.ask("window.isOld = true")
        self.page.send("Page.reload")
        wait_until(self._is_new)


@pytest.fixture
def signed_in(live_server, chromium, settings):
    """Sign a new owner in with the browser."""
    settings.SESSION_COOKIE_NAME, settings.CSRF_COOKIE_NAME = "sessionid", "csrftoken"
    settings.SESSION_COOKIE_SECURE = settings.CSRF_COOKIE_SECURE = False
    settings.CSRF_TRUSTED_ORIGINS = [live_server.url]
    User.objects.create_superuser("owner", password=PASSWORD)
    client = Client()
    client.post("/admin/login/?next=/admin/", {"username": "owner", "password": PASSWORD})
    chromium.send("Network.clearBrowserCookies")
    chromium.send(
        "Network.setCookie",
        name="sessionid",
        value=client.cookies["sessionid"].value,
        url=live_server.url,
    )
    return chromium


@pytest.fixture
def office(signed_in, live_server):
    make_business()
    return Office(signed_in, live_server.url)


def test_first_file_is_published(office, tmp_path, client):
    (tmp_path / "may.csv").write_text(TABLE)

    bring_file(office, tmp_path / "may.csv")

    publish_due()
    assert "They came at once." in client.get("/reviews").content.decode()
    assert office.clicks == documented("Make a first file public")


def bring_file(office, path):
    office.click("Import")
    office.click("Add import")
    office.choose_file(path)
    office.click("Read the file")
    office.wait_for_import()
    if "What do the columns mean?" in office.text():
        office.click("Confirm, and show what would be imported")
        office.wait_for_import()
    office.click("Import the 1 good row")
    office.wait_for_import()


def test_review_is_hidden_with_reason(signed_in, live_server):
    make_business()
    make_review(rating=1, text="Not about this business at all.", date=timezone.now().date())
    office = Office(signed_in, live_server.url)

    office.click("Inbox")
    office.click("Hide from the public", leads_on=False)
    office.click("Spam", leads_on=False)
    office.click("Hide")

    assert Review.objects.get().hidden_reason == "spam"
    assert office.clicks == documented("Hide a review with a reason")


def test_import_is_undone(office, tmp_path):
    (tmp_path / "may.csv").write_text(TABLE)
    bring_file(office, tmp_path / "may.csv")
    office = Office(office.page, re.sub(r"/admin/.*", "", office.page.ask("location.href")))

    office.click("Import")
    office.click("may.csv")
    office.click("Undo this import")
    office.click("Yes, undo this import")
    office.wait_for_import()

    assert not Review.objects.exists()
    assert office.clicks == documented("Undo an import")


def test_second_user_gets_role_and_password_in_one_form(office):
    viewer, _ = Group.objects.get_or_create(name="Viewer")

    office.click("Settings")
    office.click("Users")
    office.click("Add user")
    office.fill(username="dana", password1=PASSWORD, password2=PASSWORD, role=str(viewer.pk))
    office.click("Save")

    user = User.objects.get(username="dana")
    assert (user.is_staff, [*user.groups.all()], user.check_password(PASSWORD)) == (
        *(True, [viewer]),
        True,
    )
    assert office.clicks == documented("Give a second user an account")


def test_widget_code_is_copied(office):
    office.page.send(
        "Browser.grantPermissions", permissions=["clipboardReadWrite", "clipboardSanitizedWrite"]
    )

    office.click("Website")
    office.click("Copy", leads_on=False)

    wait_until(lambda: "Copied." in office.text())
    assert office.clicks == documented("Copy the code of a widget")


def test_second_factor_is_enabled(office):
    office.click("Your sign-in")
    office.click("Set up an app")
    secret = office.page.ask("document.querySelector('#authenticator_secret').value")
    office.fill(code=code_of(secret))
    office.click("Set up")

    assert Authenticator.objects.filter(type=Authenticator.Type.TOTP).exists()
    assert office.clicks == documented("Switch the second step on")


def documented(task):
    """Return the number of clicks in the documentation, which is below six."""
    found = re.search(rf"^\| {task} \|[^|]+\| (\d) \|$", TABLE_OF_TASKS.read_text(), re.MULTILINE)
    assert found, task
    assert int(found[1]) < 6
    return int(found[1])


def test_browser_sends_time_zone_and_working_days_are_one_row(signed_in, live_server):
    signed_in.send("Emulation.setTimezoneOverride", timezoneId="Asia/Calcutta")
    signed_in.open(f"{live_server.url}/admin/setup/place/", 1280)

    wait_until(lambda: "zone=" in signed_in.ask("location.search"))
    wait_until(lambda: signed_in.ask("document.readyState === 'complete'"))

    assert signed_in.ask("document.querySelector('#id_time_zone').value") == "Asia/Kolkata"
    assert signed_in.ask("document.querySelector('#id_country').value") == "IN"
    rows = "[...document.querySelectorAll('.hours-day')].filter(each => each.offsetHeight).length"
    assert signed_in.ask(rows) == 3
    signed_in.ask("document.querySelector('[name=hours-same]').click()")
    assert signed_in.ask(rows) == 7
    signed_in.send("Emulation.setTimezoneOverride", timezoneId="")
