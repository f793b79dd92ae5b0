"""Rules for callbacks, as tests apply them."""

import pytest

from guarded_http.addresses import parse_ports
from websub.callbacks import CallbackRefused, Policy, check_callback

PORTS = parse_ports("443,8443,1024-65535")
PUBLIC = Policy(own_hosts=frozenset({"reviews.example"}), own_port=443, ports=PORTS)
PRIVATE = "hub.callback must be reachable on the public internet."


def refusal(callback, policy=PUBLIC):
    with pytest.raises(CallbackRefused) as refused:
        check_callback(callback, policy)
    return str(refused.value)
