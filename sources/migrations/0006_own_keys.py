"""Secrets and stored content of sources, under keys of their own instead of the hub's.

What none of our keys opens stays as it is.
"""

import base64

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django.conf import settings
from django.db import migrations

HUB, SOURCES = b'websub subscriber secrets', b'sources'


def keys(purpose):
    return MultiFernet([derived(key, purpose) for key in (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)])


def derived(key, purpose):
    kdf = HKDF(algorithm=SHA256(), length=32, salt=None, info=purpose)
    return Fernet(base64.urlsafe_b64encode(kdf.derive(key.encode())))


def encrypted_for(stored, former, new):
    """The stored bytes under the keys of the new purpose; bytes of earlier versions were not encrypted."""
    try:
        content = former.decrypt(stored) if stored.startswith(b'gAAAAA') else stored
    except InvalidToken:
        return stored
    return new.encrypt(content)


def encrypt_again(apps, former, new):
    connections = apps.get_model('sources', 'SourceConnection').objects
    for connection in connections.exclude(encrypted_secret='').only('encrypted_secret').iterator(100):
        stored = connection.encrypted_secret.encode()
        if stored.startswith(b'gAAAAA'):
            connection.encrypted_secret = encrypted_for(stored, former, new).decode()
            connection.save(update_fields=['encrypted_secret'])
    runs = apps.get_model('sources', 'SourceRun').objects
    for run in runs.exclude(content=None).only('content').iterator(1):
        run.content = encrypted_for(bytes(run.content), former, new)
        run.save(update_fields=['content'])


def forwards(apps, schema_editor):
    encrypt_again(apps, keys(HUB), keys(SOURCES))


def backwards(apps, schema_editor):
    encrypt_again(apps, keys(SOURCES), keys(HUB))


class Migration(migrations.Migration):

    dependencies = [
        ('sources', '0005_set_aside'),
    ]

    operations = [
        migrations.RunPython(forwards, backwards),
    ]
