"""Published documents: built when their data changes, stored with validators, served before Django.

An app registers its documents in its `documents.py`; README.md shows how.
"""

__version__ = "1.0.0"
