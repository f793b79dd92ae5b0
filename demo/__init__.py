"""The demo: an invented business, three years of invented reviews, and their labels."""

from demo.business import AREAS, BUSINESS, SERVICES, roster, technicians
from demo.generator import END, REVIEWS, SEED, generate, span
from demo.review import DemoReview

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
