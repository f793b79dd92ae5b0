"""Measure the analyser on labelled texts, compared with baselines."""
