"""The language of reviews, told from texts as short as they are."""
# ruff: noqa: E501, RUF001  (One review each; Letters that look alike are what some languages are told by.)

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reviews.languages import detect_language, language_of, primary_tag

REVIEWS = {
    "en": (
        "Great service, would recommend!",
        "They fixed the leak in an hour.",
        "Rude staff and way too expensive.",
        "Very friendly technician",
        "Thank you so much Maren!!!",
        "Never again",
        "Quick and tidy work.",
        "Arrived on time, explained everything, left no mess.",
        "Sehr good, as my German neighbour would say. I will call them again.",
    ),
    "es": (
        "Muy buen servicio.",
        "Excelente atención y trato personal",
        "Los recomiendo, llegaron puntuales y todo quedó perfecto.",
        "Nunca más, pésimo trato.",
        "La comida estaba fría y tardaron mucho",
        "Gracias por todo",
    ),
    "fr": (
        "Très bon accueil",
        "Je recommande vivement cette entreprise.",
        "Travail soigné, équipe sympathique.",
        "Déçu, trop cher et personne n'est venu.",
        "Merci beaucoup pour votre aide",
        "Un peu d'attente mais c'était très bien",
    ),
    "de": (
        "Sehr freundlich und pünktlich.",
        "Gerne wieder!",
        "Klare Empfehlung, saubere Arbeit.",
        "Leider nie wieder, viel zu teuer.",
        "Das Essen war kalt",
        "Schnelle und kompetente Beratung",
    ),
    "it": (
        "Ottimo servizio, molto gentili.",
        "Personale cortese e disponibile",
        "Consigliatissimo!",
        "Esperienza pessima, non ci tornerò mai più.",
        "Sono molto soddisfatta del lavoro svolto",
    ),
    "pt": (
        "Muito bom, recomendo!",
        "Atendimento excelente e pessoal simpático.",
        "Péssimo atendimento, não voltarei.",
        "Ótima comida e preço justo",
        "Obrigado pela ajuda",
    ),
    "nl": (
        "Zeer vriendelijk geholpen.",
        "Snelle service en netjes gewerkt, aanrader!",
        "Helaas niet tevreden, veel te duur.",
        "Lekker gegeten en goede bediening",
    ),
    "sv": (
        "Mycket trevligt bemötande.",
        "Snabb service och bra pris, rekommenderas!",
        "Inte nöjd, de kom aldrig.",
    ),
    "da": ("Meget venlig betjening.", "Hurtig levering, kan varmt anbefales", "Ikke tilfreds med maden."),
    "no": ("Veldig hyggelig betjening.", "Anbefales på det varmeste, flinke folk!", "Ikke fornøyd med maten."),
    "fi": ("Erittäin hyvä palvelu.", "Nopea ja ystävällinen asiakaspalvelu", "En suosittele, todella kallis."),
    "pl": ("Bardzo miła obsługa.", "Polecam, szybko i profesjonalnie!", "Niestety nie jestem zadowolony."),
    "cs": ("Velmi příjemná obsluha.", "Doporučuji, rychlá a kvalitní práce.", "Děkujeme, určitě přijdeme znovu."),
    "sk": ("Veľmi príjemná obsluha.", "Odporúčam, rýchla a kvalitná práca.", "Ďakujeme, určite prídeme znova."),
    "hu": ("Nagyon kedves kiszolgálás.", "Csak ajánlani tudom mindenkinek!", "Az étel finom volt."),
    "ro": ("Servicii foarte bune, recomand!", "Personal amabil și prețuri corecte.", "Nu recomand, au întârziat mult."),
    "tr": ("Çok iyi hizmet, teşekkürler.", "Herkese tavsiye ederim", "Yemekler lezzetli ama fiyatlar yüksek."),
    "id": ("Pelayanan sangat ramah dan cepat.", "Tempatnya nyaman, makanan enak.", "Terima kasih"),
    "vi": ("Dịch vụ rất tốt.", "Nhân viên nhiệt tình, giá hợp lý"),
    "ca": ("Molt bona atenció i tracte excel·lent, gràcies.", "El millor lloc per menjar amb els amics"),
    "hr": ("Vrlo ljubazno osoblje, preporučujem.", "Hvala na brzoj usluzi, sve je bilo odlično."),
    "sl": ("Zelo prijazno osebje, priporočam.", "Zelo dobra hrana in prijazna postrežba."),
    "et": ("Väga hea teenindus, soovitan.", "Toit oli maitsev ja hind hea."),
    "lv": ("Ļoti laba apkalpošana, iesaku.", "Paldies par ātru darbu."),
    "lt": ("Labai geras aptarnavimas, rekomenduoju.", "Ačiū už greitą darbą."),
    "ru": ("Отличный мастер, быстро и аккуратно.", "Очень вкусно, спасибо!", "Не рекомендую."),
    "uk": ("Чудовий майстер, дуже швидко.", "Дякую, все сподобалось і смачно!", "Не рекомендую, дорого та довго."),
    "bg": ("Много добро обслужване, препоръчвам.", "Благодаря за бързата работа."),
    "sr": ("Веома љубазно особље, препоручујем.", "Хвала, све је било одлично."),
    "el": ("Εξαιρετική εξυπηρέτηση!",),
    "he": ("שירות מצוין, ממליצה.",),
    "ar": ("خدمة ممتازة وسريعة",),
    "fa": ("خدمات عالی و سریع، پیشنهاد می‌کنم",),
    "ur": ("بہت اچھی سروس ہے",),
    "hi": ("बहुत अच्छी सेवा",),
    "th": ("บริการดีมาก",),
    "zh": ("师傅很专业，价格合理！", "很好吃，下次再来。Thanks!"),
    "ja": ("とても親切な対応でした。", "最高でした", "サービス最高"),
    "ko": ("정말 친절하고 빨라요", "아주 좋아요"),
    "ka": ("ძალიან კარგი მომსახურება",),
}  # fmt: skip


