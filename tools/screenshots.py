"""Take screenshots of every page of the demo.

`python -m tools.screenshots` writes each page at three widths, light and dark, into a folder. For
docs/images it writes a sheet of these six per page, the images of the README, and a manifest of
the date and the digests of the pages' texts, which a test compares with the pages. It needs
Chromium.
"""

import argparse
import base64
import datetime as dt
import hashlib
import io
import json
import os
import re
import tempfile
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any
from wsgiref.simple_server import WSGIRequestHandler, make_server

import time_machine
from PIL import Image, ImageOps

from tools.benchmarks.measuring import ROOT, installation

if TYPE_CHECKING:
    from django.test import Client

    from tests.browser import Browser

IMAGES = ROOT / "docs/images"
MANIFEST = IMAGES / "pages.json"
COMMAND = "python -m tools.screenshots"
NOW = dt.datetime(2026, 11, 1, 9, tzinfo=dt.UTC)  # The day after the demo's end.
MAX_AGE = dt.timedelta(days=180)
WIDTHS, SCHEMES = (360, 768, 1280), ("light", "dark")
HEIGHT, MAX_HEIGHT = 900, 6000  # Pixels of the window, and of an image.
SHEET_HEIGHT, SHEET_SCALE = 1300, 0.5
COLOURS = 64
INVISIBLE = re.compile(r"<(script|style)\b.*?</\1>", re.DOTALL)
README = {"home": 1280, "reviews": 1280, "insights": 768, "administration": 1280, "inbox": 1280}
README_HEIGHT = 1500
LAYOUTS = ("list", "wall", "carousel", "quote", "badge", "bar")
PUBLIC = {
    "home": "/",
    "reviews": "/reviews",
    "reviews-filtered": "/reviews?rating=5&query=on+time",
    "review": "/reviews/{review}",
    "insights": "/insights",
    "aspect": "/insights/aspects/punctuality",
    "developers": "/developers",
    "assistants": "/developers/mcp",
    "status": "/status",
    "not-found": "/nothing",
    **{f"embed-{layout}": f"/embed?layout={layout}" for layout in LAYOUTS},
    "sign-in": "/admin/login/",
}
ADMINISTRATION = {
    "administration": "/admin/",
    "inbox": "/admin/inbox/unanswered/",
    "admin-inbox-review": "/admin/inbox/all/{review}/",
    "admin-setup": "/admin/setup/",
    "admin-reviews": "/admin/reviews/review/",
    "admin-review": "/admin/reviews/review/{review_pk}/change/",
    "admin-import": "/admin/imports/importbatch/add/",
    "admin-sources": "/admin/sources/sourceconnection/",
    "admin-source": "/admin/sources/sourceconnection/{source_pk}/change/",
    "admin-website": "/admin/website/",
    "admin-insights": "/admin/insights/reviewanalysis/",
    "admin-business": "/admin/reviews/business/{business_pk}/change/",
    "admin-users": "/admin/auth/user/",
}


def load_demo() -> dict[str, Any]:
    """Load the demo into an empty database; return values for the paths of its pages."""
    from django.contrib.auth.models import User  # noqa: PLC0415  (Django must be set up)
    from django.core.management import call_command  # noqa: PLC0415

    from insights.refresh import refresh  # noqa: PLC0415
    from publishing.publisher import publish_due  # noqa: PLC0415
    from reviews.models import Business, Review  # noqa: PLC0415
    from sources.models import SourceConnection  # noqa: PLC0415

    call_command("make_demo", stdout=io.StringIO())
    refresh()
    publish_due()
    User.objects.create_superuser("owner", "owner@example.com", "a password of the demo")
    review = Review.objects.filter(reply_text__gt="").newest_first()[0]
    business = Business.objects.get()
    return {
        "review": review.ulid,
        "review_pk": review.pk,
        "business_pk": business.pk,
        "source_pk": SourceConnection.objects.get().pk,
    }


def addresses(values: Mapping[str, Any]) -> dict[str, str]:
    """Return the path of every page by name, the administration last."""
    return {name: path.format(**values) for name, path in {**PUBLIC, **ADMINISTRATION}.items()}


def _signed_in() -> "Client":
    from django.contrib.auth.models import User  # noqa: PLC0415
    from django.test import Client  # noqa: PLC0415

    client = Client()
    client.force_login(User.objects.get(username="owner"))
    return client


