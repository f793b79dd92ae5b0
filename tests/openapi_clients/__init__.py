"""Clients generated from the OpenAPI description, made by `make openapi-clients`."""
