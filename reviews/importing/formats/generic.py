"""Any table or list of objects: headings found by what people and programs call them."""

import itertools
import re
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from reviews.importing.containers.tables import is_private_heading
from reviews.importing.formats.base import (
    NOT_PUBLISHED,
    Fields,
    Format,
    RowSkipped,
    columns,
    fold_name,
    is_blank,
    join_name,
    rate_by_recommendation,
    skip_flagged,
)
from reviews.importing.records import ReadWarning
from reviews.importing.values.flags import read_flag
from reviews.importing.values.ratings import named_scale
from reviews.importing.values.refusals import shown

_WHO_REPLIES = (
    *("owner", "business", "company", "management", "manager", "provider", "merchant", "vendor"),
    *("property", "host", "seller", "pro", "public", "attorney", "developer", "review", ""),
)
_REPLIES = tuple(who + what for who in _WHO_REPLIES for what in ("reply", "response", "answer"))


def _replies(*endings: str) -> str:
    return ",".join(reply + ending for reply in _REPLIES for ending in endings)


# A heading serves one field, the first that asks for it: where a German table has both "Sterne"
# and "Bewertung", the latter is the text; alone it is the rating.
_RATING_OR_WORDS = "bewertung,évaluation,valoración,valutazione,avaliação,beoordeling,vurdering"
# What is said of the review stands before what may be said of the place or the visit.
SYNONYMS: Mapping[str, tuple[str, ...]] = columns(
    review_id="review_id,external_id,id,review number,comment_id,bewertungs id,bewertungsnummer,"
    "id avis,id reseña",
    rating="review rating,review star rating,review stars,review score,stars,star rating,rating,"
    "rating value,score,number of stars,overall rating,overall score,overall,customer rating,star,"
    "grade,"
    "sterne,anzahl sterne,sternebewertung,bewertung in sternen,note,"
    "étoiles,nombre d'étoiles,estrellas,puntuación,calificación,stelle,punteggio,voto,estrelas,"
    "sterren,cijfer,ocena,gwiazdki,betyg,stjärnor,stjerner,nota," + _RATING_OR_WORDS,
    owner_reply_date=_replies("date", "created", "publisheddate", "at", "timestamp", "dateandtime")
    + ",replied_at,replied on,date replied,responded_at,responded on,date responded,antwortdatum,"
    "datum der antwort,date de réponse,date de la réponse,fecha de respuesta,data risposta,"
    "data da resposta",
    owner_reply=_replies("", "text", "message", "body", "content")
    + ",response from owner,response of owner,comment from business,antwort,antworttext,"
    "antwort des inhabers,antwort vom inhaber,réponse,réponse du propriétaire,respuesta,"
    "respuesta del propietario,risposta,risposta del proprietario,resposta,"
    "resposta do proprietário,antwoord,reactie,reactie van de eigenaar,odpowiedź,svar",
    # Where a time of a site's own zone stands beside the same in UTC, the latter is sure.
    date="date_gmt,date_created_gmt,comment_date_gmt,date utc,datetime utc,iso date,date iso,"
    "review_date,date of review,date,review time,review submit date and time,reviewed at,"
    "date posted,posted,posted at,posted on,created,created_at,date created,created date,"
    "created on,creation date,created time,created timestamp,create time,create timestamp,"
    "comment date,"
    "published,published_at,published on,published date,published_at_date,publish time,"
    "publisher date,date published,publish date,absolute date,submitted,submitted at,"
    "submitted date,submit date,submission date,completion time,feedback date,date reviewed,"
    "reviewed on,original created on,timestamp,time,datetime,"
    "datum,bewertungsdatum,rezensionsdatum,datum der bewertung,erstellt,erstellt am,verfasst am,"
    "veröffentlicht am,abgegeben am,date de l'avis,date de publication,date de création,publié le,"
    "fecha,fecha de publicación,fecha de la reseña,fecha de creación,data,data recensione,"
    "data di pubblicazione,data de publicação,dato,date of publish,"
    "received date,date received,date added,date add",
    text="review_text,review content,review body,text,body,body text,review,"
    "review message,review comment,review comments,customer comments,comment,comments,"
    "comment content,content,message,feedback,description,testimonial,"
    "customer review,caption text,snippet,bewertungstext,kommentar,rezension,"
    "rezensionstext,meinung,nachricht,avis,commentaire,texte,comentario,comentarios,"
    "témoignage,reseña,opinión,texto,recensione,commento,testo,comentário,recensie,opmerking,tekst,"
    "opinia,treść,recension,omdöme,anmeldelse,omtale," + _RATING_OR_WORDS,
    title="review_title,review headline,title,headline,heading,subject,titel,überschrift,betreff,"
    "titre,título,titolo",
    author="author,author_name,author_title,review_auther,reviewer,reviewer_name,"
    "reviewer nickname,review author,comment author,customer,customer_name,customer display name,"
    "client,client name,guest name,guest,patient name,patient,contact name,homeowner,"
    "member name,posted by,display name,profile name,user name,username,name,full name,nickname,"
    "kunde,kundin,kundenname,name des kunden,verfasser,rezensent,autor,auteur,nom,nom du client,"
    "cliente,nombre,nome,autore,klant,naam,klient,imię,namn,navn,kund",
    _first_name="first_name,vorname,prénom",
    _last_name="last_name,surname,nachname,nom de famille,apellido,apellidos,cognome,achternaam",
    source="review_source,review site,source,site,platform,channel,directory,network,quelle,"
    "plattform,portal,plateforme,fuente,plataforma,fonte,piattaforma,bron",
    source_url="source_url,review_url,review_link,permalink,url,link,adresse,lien,enlace",
    author_avatar_url="author_avatar_url,avatar,avatar url,reviewer avatar url,"
    "reviewer picture url,profile photo,profile_photo_url,profile picture,profile pic url,"
    "profile image url,user image",
    verified="verified,is verified review,verified buyer,verified purchase,verified customer,"
    "is verified,is verified buyer,verifiziert,bestätigt,vérifié,verificado",
    translated_text="translated_text,translation,übersetzung",
    language="language,text language,review language,reviewer language,language code,lang,sprache,"
    "langue,idioma,lingua",
    technician="technician,technicians,technician name,tech,tech name,employee,employees,"
    "employee name,assigned employee,assigned technician,staff,team member,team members,techniker,"
    "mitarbeiter,monteur,technicien,técnico,tecnico",
    service="service,services,service type,job type,leistung,dienstleistung,prestation,servicio,"
    "servizio",
    _best_rating="best rating,max rating,maximum rating,rating max,rating scale,max score,"
    "out of,survey type",
    _recommendation="recommendation_type,recommendation,is_recommended,recommended,would recommend",
    _anonymous="anonymous,is_anonymous,post anonymously,stay anonymous,reviewer.is_anonymous",
    _status="review_status,review_state,publication status,publish status,moderation status,"
    "approval status,display status,comment_approved,visibility,status,state",
    _published="published,is_published,approved,is_approved,comment_approved,visible,is_visible,"
    "public,is_public,permission to publish,may we publish,share publicly,consent to publish",
    _withheld="spam,is_spam,hide,hidden,is_hidden,deleted,is_deleted,private,is_private",
)
# What a status begins with. Any other word says nothing here: a state may be that of an address, a
# status that of a job.
_UNPUBLISHED = frozenset(
    {
        *("unpublished", "unpublish", "unapproved", "disapproved", "0"),
        *("draft", "hidden", "archived", "private", "suppressed"),
        *("rejected", "declined", "denied", "blocked", "spam", "deleted", "removed", "trash"),
        *("unveröffentlicht", "ausstehend", "versteckt", "abgelehnt", "gelöscht", "entwurf"),
    }
)
# These may go on otherwise, like "pending reply" and "not replied".
_WAITING = frozenset({"pending", "awaiting", "hold", "not", "in", "on", "under"})
_WAITED_FOR = frozenset(
    {"approval", "approved", "hold", "moderation", "publication", "published", "review"}
)


