"""Certificates for callbacks on this machine, made by an authority of its own.

The authority may vouch for loopback alone (RFC 5280 4.2.1.10), so its key is worth nothing
elsewhere, and an installation trusts it only when `HUB_CA_BUNDLE` names it.
"""

import datetime as dt
from ipaddress import ip_address, ip_network
from pathlib import Path
from typing import NamedTuple

from cryptography import x509
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

AUTHORITY = "demo-subscriber-ca.pem"
AUTHORITY_KEY = "demo-subscriber-ca.key"
CERTIFICATE = "demo-subscriber.pem"

AUTHORITY_LASTS = dt.timedelta(days=365)
CERTIFICATE_LASTS = dt.timedelta(days=30)


class Files(NamedTuple):
    """The authority that a hub must trust, and a server's certificate with its key."""

    authority: Path
    certificate: Path


def make_certificate(folder: Path) -> Files:
    """A new certificate for 127.0.0.1, ::1 and localhost, by the authority of this folder.

    The authority is made once and used again until its last month, so that an installation that
    trusts it need not be restarted. Keys are readable by their owner alone.
    """
    key, authority = _read_authority(folder) or _make_authority(folder)
    own_key, own = _issue(key, authority)
    _write(folder / CERTIFICATE, own + authority.public_bytes(_PEM) + _private(own_key))
    return Files(folder / AUTHORITY, folder / CERTIFICATE)


Authority = tuple[ec.EllipticCurvePrivateKey, x509.Certificate]


def _read_authority(folder: Path) -> Authority | None:
    """None when there is none that can be used."""
    try:
        authority = x509.load_pem_x509_certificate((folder / AUTHORITY).read_bytes())
        key = serialization.load_pem_private_key((folder / AUTHORITY_KEY).read_bytes(), None)
    except (OSError, ValueError):
        return None
    ends_soon = authority.not_valid_after_utc - dt.datetime.now(dt.UTC) < CERTIFICATE_LASTS
    if (
        ends_soon
        or not isinstance(key, ec.EllipticCurvePrivateKey)
        or authority.public_key() != key.public_key()
    ):
        return None
    return key, authority


def _make_authority(folder: Path) -> Authority:
    key = ec.generate_private_key(ec.SECP256R1())
    name = _name("Demo subscriber of this machine")
    loopback = [
        x509.DNSName("localhost"),
        x509.IPAddress(ip_network("127.0.0.0/8")),
        x509.IPAddress(ip_network("::1/128")),
    ]
    authority = (
        _builder(name, name, key.public_key(), AUTHORITY_LASTS)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(_usage(signs_certificates=True), critical=True)
        .add_extension(x509.NameConstraints(loopback, None), critical=True)
        .sign(key, SHA256())
    )
    _write(folder / AUTHORITY_KEY, _private(key))
    _write(folder / AUTHORITY, authority.public_bytes(_PEM))
    return key, authority


def _issue(
    key: ec.EllipticCurvePrivateKey, authority: x509.Certificate
) -> tuple[ec.EllipticCurvePrivateKey, bytes]:
    own_key = ec.generate_private_key(ec.SECP256R1())
    names = [
        x509.DNSName("localhost"),
        x509.IPAddress(ip_address("127.0.0.1")),
        x509.IPAddress(ip_address("::1")),
    ]
    issuer = x509.AuthorityKeyIdentifier.from_issuer_public_key(key.public_key())
    purpose = x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH])
    own = (
        _builder(_name("localhost"), authority.subject, own_key.public_key(), CERTIFICATE_LASTS)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(_usage(signs_certificates=False), critical=True)
        .add_extension(purpose, critical=False)
        .add_extension(x509.SubjectAlternativeName(names), critical=False)
        .add_extension(issuer, critical=False)
        .sign(key, SHA256())
    )
    return own_key, own.public_bytes(_PEM)


_PEM = serialization.Encoding.PEM


def _builder(
    subject: x509.Name, issuer: x509.Name, key: ec.EllipticCurvePublicKey, lasts: dt.timedelta
) -> x509.CertificateBuilder:
    now = dt.datetime.now(dt.UTC)
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key)
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - dt.timedelta(minutes=5))
        .not_valid_after(now + lasts)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key), critical=False)
    )


def _name(text: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, text)])


def _usage(*, signs_certificates: bool) -> x509.KeyUsage:
    return x509.KeyUsage(
        digital_signature=not signs_certificates,
        key_cert_sign=signs_certificates,
        crl_sign=signs_certificates,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        encipher_only=False,
        decipher_only=False,
    )


def _private(key: ec.EllipticCurvePrivateKey) -> bytes:
    return key.private_bytes(_PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())


def _write(path: Path, content: bytes) -> None:
    new = path.with_suffix(path.suffix + ".new")
    new.unlink(missing_ok=True)
    new.touch(mode=0o600, exist_ok=False)
    new.write_bytes(content)
    new.replace(path)
