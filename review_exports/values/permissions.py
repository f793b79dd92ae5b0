# ruff: noqa: RUF001  (Words of several alphabets.)
"""Values that say whether a review is public: a status, a yes or no, a date."""

import datetime as dt
import re
from typing import Any

from review_exports.values import ValueRefused
from review_exports.values.dates import DateReader, is_relative
from review_exports.values.flags import folded_word, read_yes_no

# Words by which makers and people say that a review is public.
_PUBLIC = frozenset(
    {
        *("published", "publish", "public", "publicly", "active", "approved", "ok", "okay", "live"),
        *("visible", "shown", "displayed", "enabled", "accepted", "confirmed", "allowed", "online"),
        *("released", "recommended", "featured", "listed", "auto approved", "everyone", "granted"),
        *("automatically published", "auto published", "republished", "reinstated", "restored"),
        *("veröffentlicht", "freigegeben", "öffentlich", "sichtbar", "aktiv", "genehmigt"),
        *("bestätigt", "angezeigt", "freigeschaltet"),
        *("publié", "publiée", "publie", "publique", "visible", "approuvé", "approuvée", "validé"),
        *("validée", "accepté", "acceptée", "actif", "active", "en ligne", "affiché", "affichée"),
        *("publicado", "publicada", "público", "pública", "aprobado", "aprobada", "aceptado"),
        *("aceptada", "activo", "activa", "aprovado", "aprovada", "aceito", "ativo", "visível"),
        *("pubblicato", "pubblicata", "pubblico", "pubblica", "approvato", "approvata", "visibile"),
        *("accettato", "attivo", "gepubliceerd", "openbaar", "zichtbaar", "goedgekeurd", "actief"),
        *("opublikowano", "opublikowana", "opublikowane", "opublikowany", "publiczny", "publiczna"),
        *("zatwierdzono", "zatwierdzona", "zaakceptowana", "widoczna", "aktywna"),
        *("publicerad", "publiceret", "publisert", "godkänd", "godkendt", "godkjent", "synlig"),
        *("julkaistu", "hyväksytty", "yayınlandı", "yayinlandi", "yayında", "onaylandı", "aktif"),
        *("опубликовано", "опубликован", "опубликована", "одобрено", "одобрен", "виден"),
        *("公開", "公開中", "公開済み", "承認済み", "公开", "已发布", "已發布", "已公开", "已批准"),
        *("공개", "게시됨", "승인됨", "승인"),
    }
)
# What is said of the work on a review, or of its author, that is public all the same.
_AT_WORK = frozenset(
    {
        *("new", "unread", "read", "replied", "responded", "answered", "unanswered", "unreplied"),
        *("replied to", "responded to", "unresponded", "no reply", "no response", "needs reply"),
        *("needs response", "needs a reply", "needs a response", "needs answer", "to reply"),
        *("awaiting reply", "awaiting response", "awaiting answer", "pending reply"),
        *("pending response", "pending answer", "waiting for reply", "waiting for response"),
        *("reply needed", "response needed", "reply pending", "response pending", "viewed", "seen"),
        *("verified", "unverified", "completed", "complete", "finished", "done", "resolved"),
        *("open", "treated", "not treated", "handled", "processed", "neu", "beantwortet"),
        *("unbeantwortet", "offen", "erledigt", "abgeschlossen", "bearbeitet", "nouveau"),
        *("nouvelle", "répondu", "sans réponse", "traité", "nuevo", "nueva", "respondido"),
        *("respondida", "sin respuesta", "novo", "nova", "nuovo", "nuova", "risposto"),
        *("beantwoord", "onbeantwoord", "nieuw", "nowa", "nowy", "новый", "отвечено", "新規"),
        *("返信済み", "未返信", "edited", "updated", "imported", "synced", "collected"),
    }
)
_HIDDEN = frozenset(
    {
        *("unpublished", "unpublish", "unapproved", "disapproved", "draft", "auto draft", "hidden"),
        *("hide", "archived", "private", "suppressed", "quarantined", "rejected", "reject"),
        *("declined", "denied", "refused", "blocked", "banned", "spam", "deleted", "removed"),
        *("trash", "trashed", "post trashed", "withdrawn", "retracted", "revoked", "filtered"),
        *("inactive", "expired", "disabled", "deactivated", "internal", "internal only", "hold"),
        *("on hold", "held", "pending", "awaiting", "waiting", "queued", "scheduled", "future"),
        *("under review", "in review", "in moderation", "under moderation", "being moderated"),
        *("to moderate", "needs moderation", "not yet", "incomplete", "partial", "unlisted"),
        *("disputed", "in dispute", "under dispute", "flagged", "reported", "under investigation"),
        *("confidential", "offline", "invisible", "suspended", "frozen", "cancelled", "canceled"),
        *("duplicate", "fake", "test", "only me", "staff only", "owner only", "redacted", "voided"),
        *("submitted", "takedown", "taken down", "censored", "excluded", "unsubmitted", "failed"),
        *("unveröffentlicht", "ausstehend", "versteckt", "verborgen", "ausgeblendet", "abgelehnt"),
        *("gelöscht", "entwurf", "gesperrt", "privat", "intern", "vertraulich", "inaktiv"),
        *("in prüfung", "wartend", "zurückgezogen", "gemeldet", "deaktiviert", "papierkorb"),
        *("entfernt", "abgelaufen", "wartet auf freigabe", "in moderation", "zurückgehalten"),
        *("en attente", "en modération", "rejeté", "rejetée", "refusé", "refusée", "supprimé"),
        *("supprimée", "masqué", "masquée", "caché", "cachée", "brouillon", "privé", "privée"),
        *("confidentiel", "inactif", "expiré", "retiré", "retirée", "signalé", "corbeille"),
        *("pendiente", "en espera", "en revisión", "rechazado", "rechazada", "eliminado"),
        *("eliminada", "borrado", "borrada", "oculto", "oculta", "borrador", "privado", "privada"),
        *("inactivo", "retirado", "denunciado", "papelera", "pendente", "em análise", "rejeitado"),
        *("rejeitada", "recusado", "recusada", "excluído", "excluída", "rascunho", "inativo"),
        *("in attesa", "in sospeso", "rifiutato", "rifiutata", "respinto", "respinta", "nascosto"),
        *("nascosta", "eliminato", "eliminata", "cancellato", "bozza", "privato", "cestino"),
        *("in behandeling", "in afwachting", "afgewezen", "afgekeurd", "geweigerd", "verwijderd"),
        *("verborgen", "concept", "privé", "inactief", "oczekuje", "oczekująca", "odrzucona"),
        *("odrzucono", "odrzucony", "usunięta", "usunięto", "ukryta", "ukryto", "szkic"),
        *("prywatna", "väntar", "väntande", "avvisad", "avslagen", "borttagen", "dold", "utkast"),
        *("afventer", "afvist", "slettet", "skjult", "kladde", "avventer", "avvist", "odottaa"),
        *("hylätty", "poistettu", "piilotettu", "beklemede", "reddedildi", "silindi", "gizli"),
        *("taslak", "на модерации", "ожидает", "отклонено", "отклонен", "удалено", "удален"),
        *("скрыто", "скрыт", "черновик", "спам", "非公開", "承認待ち", "保留", "却下", "削除"),
        *("削除済み", "下書き", "未公开", "待审核", "审核中", "已拒绝", "已删除", "已隐藏", "隐藏"),
        *("草稿", "비공개", "대기", "대기중", "보류", "거부됨", "삭제됨", "삭제", "숨김"),
    }
)
# What may go on otherwise, like "removed by Google"; others, like "pending", may wait for a reply.
_HIDDEN_FIRST = frozenset(
    {
        *("unpublished", "unapproved", "disapproved", "draft", "hidden", "archived", "suppressed"),
        *("quarantined", "rejected", "declined", "denied", "refused", "blocked", "spam", "deleted"),
        *("removed", "trashed", "withdrawn", "filtered", "deactivated", "disabled", "flagged"),
        *("reported", "gelöscht", "abgelehnt", "entfernt", "gesperrt", "ausgeblendet", "supprimé"),
        *("supprimée", "rejeté", "rejetée", "refusé", "refusée", "rechazado", "rechazada"),
        *("eliminado", "eliminada", "oculto", "rejeitado", "rifiutato", "eliminato", "afgewezen"),
        *("verwijderd", "odrzucona", "usunięta"),
    }
)
_WAITING = frozenset(
    "pending awaiting awaits waiting wait needs in on under requires hold queued ready".split()
)
_WAITED_FOR = frozenset(
    {
        *("approval", "approved", "hold", "moderation", "publication", "published", "publishing"),
        *("review", "verification", "confirmation", "release", "consent", "permission", "check"),
        *("freigabe", "prüfung", "modération", "validation", "revisión", "moderación"),
    }
)
_PUBLIC_FIRST = frozenset({"published", "approved", "live", "posted", "displayed", "shown"})
_AFTER_PUBLIC = frozenset({"on", "at", "by", "since", "online", "automatically"})
_NEGATIONS = frozenset("not non nicht no nie niet ne не pas ikke inte ei noch never nunca".split())
_LITTLE_WORDS = frozenset("yet been be to the a für aún encore pas noch nicht".split())
_ASIDE = re.compile(r"\s*[(\[].*$")
_CAMEL = re.compile(r"(?<=[a-zà-ÿ])(?=[A-Z])")
_JOINTS = re.compile(r"[\s_/\-\u2010-\u2015]+")


