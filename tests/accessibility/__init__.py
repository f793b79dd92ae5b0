"""Check pages with axe-core, which a test loads into a browser's page."""

from pathlib import Path
from typing import Any

import pytest

from tests.browser import Browser

SCRIPT = Path(__file__).parent / "node_modules/axe-core/axe.min.js"
RUN = """axe.run(document, {resultTypes: ["violations"]}).then(found => found.violations.map(each =>
    `${each.id}: ${each.help} (${each.nodes.map(node => node.target.join(" ")).join(", ")})`))"""


def axe_violations(page: Browser, *, in_frame: bool = False) -> list[str]:
    """Return the rules that the page breaks, including frames and shadow trees.

    With `in_frame` only the document of its first frame is checked. Skips without axe-core.
    """
    if not SCRIPT.exists():
        pytest.skip("needs axe-core: `npm ci` in tests/accessibility")
    # An isolated world is not subject to the page's policy and does not share its names.
    tree = page.send("Page.getFrameTree")["frameTree"]
    frame = (tree["childFrames"][0] if in_frame else tree)["frame"]["id"]
    world = page.send("Page.createIsolatedWorld", frameId=frame, worldName="axe")
    context = world["executionContextId"]
    page.send("Runtime.evaluate", expression=SCRIPT.read_text(), contextId=context)
    done: dict[str, Any] = page.send(
        "Runtime.evaluate",
        expression=RUN,
        contextId=context,
        awaitPromise=True,
        returnByValue=True,
    )
    assert "exceptionDetails" not in done, done
    violations: list[str] = done["result"]["value"]
    return violations
