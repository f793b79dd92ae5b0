"""HTTP clients that refuse private and reserved addresses; see README.md."""

from guarded_http.addresses import parse_networks, parse_ports
from guarded_http.client import Client, Connection, Limits, Outcome, retry_after_seconds
from guarded_http.connect import Fault
from guarded_http.session import AddressRefused, AnswerRefused, Session

__version__ = "1.0.0"

__all__ = [
    "AddressRefused",
    "AnswerRefused",
    "Client",
    "Connection",
    "Fault",
    "Limits",
    "Outcome",
    "Session",
    "parse_networks",
    "parse_ports",
    "retry_after_seconds",
]
