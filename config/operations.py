"""How the views name their operations, for the description of the interface."""

from typing import Any

from drf_spectacular.openapi import AutoSchema


class OperationSchema(AutoSchema):
    """Tells drf-spectacular an operation's id alone; `config.openapi` describes the rest."""

    def get_operation(
        self, path: str, path_regex: str, path_prefix: str, method: str, registry: Any
    ) -> dict[str, Any] | None:
        self.path, self.path_regex, self.path_prefix = path, path_regex, path_prefix
        self.method, self.registry = method, registry
        return None if self.is_excluded() else {"operationId": self.get_operation_id()}

    def get_operation_id(self) -> str:
        """The view's own `operation_id`, or that of an `extend_schema` on its method."""
        named: str = getattr(self.view, "operation_id", "") or super().get_operation_id()
        return named
