"""A script that analyses three reviews with the library alone."""

import json

import pytest

pytestmark = pytest.mark.standalone

REVIEWS = [
    {"id": 1, "text": "Maren came on time and fixed the leak.", "rating": 5},
    {"id": 2, "text": "Far too expensive, and nobody called back.", "rating": 1},
    {"id": 3, "text": "", "rating": 4},
]
SCRIPT = """
import json
from review_analysis import Analyser, RosterEntry, Taxonomy
from review_analysis.taxonomies import builtin

own: Taxonomy = {
    "id": "own", "version": 1, "vertical": "own", "label": "Own",
    "aspects": [{"id": "price", "label": "Price", "terms": ["price*"], "weak": []}],
}
roster: list[RosterEntry] = [{"id": "maren-holt", "name": "Maren Holt", "role": "plumber"}]
Analyser(own, roster).read("Good prices.", 5)
analyser = Analyser(builtin("home_services"), roster)
for line in open("reviews.jsonl", encoding="utf-8"):
    review = json.loads(line)
    reading = analyser.read(review["text"], review["rating"])
    aspects = {aspect.id: aspect.label for aspect in reading.aspects}
    people = [(person.id, person.role) for person in reading.people]
    print(json.dumps([reading.label, aspects, people]))
"""


def test_script_analyses_three_reviews(installed):
    project = installed("review_analysis")
    project.write("reviews.jsonl", "\n".join(map(json.dumps, REVIEWS)))
    project.write("analyse.py", SCRIPT)

    assert "no issues found" in project.mypy("analyse.py")
    first, second, third = map(json.loads, project.run("analyse.py").splitlines())

    assert first[0] == "positive"
    assert first[1]["punctuality"] == "positive"
    assert first[2] == [["maren-holt", "plumber"]]
    assert second[0] == "negative"
    assert second[1]["price"] == "negative"
    assert third == ["positive", {}, []]
