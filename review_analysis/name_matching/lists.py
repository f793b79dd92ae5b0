"""Word lists about names: the words that names are too, and the words around them; lower case."""

from collections.abc import Mapping

from review_analysis.word_lists import tables, word_lists, words

_LISTS, _TABLES = word_lists(__file__), tables(__file__)


def either(alternatives: frozenset[str]) -> str:
    """Any of these words, in a regular expression."""
    return "|".join(sorted(alternatives))


def _by_name(table: Mapping[str, str | list[str]]) -> dict[str, frozenset[str]]:
    return {
        name: words(value) if isinstance(value, str) else frozenset(value)
        for name, value in table.items()
    }


RELATIVES = _LISTS["relatives"]
NEAREST = _LISTS["nearest"]
CUSTOMERS = _LISTS["customers"]
FRIENDS = _LISTS["friends"]
PETS = _LISTS["pets"]
AIMED = _LISTS["aimed"]
ESTABLISHMENTS = _LISTS["establishments"]
FORMAL_TITLES = _LISTS["formal_titles"]
TITLES = FORMAL_TITLES | _LISTS["titles"]
OFFICES = _LISTS["offices"]
MENS = _LISTS["mens"]
WOMENS = _LISTS["womens"]
SUFFIXES = _LISTS["suffixes"]
DETERMINERS = _LISTS["determiners"]
OBJECTS = _LISTS["objects"]
JOBS = _LISTS["jobs"]
TRADES = JOBS | _LISTS["trades"]
INDEPENDENT = _LISTS["independent"]
INTRODUCERS = _LISTS["introducers"]
PREDICATES = _LISTS["predicates"]
FINITE = PREDICATES | _LISTS["finite"]
CHOICES = _LISTS["choices"]
WITNESSED = _LISTS["witnessed"]
PERSONAL = _LISTS["personal"]
PRAISE = _LISTS["praise"]
THINGS = _LISTS["things"]
DEEDS = _LISTS["deeds"]
MANNERS = _LISTS["manners"]
PRESENT = _LISTS["present"]
TEAM = _LISTS["team"]
SUBJECTS = _LISTS["subjects"]
CONNECTIVES = _LISTS["connectives"]
GIVERS = _LISTS["givers"]
EXCEPTED = _LISTS["excepted"]
AFTER_MODAL = _LISTS["after_modal"]
ADVERBS = _LISTS["adverbs"]
PRICES = _LISTS["prices"]
TIMES = _LISTS["times"]
MONTH_BEFORE = _LISTS["month_before"]
SCHEDULED = _LISTS["scheduled"]
MONTH_NAMES = _LISTS["month_names"]
GIVEN = _LISTS["given"]
ORIGIN_BEFORE = _LISTS["origin_before"]
PLACE_BEFORE = _LISTS["place_before"]
SUPERLATIVES = _LISTS["superlatives"]
WEATHER = _LISTS["weather"]
PARTICLES = _LISTS["particles"]
ABBREVIATIONS = _LISTS["abbreviations"]
STATES = _LISTS["states"]
ADDRESS_ENDS = _LISTS["address_ends"]
NOT_SURNAMES = _LISTS["not_surnames"]
CALLERS = TITLES | JOBS | _LISTS["callers"]
SAINTS = _LISTS["saints"]
STORMS = _LISTS["storms"]
KIN_TITLES = _LISTS["kin_titles"]
MONTHS = _LISTS["months"]
MODALS = _LISTS["modals"]
PLACES = _LISTS["places"]
ADJECTIVES = _LISTS["adjectives"]
VERBS = _LISTS["verbs"]
NOUNS = _LISTS["nouns"]
SEASONS = _LISTS["seasons"]
COMMON = SEASONS | _LISTS["common"]
ABSTRACT = _LISTS["abstract"]
FOODS = _LISTS["foods"]
MASS = ABSTRACT | FOODS | SEASONS | _LISTS["mass"]
WORDS = MONTHS | MODALS | PLACES | ADJECTIVES | VERBS | NOUNS | COMMON
COMPOUNDS = _by_name(_TABLES["compounds"])
LOOSE = _LISTS["loose"]
PHRASES = {
    name: tuple(f"{phrase} " for phrase in phrases) for name, phrases in _TABLES["phrases"].items()
}
PRECEDED = _by_name(_TABLES["preceded"])
PORTIONS = _LISTS["portions"]
PARTICIPLES = _LISTS["participles"]
