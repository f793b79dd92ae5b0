"""Rows that the business wrote about its customers, recognised by roles and directions."""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from review_exports.formats.base import Fields, Format, RowSkipped, fold_names, is_blank
from review_exports.records import ReadWarning
from review_exports.values import shown
from review_exports.values.flags import read_yes_no
from review_exports.values.permissions import status_word

# Columns of these names hold the role of the author.
_ROLES = frozenset(
    fold_names(
        "role,author role,reviewer role,author type,reviewer type,user type,user role,"
        "account type,author.role,reviewer.role,user.role,reviewer.type,author.type,"
        "written by role,given by,sender type,sender role,rater,rater type,rater role,from role,"
        "from type,party,perspective,side,rolle,rôle,rol,ruolo,papel"
    )
)
# These may hold a kind of something else, so that only pairs of roles count.
_DIRECTIONS = frozenset(
    fold_names(
        "type,review type,kind,review kind,direction,review direction,category,review category,"
        "typ,art,richtung,sens,dirección,direzione"
    )
)
# Columns of these names hold the role of the person reviewed.
_RECIPIENTS = frozenset(
    fold_names(
        "reviewee role,reviewee type,recipient role,recipient type,to role,to type,target role,"
        "target type,ratee,ratee role,ratee type,reviewee.role,recipient.role,subject role,about"
    )
)
_FLAGS = frozenset(
    fold_names(
        "is host review,by host,written by host,is from host,is supplier review,by supplier,"
        "by seller,is seller review,by business,written by business,by owner,written by owner,"
        "is by owner,is owner review,by merchant,by provider,is by host"
    )
)
_BUSINESS = frozenset(
    "host supplier seller vendor landlord provider merchant admin administrator moderator staff"
    " gastgeber lieferant verkäufer anbieter vermieter händler hôte fournisseur vendeur anfitrión"
    " proveedor vendedor fornitore venditore fornecedor verhuurder leverancier verkoper".split()
) | {"service provider", "business owner", "store owner", "shop owner", "property owner"}
# Customers may be called so, too; these count beside rows of customers alone.
_PERHAPS_BUSINESS = frozenset(
    "owner driver freelancer contractor company business manager store shop property pro"
    " professional employee worker tasker tradesperson agent inhaber propriétaire propietario"
    " proprietario eigenaar".split()
) | {"property manager"}
_CUSTOMERS = frozenset(
    "customer guest client buyer tenant renter rider passenger patient consumer user shopper"
    " traveler traveller employer visitor resident student kunde kundin gast käufer mieter"
    " acheteur voyageur locataire huésped cliente comprador ospite klant koper huurder".split()
)
# Names that a site gives to reviews its user wrote, beside those received.
_GIVEN = frozenset(
    "given sent outgoing outbound posted written abgegeben gesendet envoyé donné enviada enviado"
    " inviata gegeven".split()
)
_RECEIVED = frozenset(
    "received incoming inbound got erhalten empfangen reçu reçue recibida recibido recebida"
    " ricevuta ontvangen".split()
)
_PAIR = re.compile(r"(?:from )?(.+?)s? (?:to|2|about|on|reviews|reviewing|rates|rated|>|→) (.+?)s?")
_BY = re.compile(r"(?:by|from|written by|left by|given by) (?:the )?(.+?)s?")
_ABOUT = re.compile(r"(?:about|review of|rating of) (?:the )?(.+?)s?")
_LEFT_OUT = "The business itself wrote this about a customer; it is left out."


class Authorship:
    """Columns of one file that say whether the business wrote a row."""

    def __init__(self, format_: Format, names: Mapping[str, str]) -> None:
        read = {
            name
            for field, read_names in format_.columns.items()
            if not field.startswith("_")
            for name in read_names
        }
        known = _ROLES | _DIRECTIONS | _RECIPIENTS | _FLAGS
        found = [name for name in names if name in known and name not in read]
        self.names = {f"_role:{name}": name for name in found}
        self._headings = {f"_role:{name}": names[name] for name in found}
        columns = {field: (name,) for field, name in self.names.items()}
        self.format = replace(format_, columns={**format_.columns, **columns})
        self._values: Callable[[str], Iterator[Any]] = lambda _: iter(())
        self._found: dict[tuple[str, frozenset[str]], bool] = {}
        self._left_out: Counter[tuple[str, str]] = Counter()

    def look_at(self, values: Callable[[str], Iterator[Any]]) -> None:
        """Keep access to the values of a field in all rows, which show the roles in use."""
        self._values = values

    def apply(self, fields: Fields) -> None:
        """Raise `RowSkipped` where the business wrote the row."""
        for field, name in self.names.items():
            value = fields.get(field)
            if not is_blank(value) and self._is_of_business(field, name, value):
                self._left_out[self._headings[field], shown(value)] += 1
                raise RowSkipped("written_by_business", _LEFT_OUT)

    def _is_of_business(self, field: str, name: str, value: Any) -> bool:
        if name in _FLAGS:
            return read_yes_no(value) is True
        word = status_word(value)
        if pair := _PAIR.fullmatch(word):
            return pair[1] in _BUSINESS | _PERHAPS_BUSINESS and pair[2] in _CUSTOMERS
        if by := _BY.fullmatch(word):
            word = by[1]
        elif about := _ABOUT.fullmatch(word):
            return about[1] in _CUSTOMERS
        if name in _RECIPIENTS:
            return word in _CUSTOMERS
        if word in _GIVEN:
            return self._has_any(field, _RECEIVED)
        is_plain = name in _ROLES and word in _BUSINESS
        is_perhaps = word in _BUSINESS or word in _PERHAPS_BUSINESS
        return is_plain or (is_perhaps and self._has_any(field, _CUSTOMERS))

    def _has_any(self, field: str, wanted: frozenset[str]) -> bool:
        """Whether any row has one of these words."""
        key = (field, wanted)
        if key not in self._found:
            words = map(status_word, self._values(field))
            self._found[key] = any(word in wanted for word in words)
        return self._found[key]

    def warnings(self) -> Iterator[ReadWarning]:
        if self._left_out:
            which = ", ".join(
                f"{shown(heading)} {value}: {count:,}"
                for (heading, value), count in self._left_out.most_common(5)
            )
            yield ReadWarning(
                code="written_by_business",
                message="Rows that the business itself wrote about customers, left out: "
                f"{self._left_out.total():,} ({which}).",
            )
