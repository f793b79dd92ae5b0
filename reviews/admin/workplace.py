"""Names of `core.admin.base` as the hub's admin imports them."""

from core.admin.base import is_superuser

__all__ = ["is_superuser"]
