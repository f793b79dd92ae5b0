"""Texts about the aggregates. Each number comes from them, and each quotation is verbatim."""
