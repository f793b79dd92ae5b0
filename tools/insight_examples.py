"""Insights pages of invented businesses with trouble, compared with an analyst's summary.

`python -m tools.insight_examples` writes docs/images/trouble-*.png and docs/insights-examples.md.
It needs Chromium.
"""

import datetime as dt
import json
import random
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tools.benchmarks.measuring import ROOT
from tools.screenshots import IMAGES, capture, save_png, served

if TYPE_CHECKING:
    from tests.browser import Browser

BUSINESSES = sorted((ROOT / "tests/insights/businesses").glob("*.json"))
PAGE = ROOT / "docs/insights-examples.md"
NEWEST, YEAR = dt.date(2026, 3, 31), 365
WIDTH, HEIGHT = 768, 1600
HEAD = """# Businesses with trouble, and what their insights say

Five businesses with 55 to 67 reviews each, invented for this project
(`tests/insights/businesses/`), with complaints of many kinds, some of which no word list contains.
The three sentences of an analyst were written before the page was seen. The page finds fewer
complaints than the analyst, so it counts "at least", ranks no complaint as the first, and links to
the reviews in which it recognised nothing. `python -m tools.insight_examples` makes this page and
its pictures.
"""


def load(path: Path) -> dict[str, Any]:
    """Create the rows of a business and refresh its insights; return the file's content."""
    from insights.refresh import refresh  # noqa: PLC0415  (Django must be set up)
    from reviews.models import Business, Review, Technician  # noqa: PLC0415
    from reviews.roster import rematch_due  # noqa: PLC0415

    content: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    Business.objects.create(slug=path.stem, name=content["name"], vertical=content["vertical"])
    for name in content["people"]:
        Technician.objects.create(slug=name.lower().replace(" ", "-"), name=name)
    for review in _reviews(content, Review):
        review.save()
    rematch_due()
    refresh()
    return content


def _reviews(content: dict[str, Any], model: Any) -> Iterator[Any]:
    """Yield the reviews of two years, spread evenly over each."""
    for years, period in enumerate(("latest", "before")):
        rows = list(content[period])
        random.Random(1).shuffle(rows)  # noqa: S311 - repeatable, not secret
        for number, (rating, text) in enumerate(rows):
            days = YEAR * years + number * (YEAR - 1) // len(rows)
            key = f"{period}-{number}"
            yield model(
                source="google",
                external_id=key,
                author=f"Customer {key}",
                rating=rating,
                date=NEWEST - dt.timedelta(days=days),
                text=text,
            )


def main() -> None:
    """Write page and pictures, with a separate process and installation per business."""
    if sys.argv[1:]:
        _show(ROOT / sys.argv[1])
        return
    command = (sys.executable, "-m", "tools.insight_examples")
    parts = [
        subprocess.run(  # noqa: S603 - our own
            [*command, path.relative_to(ROOT)], check=True, stdout=subprocess.PIPE, text=True
        )
        for path in BUSINESSES
    ]
    PAGE.write_text("\n".join([HEAD, *(part.stdout for part in parts)]), encoding="utf-8")


def _show(path: Path) -> None:
    with tempfile.TemporaryDirectory() as folder, served(Path(folder)) as (page, address):
        sys.stdout.write(_example(page, path, address))


def _example(page: "Browser", path: Path, address: str) -> str:
    from insights.documents import insights  # noqa: PLC0415
    from publishing.publisher import publish_due  # noqa: PLC0415

    content = load(path)
    publish_due()
    page.open(f"{address}/insights", WIDTH)
    image = IMAGES / f"trouble-{path.stem.replace('_', '-')}.png"
    save_png(capture(page, WIDTH, HEIGHT), image)
    lists = page.ask(
        "[...document.querySelectorAll('.opinion-name, #changes-title ~ p')]"
        ".map(each => '- ' + each.textContent).join('\\n')"
    )
    unknown = insights()["complaints"]["unrecognised_count"]
    analyst = "\n".join(f"- {sentence}" for sentence in content["analyst"])
    return (
        f"## {content['name']}\n\n[The page](images/{image.name})\n\nAn analyst:\n\n{analyst}\n\n"
        f"The page:\n\n{lists}\n- {unknown} unhappy reviews in which nothing was recognised.\n"
    )


if __name__ == "__main__":
    main()