def status_word(value: Any) -> str:
    """A status in one spelling, without what stands in brackets behind it."""
    text = _JOINTS.sub(" ", _CAMEL.sub(" ", str(value)[:200])).strip()
    return folded_word(_ASIDE.sub("", text) or text).strip(" .!:;?,\"'").removeprefix("state ")


def is_word_of_publication(value: Any) -> bool:
    """Whether a status speaks of publication, rather than of work or of anything else."""
    word = status_word(value)
    is_known = word in _PUBLIC or (word not in _AT_WORK and read_status(value) is not None)
    return is_known and read_yes_no(value) is None


def read_status(value: Any) -> bool | None:
    """Whether a status says that the review is public; None where it is not understood."""
    if (flag := read_yes_no(value)) is not None:
        return flag
    text = status_word(value) if isinstance(value, str) else ""
    if text in _PUBLIC or text in _AT_WORK:
        return True
    return False if text in _HIDDEN else _read_words(text)


def _read_words(text: str) -> bool | None:
    first, *others = [word.strip(":,;") for word in text.split()] or [""]
    if first in _NEGATIONS:
        return _read_negated(" ".join(word for word in others if word not in _LITTLE_WORDS))
    waits = first in _WAITING and not _WAITED_FOR.isdisjoint(others)
    if waits or first in _HIDDEN_FIRST:
        return False
    if first in _PUBLIC_FIRST and others and others[0] in _AFTER_PUBLIC:
        return True
    return None


