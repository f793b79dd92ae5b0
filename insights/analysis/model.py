"""The name of the analyser with its weights."""

MODEL = "rules-linear/1.0"
