"""Optional analyser with a small neural network; INSIGHTS_ANALYSER selects it.

If its packages or weights are missing, the rules analyse alone. The system checks and the front
page of the administration report that.
"""

import logging
from importlib.util import find_spec
from typing import TYPE_CHECKING

from django.conf import settings

from insights.backends import RulesAnalyser
from review_analysis import MODEL

if TYPE_CHECKING:
    from review_analysis_neural import NeuralModel

logger = logging.getLogger(__name__)

PACKAGES = ("numpy", "threadpoolctl")
_INSTALL = "Install them: pip install --require-hashes -r requirements-neural.txt"
_GET = (
    "Install those of the package (pip install --no-deps review-analysis-neural), train them "
    "(docs/insights.md), or set INSIGHTS_NEURAL_WEIGHTS to where they are."
)


class NeuralModelMissing(Exception):
    """The network cannot be used, with the fault and its remedy."""

    def __init__(self, fault: str, remedy: str) -> None:
        super().__init__(fault)
        self.fault = fault
        self.remedy = remedy


def load_model() -> "NeuralModel":
    """Load the network from the settings, else the trained one, else the shipped one.

    Raises `NeuralModelMissing`.
    """
    if missing := [name for name in PACKAGES if find_spec(name) is None]:
        raise NeuralModelMissing(f"{' and '.join(missing)} are not installed.", _INSTALL)
    # Its dependencies are optional.
    from review_analysis_neural import NeuralModel, WeightsRefused, shipped_weights  # noqa: PLC0415

    trained = settings.STATE_DIR / "neural-weights.npz"
    found = trained if trained.exists() else shipped_weights()
    path = settings.INSIGHTS_NEURAL_WEIGHTS or found
    try:
        return NeuralModel.load(path, settings.INSIGHTS_NEURAL_SHA256)
    except WeightsRefused as refused:
        raise NeuralModelMissing(f"The file of weights {path} {refused}.", _GET) from refused


class NeuralAnalyser(RulesAnalyser):
    """Analyse by the rules, with a network as a second model of polarity."""

    batch_size = 20
    batch_seconds = 120.0  # A usual review takes 0.05 s, the longest 2 s.

    def __init__(self) -> None:
        super().__init__()
        self.fault: NeuralModelMissing | None = None
        try:
            self._second_model = load_model()
        except NeuralModelMissing as missing:
            self.fault = missing
            logger.warning("The rules read alone: %s %s", missing.fault, missing.remedy)
        else:
            self.model_id = f"{MODEL}+{self._second_model.name}"
