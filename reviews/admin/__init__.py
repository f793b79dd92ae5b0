"""The administrators' workplace: the reviews and their import, the business and its roster."""

from reviews.admin.business import BusinessAdmin
from reviews.admin.import_decisions import (
    DeletedReviewAdmin,
    ForgottenAuthorAdmin,
    ImportAnswerAdmin,
)
from reviews.admin.imports import ImportBatchAdmin
from reviews.admin.reviews import ReviewAdmin
from reviews.admin.roster import ServiceAdmin, ServiceAreaAdmin, TechnicianAdmin

__all__ = [
    "BusinessAdmin",
    "DeletedReviewAdmin",
    "ForgottenAuthorAdmin",
    "ImportAnswerAdmin",
    "ImportBatchAdmin",
    "ReviewAdmin",
    "ServiceAdmin",
    "ServiceAreaAdmin",
    "TechnicianAdmin",
]
