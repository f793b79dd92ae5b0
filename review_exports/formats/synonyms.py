# ruff: noqa: RUF001  (Words of several alphabets.)
"""Names of the fields of a review in headings and as members of objects."""

from collections.abc import Iterable, Mapping

from review_exports.formats.base import columns, fold_name, fold_names

_WHO_REPLIES = (
    *("owner", "business", "company", "management", "manager", "provider", "merchant", "vendor"),
    *("property", "host", "seller", "pro", "public", "attorney", "developer", "review"),
    *("store", "shop", "admin", "our", ""),
)
_REPLIES = tuple(who + what for who in _WHO_REPLIES for what in ("reply", "response", "answer"))


def _replies(*endings: str) -> str:
    return ",".join(reply + ending for reply in _REPLIES for ending in endings)


# A heading serves one field, the first that asks for it: where a German table has both "Sterne"
# and "Bewertung", the latter is the text; alone it is the rating.
_RATING_OR_WORDS = (
    "hodnocení,bewertung,évaluation,valoración,valutazione,avaliação,beoordeling,vurdering"
)
# What is said of the review stands before what may be said of the place or the visit.
SYNONYMS: Mapping[str, tuple[str, ...]] = columns(
    review_id="review_id,external_id,id,review number,comment_id,bewertungs id,bewertungsnummer,"
    "id avis,id reseña",
    rating="review rating,review star rating,review stars,review score,stars,star rating,rating,"
    "rating value,score,number of stars,overall rating,overall score,overall,customer rating,"
    "bubble rating,overall satisfaction,satisfaction rating,satisfaction score,csat score,star,"
    "grade,"
    "sterne,anzahl sterne,sternebewertung,bewertung in sternen,note,"
    "étoiles,nombre d'étoiles,estrellas,puntuación,calificación,stelle,punteggio,voto,estrelas,"
    "sterren,cijfer,ocena,gwiazdki,betyg,stjärnor,stjerner,nota,arvosana,tähdet,puan,yıldız,"
    "оценка,рейтинг,звёзды,звезды,оцінка,értékelés,csillag,počet hvězdiček,počet hvězd,"
    "βαθμολογία,αστέρια,評価,評点,星,星評価,総合評価,评分,評分,星级,별점,평점," + _RATING_OR_WORDS,
    owner_reply_date=_replies(
        *("date", "created", "createdat", "createddatetime", "publisheddate", "publishedat"),
        *("postedat", "at", "timestamp", "dateandtime"),
    )
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
    "review_date,date of review,review created at,review created,review creation date,"
    "review published at,review timestamp,date,review time,review submit date and time,reviewed at,"
    "date posted,posted,posted at,posted on,created,created_at,date created,created date,"
    "created on,creation date,created time,created timestamp,create time,create timestamp,"
    "comment date,datum,bewertungsdatum,rezensionsdatum,datum der bewertung,erstellt,erstellt am,"
    "verfasst am,abgegeben am,date de l'avis,date de création,fecha,fecha de la reseña,"
    "fecha de creación,data,data recensione,data da avaliação,dato,tarih,дата,дата отзыва,"
    "дата відгуку,päivä,päivämäärä,dátum,ημερομηνία,日付,日時,投稿日,投稿日時,作成日,作成日時,"
    "回答日,タイムスタンプ,日期,时间,時間,날짜,작성일,등록일,"
    "published,published_at,published on,published date,published_at_date,publish time,"
    "publisher date,date published,publish date,absolute date,submitted,submitted at,"
    "submitted date,submit date,submission date,completion time,feedback date,date reviewed,"
    "reviewed on,original created on,published timestamp,published at ms,submission time,timestamp,"
    "time,datetime,"
    "veröffentlicht am,date de publication,publié le,fecha de publicación,data di pubblicazione,"
    "data de publicação,公開日,date of publish,"
    "received date,date received,date added,date add,when",
    text="review_text,review content,review body,public review,text,body,body text,review,"
    "review message,review comment,review comments,reviewer text,customer comments,"
    "customer comment,customer feedback,comment,comments,"
    "comment content,content,message,feedback,description,testimonial,"
    "customer review,caption text,snippet,bewertungstext,kommentar,rezension,"
    "rezensionstext,meinung,nachricht,avis,commentaire,texte,comentario,comentarios,"
    "témoignage,reseña,opinión,texto,recensione,commento,testo,comentário,recensie,opmerking,tekst,"
    "opinia,treść,recension,omdöme,anmeldelse,omtale,kommentti,yorum,отзыв,текст отзыва,"
    "комментарий,відгук,komentář,recenze,szöveg,vélemény,σχόλιο,κριτική,口コミ,クチコミ,レビュー,"
    "コメント,本文,ご感想,感想,评论,評論,评价内容,리뷰,후기,내용," + _RATING_OR_WORDS,
    title="review_title,review headline,title,headline,heading,subject,titel,überschrift,betreff,"
    "titre,título,titolo",
    author="author,author_name,author_title,review_auther,reviewer,reviewer_name,"
    "name of reviewer,reviewer full name,reviewer display name,reviewer nickname,review author,"
    "review display name,review display,buyer name,"
    "comment author,customer,customer_name,customer display name,consumer name,"
    "consumer display name,consumer,review username,review consumer name,reviewed by,written by,"
    "submitted by,respondent name,shopper name,tenant name,resident name,client,client name,"
    "guest name,"
    "guest,patient name,patient,contact name,homeowner,member name,posted by,display name,"
    "profile name,user name,username,name,full name,nickname,user nickname,"
    "kunde,kundin,kundenname,name des kunden,verfasser,rezensent,autor,auteur,nom,nom du client,"
    "cliente,nombre del cliente,nombre,nome cliente,nome do cliente,nome,autore,klant,naam,klient,"
    "imię,namn,navn,kund,nimi,ad,isim,имя,автор,ім'я,jméno,név,όνομα,名前,お名前,氏名,投稿者,"
    "ニックネーム,姓名,用户名,이름,작성자,user",
    _first_name="first_name,customer first name,reviewer first name,client first name,vorname,"
    "prénom",
    _last_name="last_name,customer last name,reviewer last name,client last name,surname,nachname,"
    "nom de famille,apellido,apellidos,cognome,achternaam",
    source="review_source,review site,source,source type,site,platform,platform name,channel,"
    "directory,network,publisher,publisher id,quelle,plattform,portal,plateforme,fuente,plataforma,"
    "fonte,piattaforma,bron",
    source_url="source_url,review_url,review_link,permalink,url,link,adresse,lien,enlace",
    author_avatar_url="author_avatar_url,author avatar,author image,author image url,author photo,"
    "author photo url,author profile photo,avatar,avatar url,reviewer avatar,reviewer avatar url,"
    "reviewer image,reviewer image url,reviewer img,reviewer photo,reviewer photo url,"
    "reviewer picture,reviewer picture url,profile photo,profile_photo_url,profile picture,"
    "profile picture url,profile pic url,profile image,profile image url,user avatar,user image",
    verified="verified,is verified review,verified buyer,verified purchase,verified customer,"
    "is verified,is verified buyer,verifiziert,bestätigt,vérifié,verificado",
    translated_text="translated_text,translation,übersetzung",
    language="language,text language,review language,reviewer language,language code,lang,sprache,"
    "langue,idioma,lingua",
    technician="technician,technicians,technician name,technician names,tech,techs,tech name,"
    "employee,employees,employee name,assigned employee,assigned technician,assigned technicians,"
    "assigned tech,assigned techs,technician assigned,tech assigned,matched technician,"
    "service technician,attributed to,staff,staff member,staff members,staff name,team member,"
    "team members,team member name,crew,crew members,installer,techniker,mitarbeiter,monteur,"
    "technicien,técnico,tecnico",
    service="service,services,service name,service type,type of service,service performed,"
    "services performed,service provided,services provided,job type,project type,type of work,"
    "leistung,dienstleistung,prestation,servicio,"
    "servizio",
    _best_rating="best rating,max rating,maximum rating,rating max,rating scale,max score,"
    "out of,survey type",
    _recommendation="recommendation_type,recommendation,is_recommended,recommended,would recommend",
    _anonymous="anonymous,is_anonymous,post anonymously,stay anonymous,reviewer.is_anonymous",
)


