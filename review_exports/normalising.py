"""Normalisation of the fields of a review into a record."""

import datetime as dt
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any
from zoneinfo import ZoneInfo

from review_exports.formats.base import (
    EXTRA,
    NO_SOURCE,
    RECORD_FIELDS,
    Fields,
    Format,
    RowSkipped,
    is_blank,
    join_name,
    rate_by_recommendation,
)
from review_exports.options import ReadOptions
from review_exports.records import Record
from review_exports.scales import Scale
from review_exports.values import ValueRefused, value_refused
from review_exports.values.dates import MEMO_MAX, DateOrder, DateReader, Numbers
from review_exports.values.flags import read_flag
from review_exports.values.identifiers import clean_external_id, slug, source_slug, synthetic_id
from review_exports.values.people import (
    ANONYMOUS,
    AUTHOR_MAX,
    EMAIL,
    PHONE_AMONG_WORDS,
    clean_author,
    is_contact,
    is_phone,
)
from review_exports.values.photos import read_photos
from review_exports.values.ratings import read_rating
from review_exports.values.texts import (
    TEXT_MAX,
    clean_text,
    literal_text,
    split_translation,
    too_long,
    with_title,
)
from review_exports.values.web_addresses import clean_url

# Several anonymous authors may write the same shorter text on one day.
_DISTINCTIVE_LENGTH = 40
_CONTACT_MAX = 100  # Longer than any contact address or number.
LANGUAGE_MAX = 20


