"""A foreign site that publishes one JSON document with the library alone."""

import json

import pytest

pytestmark = pytest.mark.standalone

SETTINGS = """
SECRET_KEY = "k" * 50
ALLOWED_HOSTS = ["notes.example"]
BASE_URL = "https://notes.example"
INSTALLED_APPS = ["publishing", "notes"]
MIDDLEWARE = ["django.middleware.common.CommonMiddleware"]
ROOT_URLCONF = "notes.urls"
DATABASES = {"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": "notes.sqlite3"}}
"""
URLS = """
import json
from django.http import HttpRequest, HttpResponse
from django.urls import include, path
from publishing import variants
from publishing.responses import CachedDocument
from publishing.views import to_django

def newest(document: CachedDocument, count: int) -> bytes:
    return json.dumps(json.loads(document.identity)["notes"][-count:]).encode()

def newest_notes(request: HttpRequest, count: int) -> HttpResponse:
    answer = variants.respond(
        request.META, "/notes.json", newest, count, media_type="application/json"
    )
    return to_django(answer)

urlpatterns = [path("", include("publishing.urls")), path("newest/<int:count>", newest_notes)]
"""
MODELS = """
from django.db import models, transaction
from publishing.models import Revision

class Note(models.Model):
    id = models.BigAutoField(primary_key=True)
    text = models.TextField()

    @transaction.atomic
    def save(self, *args, **kwargs):
        super().save(*args, **kwargs)
        Revision.raise_("notes")
"""
DOCUMENTS = """
import json
from notes.models import Note
from publishing.registry import JSON, DocumentSpec, registry

def build(changed_at):
    notes = list(Note.objects.order_by("id").values("id", "text"))
    return json.dumps({"changed_at": changed_at.isoformat(), "notes": notes}).encode()

registry.register(
    DocumentSpec(
        path="/notes.json", media_type=JSON, build=build, revision="notes", name="notes",
        title="All notes",
    )
)
"""
WSGI = """
import os
os.environ["DJANGO_SETTINGS_MODULE"] = "notes.settings"
from django.core.wsgi import get_wsgi_application
django = get_wsgi_application()
from publishing.wsgi import PublishedDocuments
entered = []

def counted(environ, start_response):
    entered.append(environ["PATH_INFO"])
    return django(environ, start_response)

application = PublishedDocuments(counted)
"""
READER = """
import gzip, json, time
from notes.wsgi import application, django, entered
from django.core.management import call_command
call_command("makemigrations", "notes", verbosity=0)
call_command("migrate", verbosity=0)
from notes.models import Note
from wsgiref.util import setup_testing_defaults

def get(app=application, **fields):
    environ = {"PATH_INFO": "/notes.json", "HTTP_HOST": "notes.example", **fields}
    setup_testing_defaults(environ)
    started = []
    body = b"".join(app(environ, lambda *given: started.append(given)))
    return int(started[0][0][:3]), dict(started[0][1]), body

Note.objects.create(text="Buy milk.")
status, headers, body = get()
packed = get(HTTP_ACCEPT_ENCODING="gzip")
unchanged = get(HTTP_IF_NONE_MATCH=headers["ETag"])
through_django = get(django)
Note.objects.create(text="Sell milk.")
deadline = time.monotonic() + 20
while (changed := get())[1]["ETag"] == headers["ETag"] and time.monotonic() < deadline:
    time.sleep(0.05)
print(json.dumps({
    "status": status,
    "type": headers["Content-Type"],
    "notes": [note["text"] for note in json.loads(body)["notes"]],
    "gzip": [packed[1]["Content-Encoding"], gzip.decompress(packed[2]) == body],
    "etags differ": packed[1]["ETag"] != headers["ETag"],
    "unchanged": [unchanged[0], unchanged[2].decode()],
    "entered": list(entered),
    "through Django": [through_django[0], through_django[2] == body],
    "changed": [note["text"] for note in json.loads(changed[2])["notes"]],
    "other host": get(HTTP_HOST="other.example")[0],
    "newest": [note["text"] for note in json.loads(get(PATH_INFO="/newest/1")[2])],
}))
"""


@pytest.fixture
def site(installed):
    project = installed("publishing", "django-stubs~=5.2")
    for name, content in (
        ("__init__", ""),
        ("settings", SETTINGS),
        ("urls", URLS),
        ("models", MODELS),
        ("documents", DOCUMENTS),
        ("wsgi", WSGI),
    ):
        project.write(f"notes/{name}.py", content)
    return project


def test_document_has_etag_304_and_gzip(site):
    site.write("reader.py", READER)

    seen = json.loads(site.run("reader.py"))

    assert seen == {
        "status": 200,
        "type": "application/json",
        "notes": ["Buy milk."],
        "gzip": ["gzip", True],
        "etags differ": True,
        "unchanged": [304, ""],
        "entered": [],
        "through Django": [200, True],
        "changed": ["Buy milk.", "Sell milk."],
        "other host": 400,
        "newest": ["Sell milk."],
    }


def test_checks_and_command_work(site):
    settings = {"DJANGO_SETTINGS_MODULE": "notes.settings"}
    site.run("-m", "django", "makemigrations", "notes", **settings)
    site.run("-m", "django", "migrate", "--verbosity", "0", **settings)

    checked = site.run("-m", "django", "check", "--deploy", "--tag", "publishing", **settings)
    first = site.run("-m", "django", "publish_documents", **settings)
    again = site.run("-m", "django", "publish_documents", **settings)

    assert "no issues" in checked
    assert "no issues found" in site.mypy("notes/urls.py")
    assert first == "Published a new version of /notes.json\n"
    assert again == "Every document is up to date.\n"
