"""Remove the name, pictures and links of an author wherever they are stored."""

import re
from collections.abc import Iterable
from typing import Any

from django.contrib.admin.models import LogEntry
from django.contrib.contenttypes.models import ContentType
from django.db.models import QuerySet
from django.utils import timezone

from reviews.models import ForgottenAuthor, Review
from reviews.models.deletion import name_digest
from reviews.published_json import ANONYMOUS

PERSONAL_FIELDS = {
    "author": ANONYMOUS,
    "author_avatar_url": "",
    "photos": None,
    "source_url": "",
}
CHUNK = 500
MIN_NAME_PART = 3  # Letters; shorter parts of a name occur in too many texts.


def spellings(author: str) -> list[str]:
    """Stored spellings of a name, which differ in case and spaces."""
    wanted = name_digest(author)
    names = Review.objects.order_by().values_list("author", flat=True).distinct()
    return [name for name in names if name_digest(name) == wanted]


def reviews_by(author: str) -> QuerySet[Review]:
    """Reviews of an author from all sources."""
    return Review.objects.filter(author__in=spellings(author))


def reviews_naming(reviews: Iterable[Review], author: str) -> list[Review]:
    """Reviews whose text, reply or draft holds a part of the author's name."""
    parts = [re.escape(word) for word in author.split() if len(word) >= MIN_NAME_PART]
    if not parts:
        return []
    pattern = re.compile(rf"\b(?:{'|'.join(parts)})\b", re.IGNORECASE)
    found = []
    for review in reviews:
        draft = getattr(review, "answer", None)
        if any(map(pattern.search, (review.text, review.reply_text, draft.text if draft else ""))):
            found.append(review)
    return found


def record_forgotten(author: str, *, reviews: int, by: Any) -> None:
    """Store a hash of the name, so that imports do not bring the name back."""
    values = {"reviews": reviews, "forgotten_at": timezone.now(), "forgotten_by": by}
    ForgottenAuthor.objects.update_or_create(name_digest=name_digest(author), defaults=values)


def remove_author(reviews: QuerySet[Review]) -> None:
    """Remove author, pictures and links from reviews; imports never restore them."""
    for review in reviews.order_by("pk").iterator(CHUNK):
        for field, value in PERSONAL_FIELDS.items():
            setattr(review, field, value)
        review.is_author_forgotten = True
        review.edited_fields = [n for n in review.edited_fields if n not in PERSONAL_FIELDS]
        review.save()


def remove_traces(names: list[str]) -> None:
    """Remove names from the administration's history of changes."""
    history = LogEntry.objects.filter(content_type=ContentType.objects.get_for_model(Review))
    for name in names:
        for entry in history.filter(object_repr__contains=f" by {name} on "):
            shown = entry.object_repr.replace(f" by {name} on ", f" by {ANONYMOUS} on ")
            history.filter(pk=entry.pk).update(object_repr=shown)
