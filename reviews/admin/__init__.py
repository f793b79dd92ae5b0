"""Administration of reviews, the business and its roster."""

from reviews.admin.answers import SavedAnswerAdmin
from reviews.admin.business import BusinessAdmin
from reviews.admin.deletions import DeletedReviewAdmin, ForgottenAuthorAdmin
from reviews.admin.reviews import ReviewAdmin
from reviews.admin.roster import ServiceAdmin, ServiceAreaAdmin, TechnicianAdmin

__all__ = [
    "BusinessAdmin",
    "DeletedReviewAdmin",
    "ForgottenAuthorAdmin",
    "ReviewAdmin",
    "SavedAnswerAdmin",
    "ServiceAdmin",
    "ServiceAreaAdmin",
    "TechnicianAdmin",
]
