"""Storage of scheduled backups, in a folder or an S3 bucket."""

import shutil
from pathlib import Path
from typing import Any, Protocol
from urllib.parse import urlsplit

from django.conf import settings

S3 = "s3://"


class Store(Protocol):
    def put(self, name: str, file: Path) -> None: ...

    def get(self, name: str, file: Path) -> None: ...

    def names(self) -> list[str]: ...

    def delete(self, name: str) -> None: ...


class FolderStore:
    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def put(self, name: str, file: Path) -> None:
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        part = self._folder / f"{name}.part"
        try:
            shutil.copyfile(file, part)
            part.replace(self._folder / name)
        finally:
            part.unlink(missing_ok=True)

    def get(self, name: str, file: Path) -> None:
        shutil.copyfile(self._folder / name, file)

    def names(self) -> list[str]:
        return sorted(path.name for path in self._folder.iterdir() if path.is_file())

    def delete(self, name: str) -> None:
        (self._folder / name).unlink(missing_ok=True)


class S3Store:
    """A bucket with an optional prefix."""

    def __init__(self, address: str) -> None:
        from obstore.store import S3Store as Bucket  # noqa: PLC0415  (optional)

        bucket, prefix = urlsplit(address).netloc, urlsplit(address).path.strip("/")
        options: dict[str, Any] = {"region": settings.BACKUP_S3_REGION}
        if settings.BACKUP_S3_ENDPOINT:
            options["endpoint"] = settings.BACKUP_S3_ENDPOINT
        is_plain = settings.BACKUP_S3_ENDPOINT.startswith("http://")
        self._bucket = Bucket(
            bucket,
            prefix=prefix or None,
            access_key_id=settings.BACKUP_S3_KEY_ID,
            secret_access_key=settings.BACKUP_S3_SECRET,
            client_options={"allow_http": is_plain, "timeout": "300s"},
            retry_config={"max_retries": 2},
            **options,
        )

    def put(self, name: str, file: Path) -> None:
        self._bucket.put(name, file)

    def get(self, name: str, file: Path) -> None:
        with file.open("wb") as content:
            for chunk in self._bucket.get(name).stream():
                content.write(chunk)

    def names(self) -> list[str]:
        return sorted(entry["path"] for entries in self._bucket.list() for entry in entries)

    def delete(self, name: str) -> None:
        self._bucket.delete(name)


def store() -> Store:
    if settings.BACKUP_TO.startswith(S3):
        return S3Store(settings.BACKUP_TO)
    return FolderStore(settings.BASE_DIR / settings.BACKUP_TO)
