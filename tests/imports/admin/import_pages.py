"""Use the import pages as a person does."""

from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from imports.models import ImportBatch

LIST = "/admin/imports/importbatch/"
ADD = f"{LIST}add/"
GOOD = b"id,author,rating,date,text,source\ng-1,Dana R.,5,2026-03-14,Quick.,google\n"
BAD = GOOD + b"=1+1,Bad,0,2026-03-01,+Bad stars,google\n"


def upload(client: Client, content: bytes, name: str = "r.csv", **fields):
    """Upload a file and confirm the proposed columns, unless a question is open."""
    answer = post_file(client, content, name, **fields)
    return confirm(client) if latest().state == ImportBatch.State.CONFIRMING else answer


def post_file(client: Client, content: bytes, name: str = "r.csv", **fields):
    file = SimpleUploadedFile(name, content)
    return client.post(ADD, {"file": file, "source": "google", **fields}, follow=True)


def confirm(client: Client, **answers):
    """Send the page of columns with its presets, replaced by these answers."""
    form = client.get(page("columns", latest())).context["form"]
    preset = {field.html_name: field.value() for field in form}
    given = {name: value for name, value in (preset | answers).items() if value is not None}
    return client.post(page("columns", latest()), given, follow=True)


def latest() -> ImportBatch:
    return ImportBatch.objects.latest("id")


def press(client: Client, name: str, **fields):
    batch = ImportBatch.objects.latest("id")
    return client.post(page(name, batch), fields, follow=True)


def page(name: str, batch: ImportBatch) -> str:
    return reverse(f"admin:imports_importbatch_{name}", args=[batch.pk])