def digests(values: Mapping[str, Any]) -> dict[str, str]:
    """Return a digest of each page's text, independent of this machine."""
    from django.conf import settings  # noqa: PLC0415
    from django.test import Client, override_settings  # noqa: PLC0415

    from tests.website.pages import Document  # noqa: PLC0415

    fixed = {"BASE_URL": "https://reviews.example.com", "IS_HTTPS": True, "ALLOWED_HOSTS": ["*"]}
    owner, found = _signed_in(), {}
    with override_settings(**fixed):
        for name, path in addresses(values).items():
            response = (owner if name in ADMINISTRATION else Client()).get(path)
            html = INVISIBLE.sub("", response.content.decode())
            words = " ".join(Document(html).text.split()).replace(str(settings.STATE_DIR), "")
            found[name] = hashlib.sha256(words.encode()).hexdigest()[:16]
    return found


def stale(values: Mapping[str, Any]) -> list[str]:
    """Return the pages whose text has changed since their screenshots."""
    stored = json.loads(MANIFEST.read_text("utf-8"))["pages"]
    current = digests(values)
    return sorted(name for name in {*stored, *current} if stored.get(name) != current.get(name))


def is_old(day: dt.date) -> bool:
    """Whether the screenshots are too old on this day."""
    made = dt.date.fromisoformat(json.loads(MANIFEST.read_text("utf-8"))["date"])
    return day - made > MAX_AGE


class _QuietHandler(WSGIRequestHandler):
    def log_message(self, *args: Any) -> None:
        pass


@contextmanager
def served(folder: Path) -> Iterator[tuple["Browser", str]]:
    """Start a browser and a server with a new database; yield both."""
    server = make_server("127.0.0.1", 0, lambda *_: [], handler_class=_QuietHandler)
    address = f"http://localhost:{server.server_port}"
    os.environ.update(installation(folder, BASE_URL=address, DEBUG="1"))
    import django  # noqa: PLC0415

    django.setup()
    from django.conf import settings  # noqa: PLC0415
    from django.core.management import call_command  # noqa: PLC0415

    settings.DEBUG = False  # Otherwise Django's debug page replaces the error pages.
    from config.wsgi import application  # noqa: PLC0415
    from tests.browser import browser  # noqa: PLC0415

    call_command("migrate", verbosity=0)
    server.set_app(application)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with browser(folder / "profile") as page:
        yield page, address
    server.shutdown()


def capture(page: "Browser", width: int, max_height: int = MAX_HEIGHT) -> Image.Image:
    """Take a screenshot of the open page, from its top."""
    height = min(max_height, max(HEIGHT, page.ask("document.documentElement.scrollHeight")))
    clip = {"x": 0, "y": 0, "width": width, "height": height, "scale": 1}
    shot = page.send("Page.captureScreenshot", clip=clip, captureBeyondViewport=True)
    return Image.open(io.BytesIO(base64.b64decode(shot["data"]))).convert("RGB")


def save_png(picture: Image.Image, path: Path) -> None:
    """Save an image with a palette, which takes a quarter of the bytes."""
    picture.quantize(COLOURS).save(path, optimize=True)


def _pictures(page: "Browser", url: str) -> dict[tuple[int, str], Image.Image]:
    found = {}
    for scheme in SCHEMES:
        features = [
            {"name": "prefers-color-scheme", "value": scheme},
            {"name": "prefers-reduced-motion", "value": "reduce"},
        ]
        page.send("Emulation.setEmulatedMedia", features=features)
        for width in WIDTHS:
            page.open(url, width)
            page.ask("document.fonts.ready.then(() => null)")
            found[width, scheme] = capture(page, width)
    return found


def _sheet(pictures: Mapping[tuple[int, str], Image.Image]) -> Image.Image:
    """Combine the tops of all screenshots of a page, light above dark."""
    gap = 16
    height = min(SHEET_HEIGHT, max(each.height for each in pictures.values()))
    size = sum(WIDTHS) + gap * (len(WIDTHS) + 1), (height + gap) * len(SCHEMES) + gap
    sheet = Image.new("RGB", size, "#8a8f8c")
    for row, scheme in enumerate(SCHEMES):
        x = gap
        for width in WIDTHS:
            shown = pictures[width, scheme].crop((0, 0, width, height))
            sheet.paste(shown, (x, gap + row * (height + gap)))
            x += width + gap
    return ImageOps.scale(sheet, SHEET_SCALE, Image.Resampling.LANCZOS)


