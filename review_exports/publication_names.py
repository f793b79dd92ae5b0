# ruff: noqa: RUF001  (Words of several alphabets.)
"""Names of columns and members that say whether a review may be published."""

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Literal

from review_exports.formats.base import fold_names

Meaning = Literal["published", "withheld", "status"]
MEANINGS: tuple[Meaning, ...] = ("published", "withheld", "status")
# Names without "is" and "review" in front.
_STATUS = frozenset(
    fold_names(
        "status,state,publication status,publish status,publishing status,moderation status,"
        "moderation state,moderation,approval status,approval,display status,comment_approved,"
        "visibility,consent status,status.value,moderation.status,moderation.moderation_status,"
        "status.name,curated,post_status,comment_status,review_display_status,"
        "bewertungsstatus,veröffentlichungsstatus,freigabestatus,"
        "sichtbarkeit,statut,état,estado,estatus,stato,situação,toestand,"
        "статус,状態,ステータス,状态,상태,durum,state published"
    )
)
# Whether the author wants to stay unnamed.
ANONYMOUS_NAMES = frozenset(
    fold_names(
        "anonymous,is_anonymous,post anonymously,stay anonymous,display anonymously,"
        "publish anonymously,anonymous review,hide name,hide my name,anonym,anonyme,anónimo,anonimo"
    )
)
# Beside one of these a state may be that of an address.
ADDRESSES = frozenset(
    fold_names(
        "city,town,zip,zip code,zipcode,postal code,postcode,street,address,country,"
        "customer city,customer country,reviewer city,reviewer country,county,ville,"
        "code postal,ciudad,cidade,città,código postal"
    )
)
# A state may be that of an address, if no word of it is one of publication.
MAY_BE_ADDRESS = frozenset(fold_names("state,estado,stato,état"))
_PUBLISHED = frozenset(
    fold_names(
        "published,publish,approved,visible,public,publicly visible,shown,show,displayed,display,"
        "listed,released,live,active,enabled,display review,show review,show publicly,"
        "show on website,display on website,show on site,show online,"
        "permission to publish,may we publish,may be published,can be published,can publish,"
        "share publicly,make public,publish permission,publish consent,publication consent,"
        "consent to publish,consent to publication,consent for publication,ok to publish,"
        "okay to publish,allow publication,allow publishing,publicly,published on,published at,"
        "publication date,approved at,approved on,approval date,date approved,approved date,"
        "publish date,published date,publication allowed,"
        "published to web,published to website,consent to share,permission to share,"
        "permission to use,permission to use review,permission granted,sharing permission,"
        "public consent,public permission,has permission to publish,has consent to publish,"
        "einverständnis veröffentlichung,einverständnis zur veröffentlichung,"
        "publication autorisée,publication acceptée,acord publicare,δημοσίευση,"
        "diffusion,diffusion autorisée,diffuser,opt in to publish,use as testimonial,"
        "share with public,"
        "veröffentlicht,veröffentlichen,veröffentlichung,freigegeben,freigabe,öffentlich,sichtbar,"
        "darf veröffentlicht werden,einwilligung zur veröffentlichung,zur veröffentlichung,"
        "zustimmung zur veröffentlichung,veröffentlichung erlaubt,freigeschaltet,genehmigt,"
        "publié,publiée,public,publique,approuvé,affiché,autorisation de publication,"
        "autorisation de publier,accord de publication,publier,consentement à la publication,"
        "publicado,publicada,público,publicar,aprobado,mostrar,permiso para publicar,"
        "autorización para publicar,autoriza publicación,consentimiento de publicación,"
        "publicável,aprovado,autorização para publicar,visível,permissão para publicar,"
        "pubblicato,pubblicata,pubblico,pubblicare,approvato,visibile,consenso alla pubblicazione,"
        "autorizzazione alla pubblicazione,gepubliceerd,openbaar,zichtbaar,goedgekeurd,publiceren,"
        "toestemming voor publicatie,toestemming publicatie,opublikowane,opublikowano,publiczne,"
        "publiczny,zatwierdzone,widoczne,zgoda na publikację,publicerad,publiceret,publisert,"
        "synlig,julkaistu,yayınlandı,yayında,onaylandı,yayın izni,опубликовано,опубликован,"
        "одобрено,согласие на публикацию,公開,公開可,公開可否,掲載可,掲載可否,掲載許可,承認,"
        "是否公开,是否公開,是否发布,公开,已发布,发布,公開する,"
        "공개,공개 여부,게시,게시 여부,승인"
    )
)
_WITHHELD = frozenset(
    fold_names(
        "spam,hide,hidden,deleted,removed,private,confidential,internal,internal only,trashed,"
        "archived,withdrawn,withheld,unpublished,rejected,blocked,suppressed,redacted,flagged,"
        "draft,disabled,do not publish,dont publish,not for publication,do not share,do not show,"
        "do not display,do not use,do not post,never publish,keep private,keep confidential,"
        "make private,hide review,hide from website,hide on website,exclude,excluded,"
        "exclude from website,no publication,not to be published,opt out of publication,"
        "unapproved,unlisted,invisible,quarantined,deleted at,deleted on,date deleted,"
        "deletion date,delete date,removed at,removed on,date removed,hidden at,hidden on,"
        "trashed at,archived at,archived on,withdrawn at,withdrawn on,unpublished at,"
        "unpublished on,rejected at,rejected on,spammed at,retracted,retracted at,deleted date,"
        "junk,fake,deleted by,removed by,hidden by,rejected by,archived by,deleted by user,"
        "archiviert,nur intern,sperrvermerk,veröffentlichungsverbot,archivé,archivée,archivado,"
        "archiviato,gearchiveerd,interno,interne,poufne,ne pas diffuser,no difundir,"
        "versteckt,verborgen,ausgeblendet,gelöscht,gelöscht am,gesperrt,privat,vertraulich,intern,"
        "nicht veröffentlichen,nicht freigegeben,abgelehnt,masqué,masquée,caché,cachée,supprimé,"
        "supprimée,supprimé le,privé,confidentiel,ne pas publier,rejeté,oculto,eliminado,borrado,"
        "privado,confidencial,no publicar,rechazado,excluído,não publicar,rejeitado,nascosto,"
        "eliminato,cancellato,privato,riservato,non pubblicare,verwijderd,vertrouwelijk,"
        "niet publiceren,ukryte,usunięte,prywatne,nie publikować,odrzucone,dold,borttagen,skjult,"
        "slettet,gizli,silindi,yayınlama,скрыто,скрыт,удалено,удален,приватный,не публиковать,"
        "掲載不可,公開不可,非公開,削除,削除済み,非表示,不公开,已删除,隐藏,비공개,삭제,숨김"
    )
)
_NAMES: Mapping[Meaning, frozenset[str]] = {
    "published": _PUBLISHED,
    "withheld": _WITHHELD,
    "status": _STATUS,
}
# Names that speak of something else, or of what is known without them.
_NEUTRAL = frozenset(
    fold_names(
        "publish at,publisher,publisher id,publisher name,publisher date,profanity flag,"
        "pushed to social,status details,display name,moderated at,private feedback,"
        "moderation updated at,created at,is published by,public id,public url,publickey,"
        "publication,publication name,publication source,publication id"
    )
)
# The day of a review by another name.
_DAY = re.compile(
    r"relative|^(?:original|first|last|review)*publi(?:sh|shed|cation|shing)(?:date|time|day|at|on)+"
    r"(?:ms|utc|gmt|local|iso|timestamp|string|text|relative|description)*$"
)
_SPEAKS = re.compile(
    r"publish|publikation|publica[ctrçz]|publicad|publiqu|publier|publié|pubblic|publik|publicer"
    r"|publicat|veröffentlich|freigabe|freigegeben|freizugeben|consent|einwillig|zustimm|einverst"
    r"|permission|permiss|permiso|permesso|autoris|authori[sz]|autori[zs]|erlaub|genehmig"
    r"|toestemming|zgod|соглас|разреш|публик|同意|許可|掲載|동의|허가|게재|izin|private|privac|privé"
    r"|privat|confiden|vertraulich|vertrouwelijk|riservat|moderat|moderier|modér|moderac|moderaz"
    r"|visib|visível|sichtbar|zichtbaar|hidden|hide|versteck|verborgen|ausgeblendet|masqu|ocult"
    r"|nascost|ukry|скры|公開|公开|공개|gizli|delet|removed|removal|gelösch|lösch|supprim|elimin"
    r"|borrad|verwijder|usuni|удал|削除|删除|삭제|silin|spam|trash|papierkorb|corbeille|papelera"
    r"|cestino|approv|approuv|aproba|aprova|goedgekeur|zatwierdz|одобр|承認|审核|승인|withh"
    r"|withdr|suppress|redact|embargo|unlist|quarantin|reject|declin|censor|takedown"
    r"|donot|dont(?:share|use|show|post|display)|publicly|^public|public$|optin|optout"
    r"|diffus|difund|archiv|junk|^(?:is)?(?:test|fake|duplicate)(?:review|entry|record|data|of)?$"
    r"|legalhold|released?$|^shar(?:e|ed|ing)$|shareable|quotable|useas|usedas|(?:on|for)(?:the|our|your)?(?:web)?site$|^(?:our)?(?:web)?site(?:ok|okay|yes|yesno|use|usage|consent|allowed)$|fortestimonial|astestimonial|usagerights|rights"
    r"|gdpr|dsgvo|rgpd|datenschutz|datenverarb|offentlig"
    r"|öffentlich|julkais|yayın|onay|rıza|gizle|suostum|^lupa|piilot|yksityi|hyväksy|samtyk|samtyck"
    r"|tillåt|tillat|tillad|skjul|slett|godkän|godken|godkj|zveřej|zverej|souhlas|súhlas|povolen|skryt"
    r"|smaz|schvál|soukrom|közzét|hozzájár|engedély|nyilván|rejtett|töröl|jóváhagy|δημοσ|συγκατάθεσ"
    r"|συγκαταθεσ|συναίν|συναιν|άδεια|κρυφ|διαγρ|ιδιωτ|έγκρι|εγκρι|^acord|consimț|ascuns|șters|модер"
    r"|згод|дозв|прихов|видал|опублік|表示|承諾|了承|可否|授权|授權|隐藏|隱藏|展示|显示|許可|许可"
    r"|허용|노출|숨김|نشر|موافق|إخفاء|פרסום|הסכמה"
)
# Permissions for something else than the publication of the words.
_OTHER_SUBJECT = re.compile(
    r"mail|phone|telefon|handy|sms|whatsapp|market|newsletter|werbung|contact|kontakt|cookie|terms"
    r"|agb$|callback|followup"
    r"|photo|foto|image|bild|picture|video|media|avatar|logo|url$|link$|uri$|count$|anzahl"
    r"|product|order|location|address|profile|account|usernumber|reviewer|consumer|customer"
    r"|reply|replies|response|answer|antwort|réponse|respuesta|risposta|resposta|comment$"
    r"|feedback$|note$|notes$|notiz|text$|words$|message$|title$|publicreview$|publicfeedback"
    r"|privatereview$|^by|by$|user$|userid$|author|anonym|position|rank|order"
)
# Whether somebody has let a review pass, or uses it beyond the site where it was written.
_QUESTIONABLE = re.compile(
    r"^(?:approved|published|released|moderated)by$|used?(?:in|for)(?:our|your)?(?:market|advert|promo)"
)
# Columns that may hold words, or a yes or no about those in another column.
FLAGS_OR_WORDS: Mapping[str, Meaning] = {
    **dict.fromkeys(fold_names("public review,public feedback,public comment"), "published"),
    **dict.fromkeys(fold_names("private review,private feedback,private comment"), "withheld"),
}
_NAME = re.compile(r"name|initial|vorname|nachname|identity|attribut")
_OF_REVIEW = re.compile(
    r"review|feedback|comment|testimonial|words|answer|response|story|opinion|statement|quote"
    r"|bewertung|rezension|kommentar|meinung|avis|témoignage|commentaire|reseña|opinión|comentario"
    r"|(?:publish|feature|post|share|quote|display|show)(?:this|it)(?:$|[io]n)"
    r"|recensione|commento|avaliação|comentário|recensie|beoordeling|opini"
)
# A customer is asked, or says, that the words may be shown.
_ASKS = re.compile(
    r"^(?:(?:so)?(?:may|can|could|shall|might)(?:we|i|us|be)|(?:do|would|will)you(?:allow|agree|consent"
    r"|permit|give|grant|like)|(?:is|isit|are|areyou)(?:it)?(?:ok|okay|alright|fine|happy|willing"
    r"|comfortable)|(?:do|does|have)(?:we|you)have|i(?:agree|consent|allow|permit|give|grant|accept"
    r"|authori[sz]e)|you(?:may|can)|we(?:may|can)|permission|consent|ok|okay|allow|agree(?:ment)?"
    r"|authori[sz]ation|happyfor|has(?:given|granted)?(?:consent|permission)|approvalto"
    r"|darf(?:en)?|dürfen|dürften|stimmen?|sind?siedamit|sindsie|einwilligung|zustimmung|erlauben"
    r"|pouvons|acceptez|autorisez|autorisation|jaccepte|jautorise|consentement|podemos|autoriza"
    r"|acepta|permiso|consentimiento|possiamo|acconsent|autorizz|consenso|podemos|permite|concorda"
    r"|mogen|toestemming|gaatu|czymożemy|zgoda|måvi|fårvi|kanvi|можем|согласи)"
)
_TO_PUBLISH = re.compile(
    r"publish|publication|share|post|quote|feature|display|show|testimonial|website|useyour"
    r"|use(?:this|it|the)|shown|quoted|beused|tousereview|public|veröffentlich|teilen|zeigen|verwenden|nutzen|publi"
    r"|partag|utilis|affich|compart|usar|mostrar|pubblic|condivid|plaats|delen|gebruik|publik"
    r"|dela|dele|публик"
)
_FORBIDS = re.compile(
    r"^(?:please)?(?:donot|dont|never|not|nicht|bittenicht|nepas|no|non|niet|nie|não)"
    r"(?:to)?(?:be)?(?:publish|publication|share|show|display|post|use|quote|feature|forpubli"
    r"|veröffentlich|zeigen|publi|pubblic|mostrar)|nicht(?:zu)?veröffentlich"
)
_LEADS = (
    re.compile(r"^(?:the|this)?(?:review|comment|bewertung|testimonial|feedback)s??(?:is|was)?"),
    re.compile(r"^(?:is|was|are|isreview|review)"),
)