# Words for and against, where a form asks for each by itself.
WORD_PAIRS = tuple(
    fold_names(pair)
    for pair in (
        "positive review,negative review",
        "review positive,review negative",
        "positive text,negative text",
        "positive comment,negative comment",
        "positive comments,negative comments",
        "positive feedback,negative feedback",
        "pros,cons",
        "liked text,disliked text",
        "what did you like,what did you dislike",
        "what did you like?,what did you not like?",
        "what went well,what could be improved",
        "vorteile,nachteile",
        "points positifs,points négatifs",
        "aspectos positivos,aspectos negativos",
        "lo positivo,lo negativo",
        "aspetti positivi,aspetti negativi",
        "pluspunten,minpunten",
    )
)


def _inside(outer: Iterable[str], inner: str) -> tuple[str, ...]:
    """The paths to what an object by one of the outer names may hold."""
    return tuple(name + path for name in outer for path in fold_names(inner))


def _or_inside(outer: Iterable[str], inner: str) -> tuple[str, ...]:
    """Each name, followed by the paths to what an object by that name may hold."""
    return tuple(path for name in outer for path in (name, *_inside([name], inner)))


# Objects keep a person, a reply and more in objects of their own, like `author.name`. A mere
# `name` may be that of the place.
_NAMES_ALONE = SYNONYMS["author"].index(fold_name("user name"))
_AUTHORS = SYNONYMS["author"][:_NAMES_ALONE]
_ACCOUNTS = ("user", "consumer", "userprofile")
_REPLIED = (
    *SYNONYMS["owner_reply"],
    *fold_names("owner_replies.0,replies.0,review_replies.0,responses.0,resp"),
)
OBJECT_SYNONYMS: Mapping[str, tuple[str, ...]] = {
    **SYNONYMS,
    "review_id": _or_inside(SYNONYMS["review_id"], "$oid"),
    "rating": _or_inside(SYNONYMS["rating"], "value,rating,overall"),
    "_best_rating": (
        *SYNONYMS["_best_rating"],
        *_inside(SYNONYMS["rating"], "best,max,rating_max,scale"),
    ),
    "owner_reply_date": (
        *SYNONYMS["owner_reply_date"],
        *_inside(
            _REPLIED,
            "iso_date,date_utc,date,created,created_at,created_date,date_created,date_posted,"
            "posted_at,responded_at,replied_at,published_date,published_at,timestamp,time,"
            "updated_at,updated",
        ),
    ),
    "owner_reply": _or_inside(_REPLIED, "text,comment,content,message,body"),
    "date": _or_inside([*SYNONYMS["date"], "dates"], "$date,_seconds,published_date,utc_date_time"),
    # Beside an original stands its translation.
    "text": (
        *fold_names("original_text,original_review_text,text_original"),
        *_or_inside(SYNONYMS["text"], "text,rendered,full"),
    ),
    "title": _or_inside(SYNONYMS["title"], "rendered"),
    "_first_name": (
        *SYNONYMS["_first_name"],
        *_inside((*_AUTHORS, *_ACCOUNTS), "first_name,given_name"),
    ),
    "_last_name": (
        *SYNONYMS["_last_name"],
        *_inside((*_AUTHORS, *_ACCOUNTS), "last_name,family_name"),
    ),
    "author": (
        *_or_inside(_AUTHORS, "name,display_name,nickname,username,author_name,screen_name"),
        *_inside(_ACCOUNTS, "name,display_name,nickname,username"),
        *SYNONYMS["author"][_NAMES_ALONE:],
    ),
    "author_avatar_url": (
        *SYNONYMS["author_avatar_url"],
        *_inside(
            (*_AUTHORS, *_ACCOUNTS),
            "avatar_url,image_url,photo_url,picture_url,profile_photo_url,thumbnail,avatar,"
            "avatar.image,avatar.url,image,photo,picture,profile_photo",
        ),
    ),
    "source": _or_inside(SYNONYMS["source"], "name"),
    "technician": _or_inside(SYNONYMS["technician"], "name"),
    "service": _or_inside(SYNONYMS["service"], "name,label"),
    "verified": (*SYNONYMS["verified"], *fold_names("labels.verification.is_verified")),
    "language": (*SYNONYMS["language"], *_inside(SYNONYMS["text"], "language")),
}
