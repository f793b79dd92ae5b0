"""Secrets of second factors, under keys of their own instead of the hub's.

Secrets that no key opens stay as they are.
"""

import base64

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django.conf import settings
from django.db import migrations

HUB, OWN = b'websub subscriber secrets', b'sign_in'


def keys(purpose):
    return MultiFernet([derived(key, purpose) for key in (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)])


def derived(key, purpose):
    kdf = HKDF(algorithm=SHA256(), length=32, salt=None, info=purpose)
    return Fernet(base64.urlsafe_b64encode(kdf.derive(key.encode())))


def encrypt_again(apps, former, new):
    for factor in apps.get_model('mfa', 'Authenticator').objects.iterator(100):
        for name in factor.data.keys() & {'secret', 'seed'}:
            try:
                secret = former.decrypt(factor.data[name].encode())
            except InvalidToken:
                continue
            factor.data[name] = new.encrypt(secret).decode()
            factor.save(update_fields=['data'])


def forwards(apps, schema_editor):
    encrypt_again(apps, keys(HUB), keys(OWN))


def backwards(apps, schema_editor):
    encrypt_again(apps, keys(OWN), keys(HUB))


class Migration(migrations.Migration):

    dependencies = [
        ('mfa', '0003_authenticator_type_uniq'),
    ]

    operations = [
        migrations.RunPython(forwards, backwards),
    ]