# Objects that keep what is known of somebody or something else than the review.
_OTHER_OBJECT = re.compile(
    r"^(?:user|owner|author|business|place|listing|store|shop|company|page|item|host|guest|seller"
    r"|buyer|site|app|plan|links?|permissions|capabilities|publisher)$|reviewer|author|owner|staff"
    r"|employee|technician|service|attachment|translation"
)


def is_other_subject(name: str) -> bool:
    """Whether an object by this folded name tells of something else than the review."""
    return bool(_OTHER_OBJECT.search(name) or _OTHER_SUBJECT.search(name))


@lru_cache(maxsize=4096)
def meaning_of(name: str) -> Meaning | Literal["unclear", "name"] | None:
    """Meaning of a folded name for publication.

    "unclear": something, but not whether a yes permits it; "name": whether the author's name may be
    shown; None: nothing.
    """
    stems = [name, *(lead.sub("", name) for lead in _LEADS)]
    known = (meaning for meaning, names in _NAMES.items() if not names.isdisjoint(stems))
    if (meaning := next(known, None)) or not _NEUTRAL.isdisjoint(stems) or _DAY.search(name):
        return meaning
    if _FORBIDS.search(name):
        return "withheld"
    is_other = _OTHER_SUBJECT.search(name) is not None
    if _ASKS.search(name) and _TO_PUBLISH.search(name):
        if _OF_REVIEW.search(name) or not (is_other or _NAME.search(name)):
            return "published"
        if _NAME.search(name):
            return "name"
    if _QUESTIONABLE.search(name):
        return "unclear"
    return "unclear" if _SPEAKS.search(name) and not is_other else None
