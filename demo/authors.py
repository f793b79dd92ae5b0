# ruff: noqa: RUF001  (words of other alphabets)
"""Authors, sources, languages and replies of the demo's reviews."""

from collections.abc import Mapping

AUTHORS = (
    "Alma",
    "Bruno",
    "Celia",
    "Dario",
    "Edith",
    "Farid",
    "Greta",
    "Hugo",
    "Ines",
    "Jonas",
    "Kavya",
    "Leon",
    "Mina",
    "Nils",
    "Odile",
    "Pavel",
    "Quinn",
    "Rosa",
    "Sami",
    "Talia",
    "Umar",
    "Vera",
    "Wanda",
    "Ximena",
    "Yusuf",
    "Zora",
    "Beatriz",
    "Chidi",
    "Dmitri",
    "Esra",
    "Fatima",
    "Goran",
    "Hana",
    "Ivo",
    "Jelena",
    "Kofi",
    "Lucia",
    "Mateo",
    "Noor",
    "Oskar",
    "Petra",
    "Rafael",
    "Sunniva",
    "Tomasz",
    "Ulrike",
    "Viktor",
    "Yara",
)
LONG_AUTHORS = (
    "María José Fernández",
    "Søren K.",
    "Nguyễn Thị Lan",
    "李小龙",
    "Zoë O’Hara",
    "Анна П.",
    "A Google User",
    "J",
)

# Source, its share, and whether it confirms that the author was a customer.
SOURCES: tuple[tuple[str, float, bool], ...] = (
    ("google", 0.55, False),
    ("yelp", 0.17, False),
    ("facebook", 0.12, False),
    ("nextdoor", 0.07, False),
    ("trustpilot", 0.05, True),
    ("own-survey", 0.04, True),
)

REPLIES: Mapping[str, tuple[str, ...]] = {
    "positive": (
        (
            "{Thank you|Thanks so much|Many thanks}, {we're|we are} {glad|happy} {it went"
            " well|to help}{.|!}"
        ),
        "{Kind words like these|Your words} {make our day|mean a lot to the crew}. {Thank you!|}",
        "{We appreciate you|Always a pleasure}{.|!} {See you next time.|Call us any time.|}",
    ),
    "neutral": (
        "{Thank you|Thanks} for the {honest |}feedback. {We will pass it on.|We are listening.}",
        "{We hear you|Fair points}, and {we'll|we will} {do better|work on it}.",
    ),
    "negative": (
        (
            "{We are|I am} {very |truly |}sorry. {Please call the office|Please write to"
            " us}{,| and} we will {make it right|put it right}."
        ),
        (
            "This is not {how we work|the standard we set}. {The owner|Our manager} will"
            " call you {today|this week}."
        ),
        (
            "{I'm|We are} sorry {about this visit|you had to wait}. {We have refunded the"
            " fee.|We changed how we plan.|}"
        ),
    ),
}

# Whole reviews by language and sentiment.
OTHER_LANGUAGES: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "es": {
        "positive": (
            (
                "{Muy buen|Excelente|Gran} servicio, {rápido|puntual} y"
                " {amable|profesional}. {Los recomiendo.|¡Gracias!|}"
            ),
            (
                "{Llegaron a tiempo|Vinieron el mismo día} y {arreglaron todo|dejaron todo"
                " limpio}. {Muy contentos.|}"
            ),
        ),
        "negative": (
            (
                "{Mal|Pésimo|Muy mal} servicio, {llegaron tarde|cobraron de más}. {No los"
                " recomiendo.|Nunca más.|}"
            ),
        ),
    },
    "de": {
        "positive": (
            (
                "{Sehr|Überaus|Äußerst} {freundlich|zuverlässig|sauber} und"
                " {pünktlich|schnell}. {Gerne wieder!|Danke!|}"
            ),
            "{Tolle|Saubere|Großartige} Arbeit, {fairer|guter} Preis. {Klare Empfehlung.|}",
        ),
        "negative": (
            (
                "{Leider|Wirklich} {unpünktlich|zu teuer} und {unfreundlich|schlampig}."
                " {Nie wieder.|Schade.|}"
            ),
        ),
    },
    "fr": {
        "positive": (
            (
                "{Très bon|Excellent} travail, équipe {sympathique|sérieuse} et"
                " {ponctuelle|rapide}. {Merci !|}"
            ),
        ),
        "negative": ("{Très déçu|Vraiment déçue}, {trop cher|personne n'est venu}. {À éviter.|}",),
    },
    "vi": {
        "positive": (
            "{Dịch vụ rất tốt|Thợ giỏi}, {nhanh|đúng giờ} và {lịch sự|sạch sẽ}. {Cảm ơn!|}",
        ),
    },
    "zh": {
        "positive": (
            "{师傅|技术员}很{专业|耐心|准时}，{价格合理|收拾得很干净}，{推荐|下次还找他们}！",
        ),
        "negative": ("{等了一整天|约好的时间}没人来，{太贵了|很失望}。",),
    },
    "ar": {"positive": ("خدمة {ممتازة|رائعة} و{سريعة|نظيفة}، {شكرا لكم|أنصح بهم}.",)},
    "he": {"positive": ("שירות {מצוין|מעולה}, {הגיעו בזמן|מחיר הוגן}. {תודה!|ממליצה.}",)},
    "ru": {"positive": ("{Отличный|Прекрасный} мастер, {быстро|вовремя} и {недорого|аккуратно}.",)},
}