def _read_negated(text: str) -> bool | None:
    if text in _AT_WORK or text in _HIDDEN:
        return True  # "Not replied", "not spam".
    return False if text in _PUBLIC else None


_AGREED = re.compile(
    r"(?:i |we )?(?:(?:do |fully |hereby )*(?:agree|consent|accept|allow|permit|authori[sz]e)"
    r"|give (?:my |our )?(?:consent|permission)|agreed|consented|permitted|opted in|opt in)\b"
    r"|you (?:may|can)\b|ich (?:stimme|bin einverstanden|erlaube|willige)\b"
    r"|einverstanden\b|j.(?:accepte|autorise|consens)\b|d.accord\b|acepto\b|autorizo\b|concordo\b"
    r"|aceito\b|accetto\b|acconsento\b|akkoord\b"
)
_REFUSED = re.compile(
    r"(?:i |we )?(?:do not|don.t|did not|didn.t|would not|wouldn.t|rather not|prefer not|cannot"
    r"|can.t|will not|won.t|never|disagree|withh[eo]ld|opt out|opted out)\b|you may not\b"
    r"|(?:please )?(?:do not|don.t)\b|not (?:agreed|allowed|permitted|granted|given|consented)\b"
    r"|ich (?:stimme|bin|erlaube|willige).*\bnicht\b|nicht einverstanden\b|je (?:n.|ne )"
    r"|no (?:acepto|autorizo|concordo)\b|não (?:aceito|autorizo|concordo)\b"
    r"|non (?:accetto|acconsento)\b|niet akkoord\b|pas d.accord\b"
)
# A yes on a condition that is not kept here, like leaving out the name.
_ON_CONDITION = re.compile(
    r"\b(?:but|only|without|except|unless|if|not|no|later|after|an[oó]n[iyý]m\w*|aber|nur|ohne|wenn|nicht"
    r"|mais|sans|sauf|seulement|si|pero|solo|sólo|sin|excepto|ma|senza|mas|sem|maar|alleen|zonder"
    r"|initials?)\b"
)
_ASSENT = frozenset(
    {
        *("yes", "yeah", "yep", "sure", "ja", "oui", "sí", "sì", "sim", "da", "да", "так", "tak"),
        *(
            "evet",
            "kyllä",
            "igen",
            "ano",
            "áno",
            "ναι",
            "true",
            "certainly",
            "absolutely",
            "gladly",
        ),
    }
)
_DATES = DateReader(
    time_zone=dt.UTC,
    today=dt.date.max - dt.timedelta(days=2),
    order=lambda _field, _numbers: "dmy",
)