def _is_unpublished(status: Any) -> bool:
    first, *others = str(status).casefold().replace("_", " ").split() or [""]
    if first in _WAITING:
        return others[0] in _WAITED_FOR if others else first in {"pending", "awaiting", "hold"}
    return first in _UNPUBLISHED


def _inside(outer: Iterable[str], inner: str) -> list[str]:
    """The paths to what an object by one of the outer names may hold."""
    return [name + path for name in outer for path in columns(_=inner)["_"]]


def _or_inside(outer: Iterable[str], inner: str) -> list[str]:
    """Each name, followed by the paths to what an object by that name may hold."""
    return [path for name in outer for path in (name, *_inside([name], inner))]


# Objects keep a person, a reply and more in objects of their own, like `author.name`. A mere
# `name` may be that of the place.
_NAMES_ALONE = SYNONYMS["author"].index(fold_name("user name"))
_AUTHORS = SYNONYMS["author"][:_NAMES_ALONE]
_ACCOUNTS = ("user", "consumer", "userprofile")
_REPLIED = (
    *SYNONYMS["owner_reply"],
    *columns(_="owner_replies.0,replies.0,review_replies.0,responses.0,resp")["_"],
)
_OBJECT_SYNONYMS: Mapping[str, tuple[str, ...]] = {
    **SYNONYMS,
    **{
        field: tuple(paths)
        for field, paths in {
            "review_id": _or_inside(SYNONYMS["review_id"], "$oid"),
            "rating": _or_inside(SYNONYMS["rating"], "value,rating,overall"),
            "_best_rating": [
                *SYNONYMS["_best_rating"],
                *_inside(SYNONYMS["rating"], "best,max,rating_max,scale"),
            ],
            "owner_reply_date": [
                *SYNONYMS["owner_reply_date"],
                *_inside(
                    _REPLIED,
                    "iso_date,date_utc,date,created,created_at,created_date,date_created,"
                    "published_date,published_at,timestamp,time",
                ),
            ],
            "owner_reply": _or_inside(_REPLIED, "text,comment,content,message,body"),
            "date": _or_inside(
                [*SYNONYMS["date"], "dates"], "$date,_seconds,published_date,utc_date_time"
            ),
            # Beside an original stands its translation.
            "text": [
                *columns(_="original_text,original_review_text,text_original")["_"],
                *_or_inside(SYNONYMS["text"], "text,rendered,full"),
            ],
            "title": _or_inside(SYNONYMS["title"], "rendered"),
            "_first_name": [
                *SYNONYMS["_first_name"],
                *_inside((*_AUTHORS, *_ACCOUNTS), "first_name,given_name"),
            ],
            "_last_name": [
                *SYNONYMS["_last_name"],
                *_inside((*_AUTHORS, *_ACCOUNTS), "last_name,family_name"),
            ],
            "author": [
                *_or_inside(
                    _AUTHORS, "name,display_name,nickname,username,author_name,screen_name"
                ),
                *_inside(_ACCOUNTS, "name,display_name,nickname,username"),
                *SYNONYMS["author"][_NAMES_ALONE:],
            ],
            "author_avatar_url": [
                *SYNONYMS["author_avatar_url"],
                *_inside((*_AUTHORS, *_ACCOUNTS), "avatar_url,image_url,thumbnail"),
            ],
            "source": _or_inside(SYNONYMS["source"], "name"),
            "technician": _or_inside(SYNONYMS["technician"], "name"),
            "service": _or_inside(SYNONYMS["service"], "name,label"),
            "_status": [*_inside(["moderation"], "moderation_status,status"), *SYNONYMS["_status"]],
            "language": [*SYNONYMS["language"], *_inside(SYNONYMS["text"], "language")],
        }.items()
    },
}


