"""The project's settings with the additions of the conformance suite."""

from config.env import refuse
from config.settings import *  # noqa: F403
from config.settings import DEBUG, IS_HTTPS

if not DEBUG or IS_HTTPS:
    refuse(
        "DJANGO_SETTINGS_MODULE",
        f"is {__name__}, whose tools and prompts say nothing true; it starts with DEBUG=1 and an "
        "http BASE_URL alone",
        "Set it to config.settings, or leave it out.",
    )