def read_permission(value: Any, *, today: dt.date) -> bool | None:
    """Whether a value under "may be published" says so; None where it is neither yes nor no.

    The day of its publication is a yes, unless it is still to come.
    """
    if (status := read_status(value)) is not None:
        return status
    if (day := _day(value)) is not None:
        return day <= today + dt.timedelta(days=1)
    return _read_answer(value)


# A wish of somebody that stands in a cell, also in one of notes or tags.
_FORBIDDEN = re.compile(
    r"(?:please |bitte )?"
    r"(?:do not|don.t|never|not to be|not for|nicht|ne pas|no|non|niet|nie|não)"
    r" (?:to |be |zu )?(?:publi|veröffentlich|pubblic|publik|opublik|show publicly|diffus|display)"
    r"|(?:please )?(?:keep|leave) (?:this |it |my \w+ )?(?:private|confidential|internal)\b"
    r"|(?:strictly |please )?confidential$|(?:bitte )?vertraulich(?: behandeln)?$|nur intern$"
)
_MAY_FORBID = re.compile(
    "publi|pubblic|opublik|veröff|priva|confid|vertraul|intern|diffus|display", re.IGNORECASE
)


def forbids(value: Any) -> bool:
    """Whether a cell of any column says that the review must not be published."""
    if not isinstance(value, str) or not _MAY_FORBID.search(value, 0, 200):
        return False
    return _FORBIDDEN.match(status_word(value)) is not None


def read_withholding(value: Any) -> bool | None:
    """Whether a value under "must not be published" says so; None where it is neither.

    The day on which a review was deleted or hidden is a yes.
    """
    if (flag := read_yes_no(value)) is not None:
        return flag
    if forbids(value) or _day(value) is not None:
        return True
    status = read_status(value)
    return _read_answer(value) if status is None else not status


def _read_answer(value: Any) -> bool | None:
    """A customer's answer in words: "Yes, gladly", "I do not agree"."""
    text = " ".join(folded_word(value).replace("\u2019", "'").split())
    if not text:
        return None
    first, mark, rest = text.partition(",")
    if not mark:
        first, _, rest = text.partition(" ")
    first = first.strip(".!;:")
    if read_yes_no(first) is False or _REFUSED.match(text):
        return False
    if (first in _ASSENT or _AGREED.match(text)) and not _ON_CONDITION.search(rest):
        return True
    return None


def _day(value: Any) -> dt.date | None:
    """The day that a value names; one that counts from an unknown day has passed."""
    if isinstance(value, bool | list | dict) or value is None:
        return None
    if is_relative(value):
        return dt.date.min
    try:
        return _DATES.read(value, "date").date
    except ValueRefused:
        return None
