"""Where insights are curated, and editions of a taxonomy to curate."""

import pytest

from insights import services, taxonomy

# Changes that follow one another are seen one by one only if each is committed.
committing = pytest.mark.django_db(transaction=True)
VERSIONS = "/admin/insights/taxonomy/"
ANALYSES = "/admin/insights/reviewanalysis/"
TEXTS = "/admin/insights/insighttext/"
RUNS = "/admin/insights/analysisrun/"


def draft():
    return services.save_draft("home_services", taxonomy.published("home_services"), None)


def publish(version):
    return services.publish_draft(version.vertical, None)


def edit_page(version):
    return f"{VERSIONS}{version.pk}/change/"
