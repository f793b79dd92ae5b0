"""The demo: an invented business with three years of invented reviews, and the truth about them."""

from reviews.demo.business import AREAS, BUSINESS, SERVICES, roster, technicians
from reviews.demo.generator import END, REVIEWS, SEED, generate, span
from reviews.demo.review import DemoReview

__all__ = [
    "AREAS",
    "BUSINESS",
    "END",
    "REVIEWS",
    "SEED",
    "SERVICES",
    "DemoReview",
    "generate",
    "roster",
    "span",
    "technicians",
]
