"""Lighthouse's scores of the public pages, and the sizes of a widget: `make lighthouse`."""