class Normaliser:
    """Makes the records of one file.

    `dropped` counts the values that are left out by field, `noted` the notes on records by code.
    """

    def __init__(
        self,
        format_: Format,
        options: ReadOptions,
        *,
        order: Callable[[str, Numbers], DateOrder],
        scale: Scale,
        stars: Mapping[str, int],
    ) -> None:
        self._format = format_
        self._dates = DateReader(
            time_zone=options.zone,
            today=options.today,
            naive_zone=ZoneInfo(format_.naive_zone),
            order=order,
        )
        chosen_source = source_slug(options.source or "") if format_.source == NO_SOURCE else ""
        self._default_source = chosen_source or format_.source
        self._scale = scale
        self._stars_in_words = stars
        self._slug = slug if format_.is_literal else source_slug
        self._round_half_up = options.round_half_up
        self._skip_blank_ratings = options.skip_blank_ratings
        self._ignores_ids = options.ids == "row-numbers"
        self._text = literal_text if format_.is_literal else clean_text
        self._has_versions = "_updated" in format_.columns
        self._rating_memo: dict[str, int] = {}
        self._nameless: Counter[str] = Counter()
        self._extra = [
            (field, field.removeprefix(EXTRA))
            for field in format_.columns
            if field not in RECORD_FIELDS and not field.startswith("_")
        ]
        self.dropped: Counter[str] = Counter()
        self.noted: Counter[str] = Counter()

    # One long function, since every row passes here and each further call costs measurable time.
    def record(self, row: int, fields: Fields) -> Record:  # noqa: C901, PLR0912
        """Make a record; raises `ValueRefused` for the first fault, or `RowSkipped`."""
        format_ = self._format
        if not format_.is_literal:
            join_name(fields)
            rate_by_recommendation(fields)
        if format_.adjust is not None:
            format_.adjust(fields)
        get = fields.get
        rating = self._rating(get("rating"), get("_best_rating"))
        value = get("date")
        if is_blank(value):
            raise value_refused("date_missing", "date")
        day = self._dates.read(value, "date")
        author = self._author(get("author"))
        text = self._text(value, "text") if (value := get("text")) else ""
        if len(text) < _CONTACT_MAX and not format_.is_literal:
            _refuse_mere_contact(text)
        if value := get("title"):
            text = with_title(self._text(value, "text"), text)
            if len(text) > TEXT_MAX:
                raise too_long("text", text)
        translated = (
            self._text(value, "translated_text") if (value := get("translated_text")) else ""
        )
        notes = get("_notes", ())
        if "oogle)" in text and not format_.is_literal:
            envelope = split_translation(text)
            text, translated = envelope.text, envelope.translated or translated
            if envelope.is_translation_only:
                notes = (*notes, "text_is_translation")
        if not text:
            text, translated = translated, ""  # The file lacks the original.
        if translated == text:
            translated = ""
        source = self._source(get("source"))
        reply, reply_date = "", None
        if value := get("owner_reply"):
            reply, reply_date = self._reply(value, get("owner_reply_date"), day.date, day.is_bare)
        value = None if self._ignores_ids else get("review_id")
        external_id = clean_external_id(value) if value is not None else ""
        is_synthetic = not external_id
        if is_synthetic:
            if not is_blank(value):
                self.dropped["review_id"] += 1
            external_id = self._synthetic_id(source, author, day.date, text, rating)
        for note in notes:
            self.noted[note] += 1
        return Record(
            row=row,
            source=source,
            external_id=external_id,
            external_id_is_synthetic=is_synthetic,
            author=author,
            rating=rating,
            date=day.date,
            text=text,
            translated_text=translated,
            text_language=_language(value) if (value := get("language")) else "",
            author_avatar_url=(
                self._url(value, "author_avatar_url") if (value := get("author_avatar_url")) else ""
            ),
            photos=self._photos(value) if (value := get("_photos")) else (),
            source_url=self._url(value, "source_url") if (value := get("source_url")) else "",
            reply_text=reply,
            reply_date=reply_date,
            verified=read_flag(value) if (value := get("verified")) is not None else None,
            source_updated_at=(
                self._dates.read_instant(get("_updated"), default=day.date)
                if self._has_versions
                else None
            ),
            notes=notes,
            extra={
                name: text
                for field, name in self._extra
                if not is_blank(value := get(field)) and (text := self._extra_text(value, name))
            },
        )

    def _rating(self, value: Any, best: Any) -> int:
        if isinstance(value, str) and best is None and (stars := self._rating_memo.get(value)):
            return stars
        if is_blank(value) and self._skip_blank_ratings:
            raise RowSkipped("rating_missing")
        if is_blank(value):
            raise value_refused("rating_missing", "rating")
        stars = self._stars(value, self._scale.best if is_blank(best) else best)
        if isinstance(value, str) and best is None and len(self._rating_memo) < MEMO_MAX:
            self._rating_memo[value] = stars
        return stars

    def _stars(self, value: Any, best: Any) -> int:
        if stars := self._stars_in_words.get(str(value)):
            return stars
        worst = self._scale.worst if best == self._scale.best else 1
        return read_rating(value, best=best, worst=worst, round_half_up=self._round_half_up)

    def _author(self, value: Any) -> str:
        if not value:
            return ANONYMOUS
        if not self._format.is_literal:
            return clean_author(value)
        name = literal_text(value, "author")
        if not name.strip() or is_contact(name):
            return clean_author(name)
        return name[:AUTHOR_MAX]

    def _source(self, value: Any) -> str:
        if not isinstance(value, str) or is_contact(value) or is_phone(value):
            return self._default_source
        return self._slug(value) or self._default_source

    def _reply(
        self,
        value: Any,
        date: Any,
        review_date: dt.date,
        review_date_is_bare: bool,  # noqa: FBT001
    ) -> tuple[str, dt.date | None]:
        if not self._format.is_literal and read_flag(value) is not None:
            return "", None  # A flag whether there is a reply.
        if isinstance(value, dict | list):
            self.dropped["owner_reply"] += 1
            return "", None
        reply = self._text(value, "owner_reply")
        if not self._format.is_literal:
            reply = split_translation(reply).text
        if not reply:
            return "", None
        if is_blank(date):
            return reply, None
        day = self._dates.read(date, "owner_reply_date")
        # The zone of a bare date is unknown, so an instant may fall on the day before it.
        days = 1 if day.is_bare != review_date_is_bare else 0
        if day.date + dt.timedelta(days=days) < review_date:
            # A mistake of typing; dates with times come from programs.
            if self._format.is_typed and review_date_is_bare:
                raise value_refused(
                    "reply_before_review",
                    "owner_reply_date",
                    date,
                    date=day.date,
                    review_date=review_date,
                )
            self.noted["edited_after_reply"] += 1
        return reply, day.date

    def _synthetic_id(self, source: str, author: str, date: dt.date, text: str, rating: int) -> str:
        day = date.isoformat()
        stem = synthetic_id(source, author, day, text[:80])
        if author != ANONYMOUS or len(text) >= _DISTINCTIVE_LENGTH:
            return stem
        # Number anonymous ratings of one day, which are otherwise identical, so that none is lost.
        if not text:
            stem = synthetic_id(source, "", day, "", str(rating))
        self._nameless[stem] += 1
        count = self._nameless[stem]
        return stem if count == 1 else f"{stem}-{count}"

    def _extra_text(self, value: Any, name: str) -> str:
        """The text of an extra column, empty for contact data; lists become lines."""
        if isinstance(value, list):
            value = "\n".join(one for one in value if isinstance(one, str))
        text = str(value).lower() if isinstance(value, bool) else self._text(value, name)
        return "" if is_contact(text) else text

    def _url(self, value: Any, field: str) -> str:
        try:
            return clean_url(value, field)
        except ValueRefused as refusal:
            if field == "source_url" and refusal.code == "url_scheme":
                raise
            self.dropped[field] += 1
            return ""

    def _photos(self, value: Any) -> tuple[str, ...]:
        photos, unusable = read_photos(value)
        if unusable:
            self.dropped["photos"] += unusable
        return photos


def _refuse_mere_contact(text: str) -> None:
    """Refuse a text that is merely an e-mail address or phone number."""
    is_number = "/" not in text and PHONE_AMONG_WORDS.fullmatch(text)
    if is_number or ("@" in text and EMAIL.fullmatch(text)):
        raise value_refused("contact_in_text", "text")


def _language(value: Any) -> str:
    """Return a language tag (BCP 47) unchanged, or an empty text for anything else."""
    text = value.strip() if isinstance(value, str) else ""
    letters = text.replace("-", "").replace("_", "")
    return text if len(text) <= LANGUAGE_MAX and letters.isascii() and letters.isalnum() else ""
