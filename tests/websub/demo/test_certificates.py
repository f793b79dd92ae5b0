"""Certificates that the demo issues for itself."""

import contextlib
import datetime as dt
import shutil
import ssl
import stat
from ipaddress import ip_address

import pytest
import time_machine
from cryptography import x509
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.x509.oid import NameOID

from websub import demo_certificates
from websub.demo_certificates import make_certificate


def test_certificate_is_made_once(tmp_path):
    first = [path.read_bytes() for path in make_certificate(tmp_path / ".")]

    assert [path.read_bytes() for path in make_certificate(tmp_path)] == first


@pytest.mark.parametrize("damage", ["certificate", "key", "other key"])
def test_unusable_certificate_is_replaced(tmp_path, damage):
    files = make_certificate(tmp_path)
    before = files.authority.read_bytes()
    if damage == "other key":
        (tmp_path / "other").mkdir()
        shutil.copy(make_certificate(tmp_path / "other").certificate, files.certificate)
    else:
        damaged = {"certificate": files.authority, "key": files.certificate}[damage]
        damaged.write_text("rubbish")

    assert make_certificate(tmp_path).authority.read_bytes() != before


def test_certificate_in_its_last_month_is_replaced(tmp_path):
    before = make_certificate(tmp_path).authority.read_bytes()

    with time_machine.travel(dt.datetime.now(dt.UTC) + dt.timedelta(days=340)):
        assert make_certificate(tmp_path).authority.read_bytes() != before


def test_keys_are_readable_by_their_owner_alone(tmp_path):
    make_certificate(tmp_path)

    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in tmp_path.iterdir()}

    assert modes == {
        "demo-subscriber-ca.pem": 0o600,
        "demo-subscriber.pem": 0o600,
    }


def handshake(folder, name, certificate, key):
    """Connect to this server as `name`, with trust in the folder's authority."""
    bundle = folder / "server.pem"
    bundle.write_bytes(
        certificate.public_bytes(demo_certificates._PEM) + demo_certificates._private(key)
    )
    server_side = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    server_side.load_cert_chain(bundle)
    client_side = ssl.create_default_context(cafile=folder / demo_certificates.AUTHORITY)
    to_client, to_server = ssl.MemoryBIO(), ssl.MemoryBIO()
    client = client_side.wrap_bio(to_client, to_server, server_hostname=name)
    server = server_side.wrap_bio(to_server, to_client, server_side=True)
    for side in (client, server, client):
        with contextlib.suppress(ssl.SSLWantReadError):
            side.do_handshake()


@pytest.mark.parametrize(
    ("name", "is_accepted"),
    [("localhost", True), ("127.9.9.9", True), ("reviews.example", False), ("192.0.2.1", False)],
)
def test_the_authority_can_vouch_for_this_machine_alone(tmp_path, name, is_accepted):
    files = make_certificate(tmp_path)
    authority = x509.load_pem_x509_certificate(files.authority.read_bytes())
    authority_key = serialization.load_pem_private_key(files.certificate.read_bytes(), None)
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.IPAddress(ip_address(name)) if name[0].isdecimal() else x509.DNSName(name)
    issuer = x509.AuthorityKeyIdentifier.from_issuer_public_key(authority.public_key())
    leaf = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "leaf")])
    serial_number, now = x509.random_serial_number(), dt.datetime.now(dt.UTC)
    certificate = (
        x509.CertificateBuilder(authority.subject, leaf, key.public_key(), serial_number)
        .not_valid_before(now - dt.timedelta(minutes=5))
        .not_valid_after(now + dt.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([subject]), critical=False)
        .add_extension(issuer, critical=False)
        .sign(authority_key, SHA256())
    )

    if is_accepted:
        handshake(tmp_path, name, certificate, key)
    else:
        with pytest.raises(ssl.SSLCertVerificationError, match="permitted subtree violation"):
            handshake(tmp_path, name, certificate, key)