_ANSWERS = frozenset(
    columns(
        _="response,answer,antwort,réponse,respuesta,risposta,resposta,antwoord,odpowiedź,svar"
    )["_"]
)
# What a heading says beside its name.
_ASIDE = re.compile(r"^your\b|[(\[](?:optional|required|utc)[)\]]", re.IGNORECASE)


def of_table(headings: Iterable[str], asked: Container[str]) -> Format:
    """Any table, by its headings or what they are called beside a scale or "(optional)"."""
    called: dict[str, str] = {}
    folded = {heading: fold_name(heading) for heading in headings}
    free = {heading: name for heading, name in folded.items() if name and name not in asked}
    called.update((name, name) for name in free.values())
    for heading, name in free.items():
        called.setdefault(fold_name(named_scale(_ASIDE.sub("", heading))[0]), name)
    matched = match_names(called)
    # An answer where nobody has said anything may be that of a customer who was asked.
    if matched.keys().isdisjoint(("text", "title", "owner_reply_date")) and _ANSWERS.issuperset(
        matched.get("owner_reply", ())
    ):
        matched.pop("owner_reply", None)
    # Where nobody has answered, the day of a response is that of a survey's.
    if "date" not in matched and "owner_reply" not in matched and "owner_reply_date" in matched:
        matched["date"] = matched.pop("owner_reply_date")
    columns = {field: tuple(map(called.__getitem__, names)) for field, names in matched.items()}
    return replace(TABLE, columns=columns)


