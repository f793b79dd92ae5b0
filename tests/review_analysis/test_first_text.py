"""A text is read alike whatever the process has read before."""

import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

PROJECT = Path(__file__).resolve().parents[2]
READ_TWICE = """
from review_analysis import analyse
text = "Sunday morning and we did not wait long for help. Ana moved the visit with no trouble!"
taxonomy = {"aspects": [{"id": "responsiveness", "label": "Responsiveness", "terms": ["wait"]}]}
first = analyse(text, 5, taxonomy, [])
assert first["aspects"]
print(first == analyse(text, 5, taxonomy, []))
"""


def test_the_first_text_of_a_process_is_read_like_every_other():
    done = subprocess.run(
        [sys.executable, "-c", READ_TWICE], cwd=PROJECT, capture_output=True, text=True, check=True
    )

    assert done.stdout.strip() == "True"
