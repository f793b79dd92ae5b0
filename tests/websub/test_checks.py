"""What starts, but probably not as it was meant."""

from websub.checks import callbacks_are_public


def test_public_callbacks_alone_need_no_warning(settings):
    settings.HUB_ALLOW_NETS = []
    assert callbacks_are_public() == []


def test_networks_that_are_allowed_on_purpose_are_warned_of(settings):
    settings.HUB_ALLOW_NETS = ["10.0.0.0/8", "fd00::/8"]

    [warning] = callbacks_are_public()

    assert warning.id == "websub.W001"
    assert "10.0.0.0/8, fd00::/8" in warning.msg
