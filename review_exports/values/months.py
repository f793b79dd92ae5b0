"""Months by their names in the languages of exports."""
# ruff: noqa: RUF001  (Letters of several scripts look alike.)

import unicodedata

# In full, declined and short, as Unicode CLDR 45 has them.
_NAMES_OF_MONTHS = (
    (
        "jan january januar jänner janvier janv enero ene gennaio gen janeiro januari stycznia sty "
        "styczeń januára ocak oca января янв январь січня січ ledna led leden január ianuarie ian "
        "tammikuuta tammi tammikuu ιανουαρίου ιαν gener"
    ),
    (
        "feb february februar feber février févr fév febrero febbraio fevereiro fev lutego lut "
        "luty februari şubat şub февраля февр фев февраль лютого лют února únor úno február "
        "februarie helmikuuta helmi helmikuu φεβρουαρίου φεβ pebruari febrer"
    ),
    (
        "mar march märz mär mrz mars marzo março maart mrt marca marts marzec mart марта мар март "
        "березня бер března březen bře március márc martie maaliskuuta maalis maaliskuu μαρτίου "
        "μαρ maret març"
    ),
    (
        "apr april avril avr abril abr aprile kwietnia kwi kwiecień nisan nis апреля апр апрель "
        "квітня квіт dubna duben dub április ápr aprilie huhtikuuta huhti huhtikuu απριλίου απρ"
    ),
    (
        "may mai mayo maggio mag maio mei maj maja maí мая май травня трав května květen kvě május "
        "máj toukokuuta touko toukokuu μαΐου μαι maig"
    ),
    (
        "jun june juni juin junio giugno giu junho czerwca cze czerwiec haziran haz июня июн июнь "
        "червня черв června červen čvn június jún iunie iun kesäkuuta kesä kesäkuu ιουνίου ιουν "
        "juny"
    ),
    (
        "jul july juli juillet juil julio luglio lug julho lipca lip lipiec temmuz tem июля июл "
        "июль липня лип července červenec čvc július júl iulie iul heinäkuuta heinä heinäkuu "
        "ιουλίου ιουλ juliol"
    ),
    (
        "aug august août aout agosto ago augustus augusti sierpnia sie sierpień ağustos ağu "
        "августа авг август серпня серп srpna srpen srp augusztus elokuuta elo elokuu αυγούστου "
        "αυγ agustus agt agost"
    ),
    (
        "sep sept september septembre septiembre settembre set setembro września wrz wrzesień "
        "eylül eyl сентября сент сен сентябрь вересня вер září zář szeptember szept septembrie "
        "syyskuuta syys syyskuu σεπτεμβρίου σεπ setembre"
    ),
    (
        "oct october oktober okt octobre octubre ottobre ott outubro out października paź "
        "październik ekim eki октября окт октябрь жовтня жовт října říjen říj október octombrie "
        "lokakuuta loka lokakuu οκτωβρίου οκτ"
    ),
    (
        "nov november novembre noviembre novembro listopada lis listopad kasım kas ноября нояб ноя "
        "ноябрь листопада лист listopadu noiembrie noi marraskuuta marras marraskuu νοεμβρίου νοε"
    ),
    (
        "dec december dezember dez décembre decembre déc diciembre dic dicembre dezembro grudnia "
        "gru grudzień desember des aralık ara декабря дек декабрь грудня груд prosince prosinec "
        "pro decembrie joulukuuta joulu joulukuu δεκεμβρίου δεκ desembre"
    ),
)


def _plain(name: str) -> str:
    """The name of a month without case and accents."""
    letters = unicodedata.normalize("NFKD", name.casefold()).replace("ı", "i")
    return "".join(letter for letter in letters if not unicodedata.combining(letter))


_MONTHS: dict[str, int] = {
    _plain(name): number
    for number, names in enumerate(_NAMES_OF_MONTHS, start=1)
    for name in names.split()
}


def month_number(name: str) -> int:
    """1 to 12; 0 where it is no month."""
    return _MONTHS.get(_plain(name), 0)
