"""Words about the aggregates. Every number is theirs, every quotation is verbatim."""

from insights.prose.complaining import complaint_quotes, complaint_sentences, unrecognised_quotes
from insights.prose.faq import Question, questions
from insights.prose.quotations import (
    SIDES,
    Quotation,
    Written,
    aspect_quotes,
    public_names,
    pull_quote,
    sample_quote,
)
from insights.prose.summary import summary

__all__ = [
    "SIDES",
    "Question",
    "Quotation",
    "Written",
    "aspect_quotes",
    "complaint_quotes",
    "complaint_sentences",
    "public_names",
    "pull_quote",
    "questions",
    "sample_quote",
    "summary",
    "unrecognised_quotes",
]
