"""Sources of five makers become sources of the kind `api`, by the recipe of their former kind."""

import base64
import json

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django.conf import settings
from django.db import migrations

MAKERS = ('apify', 'outscraper', 'dataforseo', 'serpapi', 'trustpilot')
RENAMED = {'request': 'job', 'task': 'job', 'unit': 'found'}


def to_recipes(apps, schema_editor):
    connections = apps.get_model('sources', 'SourceConnection').objects
    for connection in connections.filter(kind__in=MAKERS):
        for run in connection.runs.exclude(state_before={}):
            run.state_before = state_of(run.state_before)
            run.save(update_fields=['state_before'])
        if connection.kind == 'apify':
            connection.encrypted_secret = with_key(connection.encrypted_secret)
        connection.settings = {**connection.settings, 'recipe': connection.kind}
        connection.fetch_state = state_of(connection.fetch_state)
        connection.kind = 'api'
        connection.save(update_fields=['kind', 'settings', 'fetch_state', 'encrypted_secret'])


def state_of(state):
    state = {RENAMED.get(name, name): value for name, value in state.items()}
    if isinstance(state.get('newest'), list):
        state['newest'] = {identifier: [] for identifier in state['newest']}
    return state


def with_key(encrypted):
    """Keep Apify's token under a name of its own: its former name is that of the address's token.

    The address to send to stays valid. A secret that our keys do not open stays as it is.
    """
    if not encrypted:
        return encrypted
    keys = MultiFernet([derived(key) for key in (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)])
    try:
        secrets = json.loads(keys.decrypt(encrypted.encode()))
    except InvalidToken:
        return encrypted
    secrets.setdefault('key', secrets.get('token', ''))
    return keys.encrypt(json.dumps(secrets).encode()).decode()


def derived(key):
    kdf = HKDF(algorithm=SHA256(), length=32, salt=None, info=b'websub subscriber secrets')
    return Fernet(base64.urlsafe_b64encode(kdf.derive(key.encode())))


class Migration(migrations.Migration):

    dependencies = [
        ('sources', '0003_merged_runs'),
    ]

    operations = [
        migrations.RunPython(to_recipes, migrations.RunPython.noop),
    ]
