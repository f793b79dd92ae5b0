"""A small neural network beside the rules, and the rules alone without it."""

import json

import pytest
from django.urls import reverse

from config import checks
from insights import neural, selectors
from insights.backends import RulesAnalyser
from insights.models import Artifact, ReviewAnalysis
from insights.refresh import refresh
from tests.administration import page_html
from tests.factories import make_business, make_review
from tests.review_analysis_neural.networks import judging_network, write

pytestmark = pytest.mark.django_db(transaction=True)

RULES = RulesAnalyser.model_id
NEURAL = "insights.neural.NeuralAnalyser"
TEXT = "An awful price."


@pytest.fixture
def weights(settings, tmp_path):
    """Return the path of weights that the settings name. The file does not exist yet."""
    path = tmp_path / "weights.npz"
    settings.INSIGHTS_ANALYSER = NEURAL
    settings.INSIGHTS_NEURAL_WEIGHTS, settings.INSIGHTS_NEURAL_SHA256 = path, ""
    selectors.analyser.cache_clear()
    yield path
    selectors.analyser.cache_clear()


def analyse():
    make_business()
    make_review(text=TEXT, rating=3)
    refresh()
    return ReviewAnalysis.objects.get()


def by_rules(settings):
    settings.INSIGHTS_ANALYSER = "insights.backends.RulesAnalyser"
    selectors.analyser.cache_clear()
    refresh(everything=True)
    return ReviewAnalysis.objects.get()


def test_network_contributes_and_dataset_names_its_weights(weights, settings):
    sha256 = write(weights, judging_network())

    analysis = analyse()

    assert analysis.model == f"{RULES}+minilm:{sha256[:8]}"
    assert json.loads(Artifact.objects.get().json)["model"] == analysis.model
    assert analysis.score < by_rules(settings).score
    assert checks.neural_network_is_there() == []


@pytest.mark.parametrize("place", ["state", "package"])
def test_one_setting_enables_trained_or_packaged_weights(
    weights, settings, tmp_path, monkeypatch, place
):
    settings.INSIGHTS_NEURAL_WEIGHTS, settings.STATE_DIR = None, tmp_path / "state"
    settings.STATE_DIR.mkdir()
    monkeypatch.setattr("review_analysis_neural.shipped_weights", lambda: weights)
    sha256 = write(weights, judging_network())
    if place == "state":
        other = judging_network() | {"positions": judging_network()["positions"] + 1}
        sha256 = write(settings.STATE_DIR / "neural-weights.npz", other)

    assert analyse().model == f"{RULES}+minilm:{sha256[:8]}"


def no_file(path, settings, monkeypatch):
    return f"The file of weights {path} cannot be read (No such file or directory)."


def other_file(path, settings, monkeypatch):
    sha256 = write(path, judging_network())
    settings.INSIGHTS_NEURAL_SHA256 = "ab" * 32
    return f"The file of weights {path} has the SHA-256 {sha256}, not {'ab' * 32}."


def no_packages(path, settings, monkeypatch):
    write(path, judging_network())
    monkeypatch.setattr(neural, "find_spec", lambda name: None)
    return "numpy and threadpoolctl are not installed."


@pytest.mark.parametrize("prepare", [no_file, other_file, no_packages])
def test_rules_are_used_alone_if_weights_are_unusable(
    weights, settings, admin_client, monkeypatch, prepare
):
    fault = prepare(weights, settings, monkeypatch)

    analysis = analyse()

    assert analysis.model == RULES
    [warning] = checks.neural_network_is_there()
    assert warning.id == "reviews.W006"
    assert warning.msg == f"The rules read the reviews without the neural network: {fault}"
    assert warning.hint.startswith("Install th")
    page = page_html(admin_client.get("/admin/"))
    assert "The rules read the reviews without the neural network" in page
    assert fault in page
    assert reverse("admin:insights_analysisrun_changelist") in page
