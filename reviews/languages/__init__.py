"""The language of a text, as the primary tag of BCP 47: told offline, from its script and words."""

from reviews.languages.detection import UNDETERMINED, detect_language, language_of, primary_tag

__all__ = ["UNDETERMINED", "detect_language", "language_of", "primary_tag"]
