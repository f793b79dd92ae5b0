"""The document `/insights.json` from the rows."""

import datetime as dt
from collections import defaultdict

import orjson

from insights.aggregate import Judged, Names, dataset
from insights.stars import MODEL, label_of, score_of
from reviews.models import Mention, Review, Service, ServiceArea, Technician

VERSION = 1


def build(changed_at: dt.datetime) -> bytes:
    """The insights dataset: the same rows give the same bytes."""
    names = Names(
        technicians=dict(Technician.objects.values_list("slug", "name")),
        services=dict(Service.objects.values_list("slug", "label")),
        areas=dict(ServiceArea.objects.values_list("slug", "name")),
    )
    document = {
        "version": VERSION,
        "generated_at": changed_at,
        **dataset(judged_reviews(names), names, model=MODEL),
    }
    return orjson.dumps(document, option=orjson.OPT_UTC_Z)


def judged_reviews(names: Names) -> list[Judged]:
    """Every visible review, newest first, with the mentions whose subject is on the roster."""
    known = {
        Mention.Kind.TECHNICIAN: names.technicians,
        Mention.Kind.SERVICE: names.services,
        Mention.Kind.AREA: names.areas,
    }
    mentions: dict[tuple[int, str], tuple[str, ...]] = defaultdict(tuple)
    rows = Mention.objects.filter(review__hidden=False).order_by("subject")
    for review_id, kind, subject in rows.values_list("review_id", "kind", "subject").iterator():
        if subject in known[Mention.Kind(kind)]:
            mentions[review_id, kind] += (subject,)
    reviews = Review.objects.visible().newest_first()
    return [
        Judged(
            ulid=ulid,
            author=author,
            rating=rating,
            date=date,
            score=score_of(rating),
            label=label_of(score_of(rating)),
            technicians=mentions.get((pk, Mention.Kind.TECHNICIAN), ()),
            services=mentions.get((pk, Mention.Kind.SERVICE), ()),
            areas=mentions.get((pk, Mention.Kind.AREA), ()),
        )
        for pk, ulid, author, rating, date in reviews.values_list(
            "pk", "ulid", "author", "rating", "date"
        ).iterator()
    ]
