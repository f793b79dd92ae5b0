"""How pages of the administration are read and found."""

import html

from django.urls import reverse


def change_page(row):
    """The address of the row's form."""
    return reverse(f"admin:{row._meta.app_label}_{row._meta.model_name}_change", args=[row.pk])


def shown(response, status=200):
    """The page as it is read."""
    assert response.status_code == status
    return html.unescape(response.content.decode())


def refused(response, sentence):
    """The form came back and says this."""
    assert sentence in shown(response)
