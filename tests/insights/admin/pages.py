"""Pages that curate insights, and drafts of a taxonomy."""

import pytest

from insights import services, taxonomy

# Successive changes are seen separately only if each is committed.
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
