"""Failures of a source, each a sentence with its remedy."""


class SourceFailure(Exception):
    """A look at a source that brought nothing; the source is tried again after a wait.

    The message is shown to administrators: it names cause and remedy, and holds no secret.
    `retry_after_seconds` is the wait that the source itself asks for.
    """

    needs_person = False

    def __init__(self, sentence: str, *, retry_after_seconds: float = 0.0) -> None:
        super().__init__(sentence)
        self.retry_after_seconds = retry_after_seconds


class CredentialsRefused(SourceFailure):
    """A key, password or grant that the source does not accept: no further try helps."""

    needs_person = True


class PushRefused(Exception):
    """A pushed body that is not taken: the status of the answer, and a sentence for the sender."""

    def __init__(self, status: int, sentence: str) -> None:
        super().__init__(sentence)
        self.status = status
