"""The administrators' workplace: the reviews and their import, the business and its roster."""

from reviews.admin.business import BusinessAdmin
from reviews.admin.import_decisions import (
    ConfirmedShapeAdmin,
    DeletedReviewAdmin,
    ForgottenAuthorAdmin,
)
from reviews.admin.imports import ImportBatchAdmin
from reviews.admin.reviews import ReviewAdmin
from reviews.admin.roster import ServiceAdmin, ServiceAreaAdmin, TechnicianAdmin

__all__ = [
    "BusinessAdmin",
    "ConfirmedShapeAdmin",
    "DeletedReviewAdmin",
    "ForgottenAuthorAdmin",
    "ImportBatchAdmin",
    "ReviewAdmin",
    "ServiceAdmin",
    "ServiceAreaAdmin",
    "TechnicianAdmin",
]
