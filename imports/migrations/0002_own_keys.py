"""Uploaded files, encrypted under keys of their own instead of the hub's.

Files that no key opens stay as they are.
"""

import base64

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django.conf import settings
from django.db import migrations

HUB, OWN = b'websub subscriber secrets', b'imports'


def keys(purpose):
    return MultiFernet([derived(key, purpose) for key in (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)])


def derived(key, purpose):
    kdf = HKDF(algorithm=SHA256(), length=32, salt=None, info=purpose)
    return Fernet(base64.urlsafe_b64encode(kdf.derive(key.encode())))


def encrypt_again(apps, former, new):
    uploads = apps.get_model('imports', 'ImportUpload').objects
    for upload in uploads.iterator(1):
        stored = bytes(upload.content)
        try:
            # Earlier versions did not encrypt.
            content = former.decrypt(stored) if stored.startswith(b'gAAAAA') else stored
        except InvalidToken:
            continue
        upload.content = new.encrypt(content)
        upload.save(update_fields=['content'])


def forwards(apps, schema_editor):
    encrypt_again(apps, keys(HUB), keys(OWN))


def backwards(apps, schema_editor):
    encrypt_again(apps, keys(OWN), keys(HUB))


class Migration(migrations.Migration):

    dependencies = [
        ('imports', '0001_move_from_reviews'),
    ]

    operations = [
        migrations.RunPython(forwards, backwards),
    ]
