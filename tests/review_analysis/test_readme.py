"""Examples of the README."""

import doctest
from pathlib import Path

import review_analysis

README = Path(review_analysis.__file__).with_name("README.md")


def test_examples_of_readme():
    failed, tried = doctest.testfile(str(README), module_relative=False, encoding="utf-8")

    assert (failed, tried) == (0, 20)
