"""What starts, but probably not as it was meant."""

import ssl
from types import SimpleNamespace

import pytest

from tests.websub.tls import Authority
from websub import client, trust
from websub.checks import callbacks_are_public, certificates_can_be_checked


def test_public_callbacks_alone_need_no_warning(settings):
    settings.HUB_ALLOW_NETS = []
    assert callbacks_are_public() == []


def test_networks_that_are_allowed_on_purpose_are_warned_of(settings):
    settings.HUB_ALLOW_NETS = ["10.0.0.0/8", "fd00::/8"]

    [warning] = callbacks_are_public()

    assert warning.id == "websub.W001"
    assert "10.0.0.0/8, fd00::/8" in warning.msg


@pytest.fixture
def _nothing_read():
    trust.tls_context.cache_clear()
    client._say_once.cache_clear()
    yield
    trust.tls_context.cache_clear()
    client._say_once.cache_clear()


@pytest.fixture
def no_authorities(_nothing_read, monkeypatch, tmp_path):
    """A system without certificates, as a slim container is."""
    monkeypatch.setattr(
        ssl, "create_default_context", lambda cafile: ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    )
    places = SimpleNamespace(capath=str(tmp_path))
    monkeypatch.setattr(ssl, "get_default_verify_paths", lambda: places)
    return tmp_path


def test_system_without_certificate_authorities_is_warned_of(no_authorities):
    [warning] = certificates_can_be_checked()

    assert warning.id == "websub.W002"
    assert "install the system's ca-certificates, or set HUB_CA_BUNDLE" in warning.msg


def test_folder_of_authorities_is_enough(no_authorities):
    (no_authorities / "5ed36f99.0").touch()

    assert certificates_can_be_checked() == []


@pytest.mark.usefixtures("_nothing_read")
def test_bundle_that_cannot_be_read_is_warned_of(settings, tmp_path):
    for bundle, why in (
        (tmp_path / "none.pem", "No such file"),
        (tmp_path / "empty.pem", "NO_CERT"),
    ):
        if bundle.name == "empty.pem":
            bundle.write_text("nothing")
        settings.HUB_CA_BUNDLE = str(bundle)

        [warning] = certificates_can_be_checked()

        assert warning.id == "websub.W002"
        assert str(bundle) in warning.msg
        assert why in warning.msg


def test_bundle_of_authorities_needs_no_warning(settings, tmp_path):
    settings.HUB_CA_BUNDLE = Authority.make(tmp_path).bundle
    assert certificates_can_be_checked() == []


def test_delivery_without_authorities_is_a_fault_of_ours_and_is_logged_once(no_authorities, caplog):
    outcomes = [
        client.Client("test", resolve=lambda host, port: ["192.0.2.1"]).request(
            "GET", "https://hooks.example/", client.Limits(1, 1)
        )
        for _ in range(2)
    ]

    assert {outcome.error for outcome in outcomes} == {
        "Our system knows no certificate authorities."
    }
    assert {outcome.blame for outcome in outcomes} == {client.Blame.OURS}
    assert len(caplog.records) == 1
    assert "No certificate authorities are known" in caplog.text
