"""Booking.com: the extranet's CSV of guest reviews."""

from review_exports.formats.base import Format, columns, signature

BOOKING = Format(
    name="booking",
    label="Booking.com",
    signatures=(signature("Guest name", "Positive review", "Negative review", "Review score"),),
    columns=columns(
        author="Guest name",
        rating="Review score",
        date="Review date",
        title="Review title",
        text="Positive review,Negative review",
        owner_reply="Property reply",
        owner_reply_date="Property reply date",
    ),
    source="booking-com",
    best_rating=10,
    joined=frozenset({"text"}),
)
