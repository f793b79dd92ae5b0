"""The walks that `tools.walks` counts, each a function that may be called again and again."""

import io
import time
from collections.abc import Callable
from itertools import count
from pathlib import Path

from django.contrib.auth import get_user_model
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from config.wsgi import application
from imports import tasks
from imports.models import ImportBatch
from publishing.tasks import publish_due
from reviews import services
from reviews.models import Review
from tests.wsgi import ask, environment
from tools.benchmarks import tool_calls
from tools.chaos import editor
from tools.chaos.sink import Sink
from tools.demo_reviews import __main__ as demo_reviews
from websub.tasks import deliver_due

MCP_HEADERS = {"http_host": "localhost", "content_type": "application/json"} | {
    f"http_{name.lower().replace('-', '_')}": value
    for name, value in tool_calls.HEADERS.items()
    if name != "Content-Type"
}
HEAD = "id,author,rating,date,text,source\n"


def prepare(state: Path, sink: Sink) -> dict[str, Callable[[], object]]:
    """Make a demo, an administrator and a subscriber; the walks by their names."""
    out = io.StringIO()
    call_command("migrate", verbosity=0)
    demo_reviews.main(["--reviews", "40"])
    call_command("refresh_insights", stdout=out)
    publish_due()
    admin, numbers = Client(HTTP_HOST="localhost"), count()
    admin.force_login(get_user_model().objects.create_superuser("office"))
    (subscriber,) = sink.crowd("walk", {"healthy": 1})
    editor.enrol("http://localhost/api/feed.json", (subscriber.callback, subscriber.secret))

    def rows() -> bytes:
        lines = [f"w-{next(numbers)},Ann B.,5,2026-01-0{day},Quick.,google\n" for day in (1, 2)]
        return (HEAD + "".join(lines)).encode()

    def get(path: str, query: str) -> None:
        status, _, body = ask(application, environment(query, path=path, http_host="localhost"))
        assert status.startswith("200"), body

    def call_tool() -> None:
        body = tool_calls.call("2026-06-30", next(numbers) + 1).encode()
        environ = environment(path="/mcp", method="POST", body=body, **MCP_HEADERS)
        status, _, answer = ask(application, environ)
        assert status.startswith("200"), answer

    def import_file() -> None:
        (state / "rows.csv").write_bytes(rows())
        call_command("import_reviews", str(state / "rows.csv"), "--accept", stdout=out)

    def upload() -> None:
        file = SimpleUploadedFile("rows.csv", rows())
        admin.post(reverse("admin:imports_importbatch_add"), {"file": file, "source": "google"})
        batch = ImportBatch.objects.latest("id")
        tasks.work_off_batch(batch.pk)
        admin.post(reverse("admin:imports_importbatch_apply", args=[batch.pk]))
        tasks.work_off_batch(batch.pk)
        batch.refresh_from_db()
        assert batch.state == ImportBatch.State.APPLIED, batch.state

    def upload_and_publish() -> None:
        upload()
        publish_due()

    def edit_and_deliver() -> None:
        posts = len(sink.posts[subscriber.path])
        review = Review.objects.visible().newest_first()[0]
        services.edit_review(review, {"text": f"Edit {next(numbers)}."})
        publish_due()
        time.sleep(1)  # A subscription is delivered to once a second.
        deliver_due()
        assert len(sink.posts[subscriber.path]) > posts

    return {
        "search": lambda: get("/api/reviews/search", f"query=late&limit={next(numbers) + 1}"),
        "MCP tools/call": call_tool,
        "list page": lambda: get("/reviews", "rating=5"),
        "import_reviews of two rows": import_file,
        "CSV upload to stored reviews": upload,
        "CSV upload to documents": upload_and_publish,
        "edit to callback": edit_and_deliver,
    }
