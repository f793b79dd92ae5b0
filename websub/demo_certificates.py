"""A certificate for callbacks on this machine, which vouches for itself.

It may vouch for loopback alone (RFC 5280 4.2.1.10), so its key is worth nothing elsewhere, and an
installation trusts it only when `HUB_CA_BUNDLE` names it.
"""

import datetime as dt
from ipaddress import ip_address, ip_network
from pathlib import Path
from typing import NamedTuple

from cryptography import x509
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.x509.oid import NameOID

AUTHORITY = "demo-subscriber-ca.pem"
CERTIFICATE = "demo-subscriber.pem"

LASTS = dt.timedelta(days=365)
RENEWED_BEFORE = dt.timedelta(days=30)

_PEM = serialization.Encoding.PEM
_NAMES = [
    x509.DNSName("localhost"),
    x509.IPAddress(ip_address("127.0.0.1")),
    x509.IPAddress(ip_address("::1")),
]
_LOOPBACK = [
    x509.DNSName("localhost"),
    x509.IPAddress(ip_network("127.0.0.0/8")),
    x509.IPAddress(ip_network("::1/128")),
]
_USAGE = x509.KeyUsage(
    digital_signature=True,
    key_cert_sign=True,
    crl_sign=False,
    content_commitment=False,
    key_encipherment=False,
    data_encipherment=False,
    key_agreement=False,
    encipher_only=False,
    decipher_only=False,
)


class Files(NamedTuple):
    """The certificate that a hub must trust, and the same with its key for a server."""

    authority: Path
    certificate: Path


def make_certificate(folder: Path) -> Files:
    """The certificate of this folder for 127.0.0.1, ::1 and localhost.

    Made once and used again until its last month, so that an installation that trusts it need not
    be restarted. The key is readable by its owner alone.
    """
    files = Files(folder / AUTHORITY, folder / CERTIFICATE)
    if not _is_usable(files):
        key = ec.generate_private_key(ec.SECP256R1())
        certificate = _self_signed(key).public_bytes(_PEM)
        _write(files.certificate, certificate + _private(key))
        _write(files.authority, certificate)
    return files


def _is_usable(files: Files) -> bool:
    try:
        certificate = x509.load_pem_x509_certificate(files.authority.read_bytes())
        key = serialization.load_pem_private_key(files.certificate.read_bytes(), None)
    except (OSError, ValueError):
        return False
    is_its_own = key.public_key() == certificate.public_key()
    return is_its_own and certificate.not_valid_after_utc - dt.datetime.now(dt.UTC) > RENEWED_BEFORE


def _self_signed(key: ec.EllipticCurvePrivateKey) -> x509.Certificate:
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Demo subscriber of this machine")])
    public, now = key.public_key(), dt.datetime.now(dt.UTC)
    issuer = x509.AuthorityKeyIdentifier.from_issuer_public_key(public)
    return (
        x509.CertificateBuilder(name, name, public, x509.random_serial_number())
        .not_valid_before(now - dt.timedelta(minutes=5))
        .not_valid_after(now + LASTS)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(_USAGE, critical=True)
        .add_extension(x509.NameConstraints(_LOOPBACK, None), critical=True)
        .add_extension(x509.SubjectAlternativeName(_NAMES), critical=False)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(public), critical=False)
        .add_extension(issuer, critical=False)
        .sign(key, SHA256())
    )


def _private(key: ec.EllipticCurvePrivateKey) -> bytes:
    return key.private_bytes(_PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())


def _write(path: Path, content: bytes) -> None:
    new = path.with_suffix(path.suffix + ".new")
    new.unlink(missing_ok=True)
    new.touch(mode=0o600, exist_ok=False)
    new.write_bytes(content)
    new.replace(path)
