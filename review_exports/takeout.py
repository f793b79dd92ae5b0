"""Archives of Google Takeout, which may also hold the owner's reviews of other places."""

from collections.abc import Iterator
from typing import Any

from review_exports.decoding import Encoding
from review_exports.export import Export
from review_exports.formats import TAKEOUT_ZIP
from review_exports.formats.base import flatten, fold_name
from review_exports.limits import check_json
from review_exports.options import ReadOptions
from review_exports.readers.archives import Archive
from review_exports.readers.json_documents import load_document
from review_exports.readers.json_items import PLACE_MEMBER, items_of, with_place
from review_exports.recognition_json import export_of_items, is_maps_export
from review_exports.records import file_refused, warning
from review_exports.values import shown

_LISTING = "additionaldata.json"


def is_takeout(archive: Archive) -> bool:
    """Whether an archive is from Google Takeout, by its file names or its reviews."""
    files = _file_names(archive)
    if _LISTING in files.values() or any(
        "/account-" in name and "/location-" in name for name in files
    ):
        return True
    for name, file in files.items():
        if _is_of_reviews(file):
            document = _archived(archive, name)
            first = next(items_of(document), None)
            if is_maps_export(document) or (isinstance(first, dict) and "starRating" in first):
                return True
    return False


def open_takeout(archive: Archive, options: ReadOptions) -> Export:
    """Return the export of the reviews in an archive; raises `FileRefused`."""
    files = _file_names(archive)
    listings = {
        _folder(name): listing
        for name, file in files.items()
        if file == _LISTING
        for listing in _listing_names(_archived(archive, name))
    }
    found = [
        (_folder(name), _archived(archive, name))
        for name, file in files.items()
        if _is_of_reviews(file)
    ]
    documents = [(folder, document) for folder, document in found if not is_maps_export(document)]
    has_maps_reviews = len(documents) < len(found)

    def items() -> Iterator[Any]:
        for folder, document in documents:
            listing = listings.get(folder)
            place = {PLACE_MEMBER: listing} if listing else {}
            yield from with_place(items_of(document), place)

    if not any(True for _ in items()):
        raise file_refused(
            "maps_reviews_written_by_owner" if has_maps_reviews else "no_reviews_found-archive"
        )
    warnings = []
    if listings:
        names = ", ".join(dict.fromkeys(listings.values()))
        warnings.append(warning("listing_names", names=names))
    if has_maps_reviews:
        warnings.append(warning("maps_reviews_ignored"))
    return export_of_items(TAKEOUT_ZIP, items, Encoding("utf-8"), options, warnings=warnings)


def _folder(name: str) -> str:
    return name.replace("\\", "/").rpartition("/")[0]


def _file_names(archive: Archive) -> dict[str, str]:
    """Map each entry to the last part of its name, in lower case."""
    return {name: name.replace("\\", "/").rpartition("/")[2].casefold() for name in archive.names}


def _is_of_reviews(file: str) -> bool:
    return file.startswith("reviews") and file.endswith(".json")


def _archived(archive: Archive, name: str) -> Any:
    check_json(archive.chunks(name))
    try:
        return load_document(b"".join(archive.chunks(name)).decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise file_refused("json_invalid-encoding", name=shown(name)) from None


def _listing_names(document: Any) -> list[str]:
    """Names of listings in an `additionalData.json` of Takeout."""
    attributes = document.get("attributes") if isinstance(document, dict) else None
    names = []
    for attribute in attributes if isinstance(attributes, list) else ():
        flat = flatten(attribute) if isinstance(attribute, dict) else {}
        name = flat.get(fold_name("values.0.datum.listingName.text"))
        if isinstance(name, str) and name.strip():
            names.append(shown(name))
    return names
