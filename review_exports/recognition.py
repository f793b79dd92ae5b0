"""Recognition of an export by its content."""

import io
import os
import shutil
import weakref
from pathlib import Path
from tempfile import TemporaryFile
from typing import BinaryIO, cast

from review_exports import formats
from review_exports.decoding import find_encoding, first_character, is_zip
from review_exports.export import Export
from review_exports.formats import TAKEOUT_ZIP
from review_exports.formats.base import Format
from review_exports.options import ReadOptions, forced_format
from review_exports.readers.archives import (
    Archive,
    gzip_chunks,
    is_gzip,
    readable_names,
    refuse_documents,
    unpack,
)
from review_exports.readers.delimited import Delimited
from review_exports.readers.workbook import Workbook, is_workbook
from review_exports.recognition_json import open_json, open_page
from review_exports.recognition_tables import open_table, open_workbook
from review_exports.records import file_refused
from review_exports.takeout import is_takeout, open_takeout
from review_exports.values import shown

Source = str | os.PathLike[str] | bytes | BinaryIO

_NAMED = 10  # Files that a message names.
_LEVELS = 2  # Levels of packing, such as a packed file in an archive.
# Formats that `ReadOptions.format` may name.
FORMATS: tuple[Format, ...] = (*formats.BY_SIGNATURE, *formats.BY_CONTAINER)


def read(source: Source, options: ReadOptions | None = None, *, file_name: str = "") -> Export:
    """Recognise a file by its content and return an iterable export; raises `FileRefused`.

    `source` is a path, the content, or a binary stream that must stay open while the export is
    iterated. `file_name` only decides between delimiters that fit equally well. `Export.shape` has
    the open questions.
    """
    options = options or ReadOptions()
    if options.format is not None and options.format not in {known.name for known in FORMATS}:
        names = ", ".join(sorted(known.name for known in FORMATS))
        raise file_refused("format_unknown", format=shown(options.format), names=names)
    file = as_file(source)
    if isinstance(source, str | os.PathLike):
        file_name = file_name or Path(source).name
    if file is source:
        return _open(file, file_name, options, levels=_LEVELS)
    return _open_owned(file, file_name, options, levels=_LEVELS)


def as_file(source: Source) -> BinaryIO:
    """Return the source as a seekable file at its start; a pipe is copied."""
    if isinstance(source, bytes):
        return io.BytesIO(source)
    if isinstance(source, str | os.PathLike):
        file = Path(source).open("rb")  # noqa: SIM115  (The caller closes it.)
        if file.seekable():
            return file
        with file:
            return as_file(file)
    if isinstance(source, io.TextIOBase):
        raise TypeError('The file is open as text. Open it with mode "rb", or give its path.')
    if source.seekable():
        return source
    copy = cast("BinaryIO", TemporaryFile())  # noqa: SIM115  (The caller closes it.)
    shutil.copyfileobj(source, copy)
    copy.seek(0)
    return copy


def _open(file: BinaryIO, file_name: str, options: ReadOptions, *, levels: int) -> Export:
    """Open a file, unpacking it at most `levels` times."""
    if is_gzip(file):
        if not levels:
            raise file_refused("archive_nested")
        name = file_name.removesuffix(".gz")
        return _open_owned(unpack(gzip_chunks(file)), name, options, levels=levels - 1)
    if is_zip(file):
        return _open_archive(file, options, levels=levels)
    encoding = find_encoding(file)
    first = first_character(file, encoding)
    if first in "{[":
        return open_json(file, encoding, options)
    if first == "<":
        return open_page(file, encoding, options)
    return open_table(Delimited(file, encoding, name_hint=file_name), options)


def _open_archive(file: BinaryIO, options: ReadOptions, *, levels: int) -> Export:
    archive = Archive(file)
    if is_workbook(archive):
        return open_workbook(Workbook(file, archive), options)
    refuse_documents(archive)
    if options.format == TAKEOUT_ZIP.name or is_takeout(archive):
        forced_format(options, TAKEOUT_ZIP)
        return open_takeout(archive, options)
    if not levels:
        raise file_refused("archive_nested")
    names = readable_names(archive)
    if not names:
        raise file_refused("no_reviews_found-archive")
    if names[1:]:
        named, more = ", ".join(map(shown, names[:_NAMED])), ", ..." if names[_NAMED:] else ""
        raise file_refused("archive_of_several", names=named, more=more)
    return _open_owned(unpack(archive.chunks(names[0])), names[0], options, levels=levels - 1)


def _open_owned(file: BinaryIO, name: str, options: ReadOptions, *, levels: int) -> Export:
    """Open a file and close it when its export is garbage-collected."""
    try:
        export = _open(file, name, options, levels=levels)
    except BaseException:
        file.close()
        raise
    weakref.finalize(export, file.close)
    return export
