"""Recognition of English."""

import pytest

from review_analysis import Analyser

OTHER_LANGUAGES = """
Muy buen servicio, llegaron a tiempo y el precio fue justo, recomiendo esta empresa a todos mis
amigos y vecinos de aquí sin ninguna duda.

No me gustó nada, la comida llegó fría y el camarero no se disculpó en ningún momento, así que no
vamos a volver nunca más a este lugar.

Der Techniker war sehr freundlich und pünktlich, hat alles gut erklärt und die Arbeit in zwei
Stunden erledigt, gerne wieder in der Zukunft.

So was habe ich noch nie erlebt, am Ende war die Heizung kaputt und man hat uns an einen anderen
Betrieb verwiesen, also nie wieder.

Très bon accueil, le technicien est arrivé à l'heure et a tout expliqué, on est vraiment contents
du résultat et on recommande cette entreprise.

Service a la clientèle nul, on me dit de rappeler, puis on me raccroche au nez, or le rendez-vous
était pris depuis trois semaines.

Servizio ottimo, il tecnico è arrivato in orario e ha risolto il problema in un attimo, prezzi
onesti, lo consiglio a tutti i miei amici.

Ottimo servizio, as pessoas são muito simpáticas e o preço é justo, recomendo a todos que precisam
de um bom canalizador no fim de semana.

We zijn heel tevreden over de service, de monteur was vriendelijk en op tijd en heeft alles netjes
achtergelaten, een echte aanrader voor iedereen.

Ze had me beloofd om in de middag te komen maar we waren al over de tijd en er was geen monteur te
zien of te horen.

Vi er meget tilfredse med arbejdet, de kom til tiden og alt var i orden, vi vil helt sikkert bruge
dem igen og anbefale dem til andre.

Jag är mycket nöjd med arbetet, de kom i tid och allt blev klart på en dag, jag kan varmt
rekommendera dem till alla mina vänner.

Bardzo miła obsługa, fachowiec przyjechał na czas i wszystko dokładnie wyjaśnił, cena była
uczciwa, polecam tę firmę wszystkim znajomym i sąsiadom z osiedla.

Pelayanan sangat memuaskan, teknisi datang tepat waktu dan menjelaskan semuanya dengan sabar,
harga juga wajar, saya akan panggil lagi kalau ada masalah di rumah.

Napakaganda ng serbisyo nila, dumating sa oras at inayos agad ang problema, mabait ang mga tao at
hindi mahal, babalik kami ulit sa susunod.

Bu firma çok iyi, usta erken geldi ve her şeyi tek tek gösterdi, bir sorun olursa yine gelsinler,
herkese önerdim, ekibe çok teşekkür ederim.
""".strip().split("\n\n")
ENGLISH = """
Great price, excellent service, fast response, friendly crew, clean work, fair quote, honest
advice, quick cleanup, top quality, five stars, highly recommended, best company.

We ate at Casa de la Luz and at El Sol y Mar in Los Angeles. The tacos de lengua and the sopa del
dia at Casa de la Luz were very good, and they were kind.

tech came out on time n did good work price was ok no complaints so far wud use again if need be
thx guys
""".strip().split("\n\n")


@pytest.mark.parametrize("text", OTHER_LANGUAGES)
def test_words_shared_with_english_do_not_make_text_english(text):
    assert Analyser({}).read(text, 5).analysed is False


@pytest.mark.parametrize("text", ENGLISH)
def test_terse_english_and_foreign_names_are_read(text):
    assert Analyser({}).read(text, 5).analysed is True