def main() -> None:
    """Take the screenshots, and write the manifest."""
    parser = argparse.ArgumentParser(prog=COMMAND, description=__doc__)
    parser.add_argument("--out", type=Path, default=ROOT / "var/screenshots", metavar="FOLDER")
    parser.add_argument(
        "--only", default="", help="pages whose names begin so, into the folder alone"
    )
    given = parser.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    made = dt.datetime.now(dt.UTC).date()
    with (
        tempfile.TemporaryDirectory() as folder,
        time_machine.travel(NOW),
        served(Path(folder)) as (page, address),
    ):
        with time_machine.travel(NOW, tick=False):  # "3 minutes ago" must not depend on speed.
            values = load_demo()
            content = {"date": made.isoformat(), "pages": digests(values)}
        for name, path in addresses(values).items():
            if not name.startswith(given.only):
                continue
            if name in ADMINISTRATION:
                _sign_in(page, address)
            pictures = _pictures(page, f"{address}{path}")
            for (width, scheme), picture in pictures.items():
                save_png(picture, given.out / f"{name}-{width}-{scheme}.png")
            if not given.only:
                _sheet(pictures).save(IMAGES / f"{name}-all.webp", quality=60, method=6)
                if name in README:
                    picture = pictures[README[name], "light"]
                    size = picture.width, min(picture.height, README_HEIGHT)
                    shown = picture.crop((0, 0, *size))
                    save_png(shown, IMAGES / f"{name}.png")
        languages = _languages(page, address)
        _sign_in(page, address)
        notifications = _notifications(page, address, Path(folder))
        for name, picture in [("languages", languages), *notifications]:
            if name.startswith(given.only):
                folder_of = given.out if given.only else IMAGES
                picture.save(folder_of / f"{name}.webp", quality=60, method=6)
        if not given.only:
            MANIFEST.write_text(json.dumps(content, indent=1) + "\n", "utf-8")


def _languages(page: "Browser", address: str) -> Image.Image:
    """Combine the home page on a phone in each language."""
    sheet = Image.new("RGB", (4 * (WIDTHS[0] + 16) + 16, SHEET_HEIGHT + 32), "#8a8f8c")
    for number, path in enumerate(("/", "/de", "/es", "/fr")):
        page.open(f"{address}{path}", WIDTHS[0])
        sheet.paste(capture(page, WIDTHS[0], SHEET_HEIGHT), (16 + number * (WIDTHS[0] + 16), 16))
    return ImageOps.scale(sheet, SHEET_SCALE, Image.Resampling.LANCZOS)


def _notifications(
    page: "Browser", address: str, folder: Path
) -> Iterator[tuple[str, Image.Image]]:
    """Take screenshots of a mail, the log of messages, and the digest."""
    from django.contrib.auth.models import User  # noqa: PLC0415
    from django.test import override_settings  # noqa: PLC0415

    from notifications import mail, record, services  # noqa: PLC0415
    from notifications.digest import digest_of  # noqa: PLC0415
    from notifications.models import Endpoint, Event, EventType, Message, Recipient  # noqa: PLC0415
    from notifications.picture import digest_picture  # noqa: PLC0415
    from reviews.models import Business, Review  # noqa: PLC0415

    business, kind = Business.objects.get().name, EventType.REVIEW_CREATED
    recipient = Recipient(user=User.objects.get(username="owner"), most_stars=5)
    services.save_recipient(recipient)
    services.save_endpoint(Endpoint(name="CRM", url="https://crm.example.com/", events=[kind]))
    with override_settings(EMAIL_ENABLED=True):
        record.publish(
            [
                Event(type=kind, key=each.ulid, data=json.loads(each.fragment), review_id=each.pk)
                for each in Review.objects.visible().newest_first()[:2]
            ]
        )
        mail.queue_due()
    waiting, delivered, news = Message.objects.order_by("-kind", "-pk")
    waiting.attempts, waiting.last_error = 2, "The receiver answered with HTTP 503."
    waiting.save()
    delivered.attempts, delivered.state = 1, Message.State.DELIVERED
    delivered.save()
    written = folder / "mail.html"
    written.write_text(mail.compose(news, recipient, business)[2], "utf-8")
    light = {"name": "prefers-color-scheme", "value": "light"}
    page.send("Emulation.setEmulatedMedia", features=[light])
    shown = {
        "notification-mail": (written.as_uri(), 640, 480),
        "notification-log": (f"{address}/admin/notifications/message/", 1280, 560),
    }
    for name, (url, width, height) in shown.items():
        page.open(url, width)
        yield name, capture(page, width, height)
    digest = digest_picture(digest_of(NOW.date(), 30), business)
    yield "notification-digest", Image.open(io.BytesIO(digest)).reduce(2)


def _sign_in(page: "Browser", address: str) -> None:
    from django.conf import settings  # noqa: PLC0415

    name = settings.SESSION_COOKIE_NAME
    page.send("Network.setCookie", name=name, value=_signed_in().cookies[name].value, url=address)


if __name__ == "__main__":
    main()
