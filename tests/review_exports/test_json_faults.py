"""The sentences about texts that are nearly JSON."""

import pytest

from tests.review_exports.exports import refused


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ('[{"a":1,}]', "There is a comma too many at line 1, column 9, before the }. Remove it."),
        ("[\n1,2,\n]", "There is a comma too many at line 3, column 1, before the ]. Remove it."),
        ("[1,,2]", "There is a comma too many at line 1, column 4. Remove it."),
        ("[,1]", "There is a comma too many at line 1, column 2. Remove it."),
        ('{"a":1', "at line 1, column 7: the text ends before it is complete"),
        ('{"a":"b', "The file is cut off"),
        ('{"a":tru', "The file is cut off"),
        ('{"a":1.', "The file is cut off"),
        ('[{"a":1},\n{"b', "line 2, column 2: the text ends before it is complete"),
        ('{"a":1 "b":2}', "column 8: a comma is missing before this"),
        ('{"a" 1}', "a colon is missing before this"),
        ('[{"a":"he said "hi""}]', "a quotation mark inside a text has no backslash"),
        ("{'a':1}", "names and texts need double quotation marks"),
        ("{a:1}", "names and texts need double quotation marks"),
        ('[{"a":undefined}]', "a program's word stands where JSON has null"),
        ('[{"a":1, // x\n"b":2}]', "JSON has no comments"),
        ('[{"a":1}\n]x', "line 2, column 2: the document has ended before this"),
        ('[{"a":"x\ny"}]', "line 1, column 9: there is a line break or a tab inside a text"),
        ('[{"a":"b}]', "is never closed"),
    ],
)  # fmt: skip
def test_fault_of_json_is_named_with_its_place(text, sentence):
    refusal = refused(text)

    assert refusal.code == "json_invalid"
    assert sentence in refusal.message
