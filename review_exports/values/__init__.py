"""Value rules: the spellings of files become one value, or are refused.

Every refusal is a `ValueRefused` that names the field and the remedy. Nothing is guessed: a value
that could mean two things is refused, so that importing a file again always gives the same reviews.
"""
