"""Run the code of the recipes in the documentation unchanged."""

import datetime as dt
import json
import re
import shlex
import subprocess
import sys
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command

from reviews.models import Review
from tests.factories import make_business, make_review
from tests.processes import ROOT
from tests.web import web_processes

RECIPES = ROOT / "docs" / "recipes"
PLACE = "https://reviews.example.com"
PROJECT = {
    "settings.py": "SECRET_KEY = 'k'\nROOT_URLCONF = 'urls'\nINSTALLED_APPS = []\nUSE_TZ = True\n"
    "DATABASES = {'default': {'ENGINE': 'django.db.backends.sqlite3', 'NAME': 'db.sqlite3'}}\n",
    "urls.py": "urlpatterns = []\n",
    "manage.py": "import os\nfrom django.core.management import execute_from_command_line as run\n"
    "os.environ['DJANGO_SETTINGS_MODULE'] = 'settings'\nimport sys\nrun(sys.argv)\n",
    "mirror/__init__.py": "",
}
DELIVER = """
import sys
from pathlib import Path
from mirror.models import Review
from websub.subscriber import content_received
content_received.send(None, subscription=None, body=Path("reviews.json").read_bytes())
print([(each.id, str(each.date), each.rating, each.text) for each in Review.objects.all()])
"""


def blocks(recipe: str, language: str) -> list[str]:
    text = (RECIPES / f"{recipe}.md").read_text()
    return re.findall(rf"```{language}\n(.*?)```", text, re.DOTALL)


@pytest.mark.django_db
@pytest.mark.parametrize("recipe", sorted(path.stem for path in RECIPES.glob("*.md")))
def test_urls_of_recipes_respond(recipe, client, published):
    text = (RECIPES / f"{recipe}.md").read_text().replace("&amp;", "&")
    paths = set(re.findall(rf"{PLACE}(/[^\s\"'`)]*)", text)) - {"/mcp"}

    assert paths or recipe in {"claude", "import"}
    for path in paths:
        assert client.get(path).status_code == 200, path


@pytest.mark.django_db
def test_commands_import_a_file(monkeypatch, tmp_path):
    make_business()
    monkeypatch.chdir(tmp_path)
    heading = "Posted,Stars,Customer,What they said"
    Path("my-export.csv").write_text(f"{heading}\n2026-01-05,4,Ann,Neat and quick.\n")
    (commands,) = blocks("import", "sh")

    stored = []
    for line in commands.splitlines():
        _, name, *arguments = shlex.split(line)
        call_command(name, *arguments, stdout=StringIO())
        stored.append([each.text for each in Review.objects.all()])

    assert stored == [[], ["Neat and quick."], ["Neat and quick."]]


@pytest.mark.slow
def test_program_queries_running_server(tmp_path):
    (program,) = blocks("claude", "python")
    (config,) = blocks("claude", "json")
    with web_processes(tmp_path / "state", count=1) as (port,):
        source = program.replace(PLACE, f"http://127.0.0.1:{port}")
        printed = run(tmp_path, "-c", source)

    assert json.loads(config)["mcpServers"]["reviews"]["url"] in program
    assert "reviews" in printed.splitlines()[0]
    assert re.search(r"(?m)^\d{4}-\d\d-\d\d [12] \w", printed)


@pytest.mark.slow
@pytest.mark.django_db
def test_django_site_stores_deliveries(client, published, tmp_path):
    for name, content in PROJECT.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(content)
    for block in blocks("django", "python"):
        name = block.partition("\n")[0].removeprefix("# ")
        with (tmp_path / name).open("a") as file:
            file.write(block)
    (tmp_path / "reviews.json").write_bytes(client.get("/reviews.json").content)
    commands = blocks("django", "sh")[1]
    first = re.search(r'(?s)shell -c "(.*?)"', commands)[1].strip()
    for line in re.findall(r"(?m)^python (manage.py [\w ]+)$", commands):
        run(tmp_path, *line.split())

    run(tmp_path, "manage.py", "shell", "-c", first, given=tmp_path / "reviews.json")
    printed = run(tmp_path, "manage.py", "shell", "-c", DELIVER)

    assert printed.splitlines()[-1] == repr([(published.ulid, "2026-01-05", 4, "Neat & quick.")])


@pytest.fixture
def published(db):
    make_business()
    review = make_review(rating=4, text="Neat & quick.", date=dt.date(2026, 1, 5))
    call_command("publish_documents", stdout=StringIO())
    return review


def run(folder: Path, *arguments: str, given: Path | None = None) -> str:
    with (given or Path("/dev/null")).open() as stdin:
        done = subprocess.run(
            [sys.executable, *arguments],
            cwd=folder,
            env={"PYTHONPATH": str(ROOT)},
            stdin=stdin,
            capture_output=True,
            text=True,
            check=False,
        )
    assert done.returncode == 0, done.stderr
    return done.stdout
