"""The demo: an invented business with three years of reviews, written or generated with labels."""

from demo.business import AREAS, BUSINESS, SERVICES, roster, technicians
from demo.generator import END, REVIEWS, SEED, generate, span
from demo.review import DemoReview
from demo.showcase import showcase

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
    "showcase",
    "span",
    "technicians",
]
