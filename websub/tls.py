"""The TLS context of the hub's client."""

import ssl
from functools import cache
from pathlib import Path


class NoTrustedAuthorities(OSError):
    """No certificate authority can be found, so no callback's certificate can be checked."""


@cache
def tls_context(ca_bundle: str) -> ssl.SSLContext:
    """One context for all connections: parsing the certificates costs more than a delivery.

    Raises NoTrustedAuthorities, or another OSError for a bundle that cannot be read.
    """
    context = ssl.create_default_context(cafile=ca_bundle or None)
    if not context.cert_store_stats()["x509_ca"] and not _has_folder_of_authorities():
        raise NoTrustedAuthorities(
            "No certificate authorities are known, so no callback can be contacted: install the "
            "system's ca-certificates, or set HUB_CA_BUNDLE to a file with them."
        )
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.set_alpn_protocols(["http/1.1"])  # So that no other service is mistaken for a callback.
    return context


def _has_folder_of_authorities() -> bool:
    """Some systems keep a file for each, which are read when one is asked for."""
    folder = ssl.get_default_verify_paths().capath
    return bool(folder) and any(Path(folder).glob("*.[0-9]"))
