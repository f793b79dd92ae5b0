"""A web process that has just started."""

import subprocess
import sys

import pytest

from tests.processes import GOOD, ROOT, environment

pytestmark = pytest.mark.slow

LOADED = "import sys, config.wsgi; print('config.urls' in sys.modules)"


def test_views_are_loaded_before_the_first_request(tmp_path):
    done = subprocess.run(
        [sys.executable, "-c", LOADED],
        cwd=ROOT,
        env=environment(tmp_path, **GOOD),
        capture_output=True,
        text=True,
        check=True,
    )

    # Half a second; the requests that come meanwhile would be refused for want of a free thread.
    assert done.stdout == "True\n"
