"""Backups written, taken apart, packed again and restored."""

import gzip
import io
import json

from config import backup
from publishing.models import Document


def written():
    out = io.BytesIO()
    backup.write(out)
    return out.getvalue()


def lines(data):
    return [json.loads(line) for line in gzip.decompress(data).splitlines()]


def packed(values):
    return gzip.compress(b"".join(json.dumps(value).encode() + b"\n" for value in values), mtime=0)


def restore(data, *, replace=True):
    return backup.restore(io.BytesIO(data), replace=replace)


def documents():
    stored = Document.objects.values_list("path", "version", "digest", "changed_at")
    return {row[0]: (*row[1:], Document.objects.get(path=row[0]).identity) for row in stored}
