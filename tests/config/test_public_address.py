"""The public address of an installation without BASE_URL."""

import stat

import pytest
from django.contrib.auth.models import User

from config import env, public_address
from tests.administration import page_html
from tests.config.test_settings import settings_with

pytestmark = pytest.mark.django_db

PAGE = "/admin/address/"
PUBLIC = "reviews.example.com"


@pytest.fixture
def confirmed(settings, monkeypatch, tmp_path):
    """Return the file of the confirmed address, before one is confirmed."""
    settings.MAY_CONFIRM_ADDRESS = True
    settings.ALLOWED_HOSTS = ["*"]
    file = tmp_path / "public_address"
    monkeypatch.setattr(public_address, "CONFIRMED_ADDRESS", file)
    monkeypatch.setattr(env, "CONFIRMED_ADDRESS", file)
    return file


def test_administrator_confirms_address_of_page(admin_client, confirmed):
    question = page_html(admin_client.get(PAGE, headers={"host": PUBLIC}))
    assert f"Use http://{PUBLIC}" in question
    assert env.confirmed_address() == ""

    done = admin_client.post(PAGE, headers={"host": PUBLIC})

    assert f"Published links start with http://{PUBLIC} from now on." in page_html(done)
    assert done.headers["Refresh"] == f"8; url=http://{PUBLIC}/admin/"
    assert env.confirmed_address() == f"http://{PUBLIC}"
    assert stat.S_IMODE(confirmed.stat().st_mode) & 0o077 == 0


def test_front_page_asks_for_address_until_confirmed(admin_client, confirmed, settings):
    sentence = f"Published links start with {settings.BASE_URL}"

    assert sentence in page_html(admin_client.get("/admin/", headers={"host": PUBLIC}))
    assert sentence not in page_html(
        admin_client.get("/admin/", headers={"host": "localhost:8000"})
    )
    settings.BASE_URL = f"http://{PUBLIC}"
    assert sentence not in page_html(admin_client.get("/admin/", headers={"host": PUBLIC}))


def test_foreign_host_alone_changes_nothing(client, admin_client, confirmed):
    client.get("/", headers={"host": "evil.example"})
    admin_client.get(PAGE, headers={"host": "evil.example"})
    for path in ("/", "/feed.xml", "/llms.txt", "/api/reviews/search"):
        body = client.get(path, headers={"host": "evil.example"}).content
        assert b"evil.example" not in body

    assert not confirmed.exists()


def test_host_without_valid_origin_is_not_confirmed(admin_client, confirmed):
    page = page_html(admin_client.post(PAGE, headers={"host": f"{PUBLIC}:99999"}))

    assert "cannot be a public address" in page
    assert not confirmed.exists()


def test_editor_may_not_confirm(client, confirmed):
    client.force_login(User.objects.create_user("clerk", is_staff=True))

    assert client.post(PAGE, headers={"host": PUBLIC}).status_code == 403
    assert not confirmed.exists()


def test_configured_address_is_not_asked_for(admin_client):
    assert admin_client.get(PAGE).status_code == 404


def test_every_host_is_served_until_one_is_confirmed(monkeypatch, confirmed):
    monkeypatch.setattr(env, "MAY_CONFIRM_ADDRESS", True)
    values = {"SECRET_KEY": "k" * 50, "BASE_URL": f"http://{PUBLIC}"}

    assert "*" in settings_with(monkeypatch, **values)["ALLOWED_HOSTS"]
    confirmed.write_text(f"http://{PUBLIC}\n")
    assert settings_with(monkeypatch, **values)["ALLOWED_HOSTS"][0] == PUBLIC
    assert "*" not in settings_with(monkeypatch, **values)["ALLOWED_HOSTS"]


@pytest.mark.parametrize("content", ["", "javascript:alert(1)", "http://a/path", "\0"])
def test_damaged_file_confirms_nothing(confirmed, content):
    confirmed.write_text(content)

    assert env.confirmed_address() == ""


@pytest.mark.parametrize("name", ["SECRET_KEY", "INSIGHTS_CHAT_KEY", "ADMIN_PASSWORD"])
def test_value_is_read_from_file(monkeypatch, tmp_path, name):
    file = tmp_path / "secret"
    file.write_text("\ufeffopen sesame\n", encoding="utf-8")
    monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv(f"{name}_FILE", str(file))

    assert env.text(name) == "open sesame"


@pytest.mark.parametrize(
    ("content", "said"),
    [(None, "cannot be read"), (b"", "is empty"), (b"\xff\xfe", "not UTF-8")],
)
def test_empty_value_file_is_refused(monkeypatch, tmp_path, content, said):
    file = tmp_path / "secret"
    if content is not None:
        file.write_bytes(content)
    monkeypatch.setenv("ADMIN_PASSWORD_FILE", str(file))

    with pytest.raises(env.SettingRefused, match=f"ADMIN_PASSWORD_FILE names .*{said}"):
        env.text("ADMIN_PASSWORD")


def test_value_and_file_together_are_refused(monkeypatch, tmp_path):
    monkeypatch.setenv("ADMIN_PASSWORD", "one")
    monkeypatch.setenv("ADMIN_PASSWORD_FILE", str(tmp_path / "two"))

    with pytest.raises(env.SettingRefused, match="ADMIN_PASSWORD_FILE are both set"):
        env.text("ADMIN_PASSWORD")