@pytest.mark.parametrize(
    ("language", "text"),
    [(language, text) for language, texts in REVIEWS.items() for text in texts],
)
def test_language_of_short_review_is_told(language, text):
    assert detect_language(text) == language


@pytest.mark.parametrize(
    "text", ["", "👍", "5/5", "A+", "!!!", "Kwyjibo", "12.04.2026", "http://a.example", "\u0300"]
)
def test_text_that_tells_nothing_is_undetermined(text):
    assert detect_language(text) == "und"


@pytest.mark.parametrize(
    ("tag", "primary"),
    [
        ("en", "en"), ("en-GB", "en"), ("PT_br", "pt"), ("zh-Hans-CN", "zh"), ("iw", "he"),
        ("nb-NO", "no"), ("fil", "tl"), ("", ""), ("und", ""), ("English", ""), ("x", ""),
        ("de-", "de"), ("123", ""),
    ],
)  # fmt: skip
def test_primary_tag_is_the_language_of_a_tag(tag, primary):
    assert primary_tag(tag) == primary


@pytest.mark.parametrize(
    ("text", "tag", "language"),
    [
        ("", "en", ""),
        ("Kwyjibo", "sv", "sv"),
        ("Kwyjibo", "", "und"),
        ("Sehr freundlich und pünktlich.", "en-US", "de"),
        ("Service ongelooflik goed, baie dankie", "af", "af"),
    ],
)
def test_source_is_believed_where_the_words_do_not_contradict(text, tag, language):
    assert language_of(text, tag) == language


@given(text=st.text(), tag=st.text(max_size=8))
def test_any_text_has_a_tag_that_can_be_stored(text, tag):
    language = language_of(text, tag)

    assert (language == "") == (text == "")
    assert language in {"", "und"} or primary_tag(language) == language
    assert len(language) <= 3
