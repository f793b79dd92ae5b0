"""Feefo's API: what customers say of the service; its products have ratings of their own."""

from review_exports.formats.base import Format, columns, signature

FEEFO = Format(
    name="feefo",
    label="Feefo",
    signatures=(signature("merchant.identifier", "service.rating.rating"),),
    columns=columns(
        review_id="service.id",
        author="customer.display_name",
        rating="service.rating.rating",
        _best_rating="service.rating.max",
        date="service.created_at",
        title="service.title",
        text="service.review",
        source_url="url",
    ),
    source="feefo",
)
