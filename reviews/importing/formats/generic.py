"""Any table or list of objects: headings found by what people and programs call them."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from reviews.importing.containers.tables import is_private_heading
from reviews.importing.formats.base import (
    NOT_PUBLISHED,
    Fields,
    Format,
    RowSkipped,
    columns,
    fold_name,
    join_name,
)
from reviews.importing.records import ReadWarning
from reviews.importing.values.flags import read_flag
from reviews.importing.values.refusals import shown

# A heading serves one field, the first that asks for it: where a German table has both "Sterne"
# and "Bewertung", the latter is the text; alone it is the rating.
SYNONYMS: Mapping[str, tuple[str, ...]] = columns(
    review_id="review_id,external_id,id,review number,bewertungs id,bewertungsnummer,"
    "id avis,id reseña",
    rating="rating,stars,star rating,review rating,review stars,rating value,score,review score,"
    "number of stars,overall rating,sterne,anzahl sterne,sternebewertung,bewertung in sternen,note,"
    "étoiles,nombre d'étoiles,évaluation,estrellas,puntuación,calificación,valoración,stelle,"
    "valutazione,punteggio,estrelas,avaliação,sterren,beoordeling,ocena,gwiazdki,betyg,"
    "stjärnor,stjerner,vurdering,bewertung,nota",
    owner_reply_date="owner_reply_date,reply_date,response_date,owner_response_date,replied_at,"
    "reply created,antwortdatum,datum der antwort,date de réponse,fecha de respuesta",
    owner_reply="owner_reply,owner_reply_text,reply,owner_response,owner answer,response,"
    "response from owner,business response,company response,answer,antwort,antworttext,"
    "antwort des inhabers,réponse,respuesta,risposta,resposta,antwoord,odpowiedź,svar",
    date="date,review_date,review time,date posted,posted,posted at,posted on,created,created_at,"
    "date created,dateCreated,creation date,created time,published,published_at,published date,"
    "date published,publish date,submitted,submitted at,submission date,timestamp,time,datetime,"
    "datum,bewertungsdatum,rezensionsdatum,datum der bewertung,erstellt,erstellt am,verfasst am,"
    "veröffentlicht am,abgegeben am,date de l'avis,date de publication,date de création,publié le,"
    "fecha,fecha de publicación,fecha de la reseña,fecha de creación,data,data recensione,"
    "data di pubblicazione,data de publicação,dato",
    text="text,review_text,review text,review content,review body,body,review,comment,comments,"
    "content,message,feedback,description,testimonial,bewertungstext,kommentar,rezension,"
    "rezensionstext,meinung,nachricht,bewertung,avis,commentaire,texte,comentario,comentarios,"
    "témoignage,reseña,opinión,texto,recensione,commento,testo,comentário,recensie,opmerking,tekst,"
    "opinia,treść,recension,omdöme,anmeldelse,omtale",
    title="title,review_title,headline,subject,titel,überschrift,betreff,titre,título,titolo",
    author="author,author_name,reviewer,reviewer_name,customer,customer_name,client,client name,"
    "display name,user name,username,name,full name,review author,kunde,kundin,kundenname,"
    "name des kunden,verfasser,rezensent,autor,auteur,nom,nom du client,cliente,nombre,nome,autore,"
    "klant,naam,klient,imię,namn,navn,kund",
    _first_name="first_name,vorname,prénom",
    _last_name="last_name,surname,nachname,nom de famille",
    source="source,review_source,site,platform,review site,channel,quelle,plattform,portal,"
    "plateforme,fuente,plataforma,fonte,piattaforma,bron",
    source_url="source_url,review_url,review_link,permalink,url,link,adresse,lien,enlace",
    author_avatar_url="author_avatar_url,avatar,avatar url,profile photo,profile_photo_url,"
    "photo url",
    verified="verified,verified buyer,verified purchase,verified customer,is verified,verifiziert,"
    "bestätigt,vérifié,verificado",
    translated_text="translated_text,translation,übersetzung",
    language="language,text language,review language,lang,sprache,langue,idioma,lingua",
    technician="technician,technicians,technician name,tech,tech name,employee,employee name,staff,"
    "team member,techniker,mitarbeiter,monteur,technicien,técnico,tecnico",
    service="service,services,service type,job type,leistung,dienstleistung,prestation,servicio,"
    "servizio",
    _status="review_status,publication status,moderation status,status,state",
    _published="published,is_published,approved,is_approved,visible,is_visible",
    _withheld="spam,is_spam,hidden,is_hidden,deleted,is_deleted",
)
# Any other word says nothing here: a state may be that of an address, a status that of a job.
_UNPUBLISHED = frozenset(
    {
        *("unpublished", "not published", "not_published", "unapproved", "disapproved"),
        *("pending", "in moderation", "draft", "hidden", "archived"),
        *("rejected", "declined", "denied", "blocked", "spam", "deleted", "removed", "trash"),
        *("unveröffentlicht", "ausstehend", "versteckt", "abgelehnt", "gelöscht", "entwurf"),
    }
)
# Objects keep a reply in an object of its own, and say `author.name`.
_OBJECT_SYNONYMS: Mapping[str, tuple[str, ...]] = {
    **SYNONYMS,
    **{
        field: (*columns(_=paths)["_"], *SYNONYMS[field])
        for field, paths in {
            "owner_reply": "owner_reply.text,owner_reply.comment,reply.text,response.text",
            "owner_reply_date": "owner_reply.date,reply.date,response.date",
        }.items()
    },
    "author": (*SYNONYMS["author"], *columns(_="author.name,reviewer.name,user.name")["_"]),
}


_BESIDE = frozenset({"_status", "_published", "_withheld"})


def match_names(names: Iterable[str], *, of_objects: bool = False) -> dict[str, tuple[str, ...]]:
    """Field -> the folded name that means it, for the names of a file."""
    everything = frozenset(names)
    free = set(everything)
    matched: dict[str, tuple[str, ...]] = {}
    for field, synonyms in (_OBJECT_SYNONYMS if of_objects else SYNONYMS).items():
        # "Published" may hold the day or a yes, so what is looked at beside a review is shared.
        usable = everything if field in _BESIDE else free
        found = tuple(name for name in synonyms if name in usable)
        # Objects may differ in their members, so that each synonym counts where it occurs.
        found = found if of_objects or field in _BESIDE else found[:1]
        if found:
            matched[field] = found
            free.difference_update(found)
    return matched


# Where readers would miss words or see wrong ones.
_TOLD = ("text", "title", "owner_reply", "rating", "date", "author")


def left_unread(headings: Sequence[str], format_: Format) -> Iterator[ReadWarning]:
    """Columns that may hold what readers should see, although nothing is taken from them."""
    read: dict[str, str] = {}
    for name, names in format_.columns.items():
        read.update(dict.fromkeys(names, name))
    met: set[str] = set()
    unread: list[str] = []
    rivals: dict[str, list[str]] = {}
    for heading in headings:
        folded = fold_name(heading)
        if folded in read and folded not in met:
            met.add(folded)
        elif folded and not is_private_heading(folded):
            unread.append(shown(heading))
            if field := next((one for one in _TOLD if folded in SYNONYMS[one]), None):
                rivals.setdefault(field, []).append(shown(heading))
    if "text" not in format_.columns and "title" not in format_.columns:
        if unread:
            yield ReadWarning(
                code="no_text_column",
                message="No column was recognised as the words of the reviews, so only their stars "
                f"are taken. If one of these holds them, say so: {', '.join(unread[:12])}.",
            )
        return
    taken = {read[fold_name(one)]: shown(one) for one in headings if fold_name(one) in met}
    told = [
        f"{', '.join(others)} (the {field.replace('_', ' ')} is read from {taken[field]})"
        for field, others in rivals.items()
        if field in taken
    ]
    if told:
        yield ReadWarning(
            code="columns_left_unread",
            message=f"Columns left unread, because another has their meaning: {'; '.join(told)}. "
            "Say which column holds what if that is wrong.",
        )


def _adjust(fields: Fields) -> None:
    join_name(fields)
    get = fields.get
    if (
        (isinstance(status := get("_status"), str) and status.strip().casefold() in _UNPUBLISHED)
        or ((flag := get("_published")) is not None and read_flag(flag) is False)
        or ((flag := get("_withheld")) is not None and read_flag(flag) is True)
    ):
        raise RowSkipped("not_published", NOT_PUBLISHED)


TABLE = Format(name="generic", label="Table", columns=SYNONYMS, adjust=_adjust)
OBJECTS = Format(
    name="own_or_generic_json", label="Any JSON", columns=_OBJECT_SYNONYMS, adjust=_adjust
)
LINES = Format(name="jsonl", label="JSON Lines", columns=_OBJECT_SYNONYMS, adjust=_adjust)
