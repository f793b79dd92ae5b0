"""Subscribe, unsubscribe and renew: find a topic's hub and send it requests (WebSub 4 and 5.1)."""

import datetime as dt
from functools import partial
from html.parser import HTMLParser
from urllib.parse import urljoin

from django.db import transaction
from django.utils import timezone

from guarded_http.addresses import parse_ports
from guarded_http.session import Session
from websub import conf
from websub.subscriber.models import MAX_URL, Subscription

RETRY = dt.timedelta(hours=1)  # After a failed or unverified request.
UNVERIFIED = "The hub has not verified the request yet."


def subscribe(url: str) -> Subscription:
    """Follow a topic; the request to its hub is sent after the commit."""
    values = {"is_wanted": True, "next_request_at": timezone.now()}
    row, _ = Subscription.objects.update_or_create(url=url, defaults=values)
    transaction.on_commit(partial(request, row))
    return row


def unsubscribe(url: str) -> None:
    """Unsubscribe from a topic; its row is deleted once confirmed, or when the lease ends."""
    rows = Subscription.objects.filter(url=url)
    rows.filter(expires_at=None).delete()
    rows.update(is_wanted=False, next_request_at=timezone.now())
    for row in rows:
        transaction.on_commit(partial(request, row))


def renew() -> int:
    """Send due requests and return their number; call it every few minutes."""
    now = timezone.now()
    Subscription.objects.filter(is_wanted=False, expires_at__lte=now).delete()
    return sum(map(request, Subscription.objects.filter(next_request_at__lte=now)))


def request(row: Subscription) -> bool:
    """Send a request to the topic's hub, unless another process does; store any error."""
    own = Subscription.objects.filter(pk=row.pk)
    claimed = own.filter(next_request_at=row.next_request_at)
    if not claimed.update(next_request_at=timezone.now() + RETRY):
        return False
    http = Session(
        allow=conf.get("WEBSUB_ALLOWED_NETWORKS"),
        ports=parse_ports(conf.get("WEBSUB_ALLOWED_PORTS")),
        ca_bundle=str(conf.get("WEBSUB_CA_BUNDLE")),
    )
    http.headers["User-Agent"] = f"WebSub-Subscriber/1.0 (+{conf.get('WEBSUB_BASE_URL')})"
    try:
        hub, topic = discover(http, row.url) if row.is_wanted else (row.hub, row.topic)
        # Stored before the request, since the hub may verify it at once.
        own.update(hub=hub, topic=topic, last_error=UNVERIFIED)
        form = {
            "hub.mode": "subscribe" if row.is_wanted else "unsubscribe",
            "hub.topic": topic,
            "hub.callback": row.callback,
            "hub.lease_seconds": str(row.lease_seconds),
            "hub.secret": row.secrets()[0],
        }
        answer = http.post(hub, form)
        if not answer.ok:
            words = " ".join(answer.content[:200].decode(errors="replace").split())
            raise ValueError(f"The hub answered {answer.status_code}. {words}")
    except (OSError, ValueError) as error:  # Errors of `requests` are one of these.
        own.update(last_error=str(error)[:300])
    return True


def discover(http: Session, url: str) -> tuple[str, str]:
    """Find a topic's hub and canonical URL in `Link` header or content (WebSub 4)."""
    answer = http.get(url)
    answer.raise_for_status()
    links = {relation: link["url"] for relation, link in answer.links.items()}
    if "hub" not in links:
        inside = _Links()
        inside.feed(answer.content.decode(errors="replace"))
        links = inside.found
    if not links.get("hub"):
        raise ValueError("The topic names no hub.")
    hub, topic = urljoin(answer.url, links["hub"]), urljoin(answer.url, links.get("self", ""))
    if max(len(hub), len(topic)) > MAX_URL:
        raise ValueError(f"The topic names a hub or itself by more than {MAX_URL} characters.")
    return hub, topic


class _Links(HTMLParser):
    """Collect the first link per relation from the head of HTML, Atom or RSS."""

    def __init__(self) -> None:
        super().__init__()
        self.found: dict[str, str] = {}
        self._is_head_over = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._is_head_over |= tag in {"body", "entry", "item"}
        values = {name: value or "" for name, value in attrs}
        if tag.rpartition(":")[2] == "link" and not self._is_head_over:
            for relation in values.get("rel", "").lower().split():
                self.found.setdefault(relation, values.get("href", "").strip())