def best_rating_in(headings: Iterable[str], format_: Format) -> int | None:
    """How far the stars count, as the heading of their column says; None: it does not."""
    columns = format_.columns.get("rating", ())
    scales = (named_scale(heading)[1] for heading in headings if fold_name(heading) in columns)
    return next(filter(None, scales), None)


# So many rows show whether something belongs to each of them; fewer, where all have the same.
_SHARED_MIN = {"title": 3, "review_id": 5}
_LOOKED_AT = 100


def told_apart(
    format_: Format, values: Callable[[str], Iterator[Any]]
) -> tuple[Format, list[ReadWarning]]:
    """The format without a title or an id that is of something else than the single review.

    Programs write the place beside each of its reviews: its name as a title, its id as an id.
    """
    dropped: list[ReadWarning] = []
    for field, least in _SHARED_MIN.items():
        if field not in format_.columns:
            continue
        looked_at = [*itertools.islice(values(field), _LOOKED_AT)]
        filled = [str(value) for value in looked_at if not is_blank(value)]
        # A place's name stands in every row.
        most = len(filled) // 5 if field == "review_id" else len(filled) == len(looked_at)
        if len(filled) < least or len(set(filled)) > most:
            continue
        name = field.replace("_", " ")
        dropped.append(
            ReadWarning(
                code=f"{field}_shared",
                message=f"Reviews share the same {name}, {shown(filled[0])}, which is left out: "
                "it seems to be that of the place. Say which column holds what if that is wrong.",
            )
        )
        columns = {name: names for name, names in format_.columns.items() if name != field}
        format_ = replace(format_, columns=columns)
    return format_, dropped


_BESIDE = frozenset({"_status", "_published", "_withheld"})


# A name beside a first name is the surname.
_SURNAMES = tuple(
    (fold_name(first), last) for first, last in (("prénom", "nom"), ("vorname", "name"))
)


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
    for first, last in _SURNAMES:
        if first in everything and matched.get("author") == (last,):
            matched.setdefault("_last_name", matched.pop("author"))
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
        elif folded and not folded.endswith("time") and not is_private_heading(folded):
            unread.append(shown(heading))
            if field := next((one for one in _TOLD if folded in SYNONYMS[one]), None):
                rivals.setdefault(field, []).append(shown(heading))
    if "text" not in format_.columns:
        if unread:
            taken_words = "stars and titles" if "title" in format_.columns else "stars"
            yield ReadWarning(
                code="no_text_column",
                message="No column was recognised as the words of the reviews, so only their "
                f"{taken_words} are taken. If one of these holds them, say so: "
                f"{', '.join(unread[:12])}.",
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


# Titles of people, not of what they wrote.
_SALUTATIONS = frozenset(
    "mr mrs ms miss mx dr prof herr frau m mme mlle sr sra srta sig dhr mevr".split()
)


def _adjust(fields: Fields) -> None:
    join_name(fields)
    if str(fields.get("title") or "").strip(". ").casefold() in _SALUTATIONS:
        fields["title"] = None
    if (wish := fields.get("_anonymous")) and read_flag(wish):
        fields["author"] = None
    rate_by_recommendation(fields)
    if (status := fields.get("_status")) is not None and _is_unpublished(status):
        raise RowSkipped("not_published", NOT_PUBLISHED)
    skip_flagged(fields)


TABLE = Format(name="generic", label="Table", columns=SYNONYMS, adjust=_adjust)
OBJECTS = Format(
    name="own_or_generic_json", label="Any JSON", columns=_OBJECT_SYNONYMS, adjust=_adjust
)
LINES = Format(name="jsonl", label="JSON Lines", columns=_OBJECT_SYNONYMS, adjust=_adjust)
