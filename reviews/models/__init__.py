"""Models of the reviews, the business and its roster."""

from reviews.models.business import AuthorNames, Business, Logo, Photos, Vertical, public_form
from reviews.models.deletion import DeletedReview, ForgottenAuthor
from reviews.models.reply import Reply, SavedAnswer
from reviews.models.review import (
    CUSTOMER_RATING,
    CUSTOMER_TEXT,
    Mention,
    Review,
    ReviewQuerySet,
    SourceName,
    lock_rows,
    lock_rows_for_key_share,
)
from reviews.models.revision import Revised, RevisedQuerySet, Revision
from reviews.models.roster import Service, ServiceArea, Technician
from reviews.models.visit import Visit

__all__ = [
    "CUSTOMER_RATING",
    "CUSTOMER_TEXT",
    "AuthorNames",
    "Business",
    "DeletedReview",
    "ForgottenAuthor",
    "Logo",
    "Mention",
    "Photos",
    "Reply",
    "Review",
    "ReviewQuerySet",
    "Revised",
    "RevisedQuerySet",
    "Revision",
    "SavedAnswer",
    "Service",
    "ServiceArea",
    "SourceName",
    "Technician",
    "Vertical",
    "Visit",
    "lock_rows",
    "lock_rows_for_key_share",
    "public_form",
]
