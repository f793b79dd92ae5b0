"""Pure: the one entry to reading an export. Bytes in; records, row errors and skipped rows out."""

from typing import BinaryIO

from reviews.importing import formats
from reviews.importing.asked import ReadOptions, asked_format
from reviews.importing.containers.archives import Archive, refuse_documents
from reviews.importing.containers.delimited import Delimited
from reviews.importing.containers.workbook import Workbook, is_workbook
from reviews.importing.decoding import find_encoding, first_character, is_zip
from reviews.importing.export import Export
from reviews.importing.formats import google
from reviews.importing.formats.base import Format
from reviews.importing.reading_items import open_json, open_page
from reviews.importing.reading_tables import open_table, open_workbook
from reviews.importing.records import FileRefused
from reviews.importing.takeout import open_takeout
from reviews.importing.values.refusals import shown

# The choices that overrule recognition.
FORMATS: tuple[Format, ...] = (*formats.BY_SIGNATURE, *formats.BY_CONTAINER)


def open_export(file: BinaryIO, *, file_name: str = "", options: ReadOptions) -> Export:
    """Recognise the file by its content and stand ready to read it; raises `FileRefused`.

    `file` must be seekable and stay open while the export is iterated. `file_name` only ever
    breaks a tie between delimiters.
    """
    if options.format is not None and options.format not in {known.name for known in FORMATS}:
        names = ", ".join(sorted(known.name for known in FORMATS))
        raise FileRefused(
            "format_unknown",
            f"There is no format {shown(options.format)!r}. Use one of: {names}.",
        )
    if is_zip(file):
        archive = Archive(file)
        if is_workbook(archive):
            return open_workbook(Workbook(file, archive), options)
        refuse_documents(archive)
        asked_format(options, google.TAKEOUT_ZIP)
        return open_takeout(archive, options)
    encoding = find_encoding(file)
    first = first_character(file, encoding)
    if first in "{[":
        return open_json(file, encoding, options)
    if first == "<":
        return open_page(file, encoding, options)
    return open_table(Delimited(file, encoding, name_hint=file_name), options)
