"""Which words, endings and letters a language has, for those that share a script.

Function words, and the commonest words of reviews, since these are short. A word may stand in
several languages; it then tells less of each.
"""
# ruff: noqa: RUF001  (Letters that look alike are meant.)

from collections.abc import Mapping

WORDS: Mapping[str, str] = {
    "en": """
        the and was were is are to of for with very my our we they he she it his her this that had
        have has been from on at in not no you your them their would will great good excellent
        best service work job nice friendly recommend highly time again always never thank thanks
        all so did done came just get got out up when what there here who which about after before
        by be if only could can do don't didn't i'm i've us me as or but an amazing awesome
        perfect helpful professional staff place love loved food team quick quickly easy price
        worth bad worst money really well everything super wonderful fantastic experience customer
        company people ever rude poor terrible horrible ok okay more most than too how fixed house
        day clean kind
    """,
    "es": """
        el la los las de del y en un una que es son fue muy mi con por para pero no se lo le les
        su sus al como más nos todo todos bien bueno buena buen excelente servicio trabajo gracias
        atención trato personal recomiendo siempre nunca mal mala malo está este esta han ha hay
        desde cuando también sin hasta donde porque nada mejor rápido amable amables comida lugar
        sitio precio calidad encantó muchas recomendable profesional profesionales 100% hacer ser
        estoy encantada contento contenta tarde vez solo ya si me te
    """,
    "fr": """
        le la les de des du et en un une que qui est sont était très je nous vous mon ma mes notre
        pour par pas ne ce cette ces dans sur avec au aux plus tout toute tous bien bon bonne
        merci excellent service travail équipe accueil recommande toujours jamais mal mauvais à a
        ont été fait c'est j'ai n'est d'une l'équipe qu'il sans mais ou où y on il elle ils leur
        leurs rapide sympathique agréable efficace parfait super qualité prix professionnel
        professionnelle personnel déçu déçue même encore fois peu trop suis satisfait satisfaite
        chez
    """,
    "de": """
        der die das den dem des ein eine einen einem einer und ist sind war waren ich wir sie er
        es mein meine unser unsere mit für von zu zum zur auf im in an am bei nach nicht kein
        keine sehr gut gute guter gutes super toll tolle danke vielen dank gerne immer wieder nie
        auch aber oder wenn als wie so nur noch schon hat haben wurde wurden werden kann alles uns
        mir mich dass sich freundlich freundliche freundlicher freundliches nett schnell schnelle
        pünktlich zuverlässig sauber arbeit service empfehlen empfehlung empfehlenswert kompetent
        leider schlecht schlechte preis jederzeit zufrieden personal essen lecker besten einfach
        kompetente beratung team perfekt ganz mehr weiter bitte nochmal
    """,
    "it": """
        il lo la i gli le di del della dei delle da dal e è in un una che sono era molto mi con
        per ma non si ci mio mia nostro al alla nel nella come più tutto tutti bene buono buona
        ottimo ottima servizio lavoro grazie personale gentile gentili consiglio consigliato
        sempre mai male questo questa hanno ha anche senza quando dove perché meglio veloce cibo
        posto prezzo qualità bravi professionale disponibile esperienza cortesia puntuale davvero
        soddisfatto soddisfatta consigliatissimo pulito mangiato locale stato stata
    """,
    "pt": """
        o a os as de do da dos das e em no na nos nas um uma que é são foi muito meu minha com por
        para mas não se ao à como mais nós tudo todos bem bom boa ótimo ótima excelente serviço
        trabalho obrigado obrigada atendimento recomendo sempre nunca mal ruim este esta têm tem
        também sem quando onde porque nada melhor rápido simpático comida lugar sítio preço
        qualidade eu você vocês foram pelo pela já só super profissional profissionais equipe
        equipa parabéns demais pessoal gostei adorei péssimo está estava
    """,
    "nl": """
        de het een en is zijn was waren ik wij we ze hij zij mijn onze ons met voor van naar op in
        bij niet geen zeer erg goed goede goeie prima top fijn bedankt dank graag altijd weer
        nooit ook maar of als dan zo nog al heeft hebben werd worden kan alles me dat deze dit wat
        wie vriendelijk vriendelijke snel snelle netjes service werk aanrader prijs tevreden
        personeel eten lekker echt heel mooi uitstekend geholpen jammer slecht slechte klant
        duidelijk afspraak aan te er om uit over door haar hun
    """,
    "sv": """
        och att det är en ett som på för av med inte jag vi de han hon den till var om har hade
        mycket bra bäst tack alltid aldrig igen men eller när så kan alla oss mig mitt vår våra
        från vid trevlig trevliga trevligt snabb snabbt service jobb rekommenderar rekommenderas
        personal pris mat god gott nöjd nöjda fantastisk dålig dåligt bemötande hjälp hjälpte
        väldigt kommer blev också riktigt kunnig proffsig
    """,
    "da": """
        og at det er en et som på for af med ikke jeg vi de han hun den til var om har havde meget
        god godt gode tak altid aldrig igen men eller når så kan alle os mig min vores fra ved
        venlig venlige venligt hurtig hurtigt service arbejde anbefale anbefales varmt personale
        pris mad lækker tilfreds dårlig dårligt betjening hjælp hjalp blev også rigtig super
        fantastisk oplevelse dygtig
    """,
    "no": """
        og at det er en et som på for av med ikke jeg vi de han hun den til var om har hadde
        veldig god godt gode bra takk alltid aldri igjen men eller når så kan alle oss meg min vår
        fra ved hyggelig hyggelige vennlig rask raskt service jobb anbefale anbefales anbefaler
        personale pris mat fornøyd dårlig betjening hjelp hjalp ble også kjempe kjempebra flott
        utrolig flink flinke opplevelse sted
    """,
    "fi": """
        ja on ei oli se en ole olen että mutta kun niin kaikki hyvä hyvää hyvin erittäin tosi
        todella kiitos palvelu palvelua aina paras suosittelen nopea nopeasti ystävällinen
        ystävällistä ammattitaitoinen työ hinta ruoka henkilökunta mukava myös vain kanssa minun
        meidän siitä tämä voin sekä loistava
    """,
    "pl": """
        i w z na nie się jest to że do o jak po za od dla bardzo był była było są ja my mi mnie
        ale czy tak już tylko wszystko dobrze dobra dobry dobre super polecam obsługa dziękuję
        zawsze nigdy miła miły szybko szybka praca usługa cena jedzenie pyszne profesjonalna
        profesjonalnie fachowo serdecznie gorąco najlepszy świetna świetny jakość niestety przez
        bez oraz przy które który
    """,
    "cs": """
        a v z na se je to že do jak po za od pro velmi byl byla bylo jsou já my mi mě ale tak už
        jen vše dobře dobrá dobrý děkuji děkujeme doporučuji vždy nikdy rychle rychlá práce služby
        cena jídlo ochotný ochotná příjemný příjemná obsluha skvělý skvělá spokojenost spokojený
        který jsem jsme není bez také mohu určitě super kvalita
    """,
    "sk": """
        a v z na sa je to že do ako po za od pre veľmi bol bola bolo sú ja my mi ma ale tak už len
        všetko dobre dobrá dobrý ďakujem ďakujeme odporúčam vždy nikdy rýchlo rýchla práca služby
        cena jedlo ochotný ochotná príjemný príjemná obsluha skvelý skvelá spokojnosť spokojný
        ktorý som sme nie bez tiež môžem určite super kvalita
    """,
    "hu": """
        a az és nem hogy is van volt egy nagyon jó meg csak de ha már mert mint minden köszönöm
        köszönjük ajánlom mindig soha kedves gyors gyorsan munka szolgáltatás ár étel finom
        kiszolgálás szuper remek kiváló segítőkész profi elégedett vagyok ez azt nekem nekünk
        mindenkinek tudom lehet
    """,
    "ro": """
        și de la în cu un o este sunt a fost foarte nu că pe pentru din mai dar sau ce care bine
        bun bună mulțumesc recomand mereu niciodată rapid servicii serviciu lucru preț mâncare
        personal amabil excelent calitate toate tot am au si sa fi profesionalism seriozitate
        încredere frumos oameni
    """,
    "tr": """
        ve bir bu da de çok için ile ne ki ama gibi daha en her şey var yok iyi güzel teşekkürler
        teşekkür ederim ederiz tavsiye hizmet ilgi zaman asla hızlı çalışan personel fiyat yemek
        lezzetli kaliteli memnun kaldım kaldık oldu olarak kadar sonra değil mi ben biz harika
        süper mükemmel ilgili güler yüzlü ediyorum
    """,
    "id": """
        yang dan di ini itu dengan untuk dari tidak saya kami sangat baik bagus terima kasih
        pelayanan pelayanannya ramah cepat selalu tempat tempatnya makanan harga enak juga ada
        bisa sudah lebih banyak akan pada ke nya mantap rekomendasi recommended memuaskan puas
        semua kurang sekali nyaman
    """,
    "vi": """
        và là của có không rất tôi này cho với được một những các thì đã đi ở khi tốt dịch vụ nhân
        viên nhiệt tình cảm ơn giá ngon quán nhanh sẽ mình anh chị em làm đẹp thợ lịch sự chu đáo
        chuyên nghiệp hài lòng sạch
    """,
    "tl": """
        ang ng sa na mga ay at ko ako ito ni si hindi naman lang po kasi pa ba yung sila namin
        natin maganda mabait salamat masarap mabilis dito pero din rin may wala sobrang talaga
        kami
    """,
    "ca": """
        el la els les de del i en un una que és són va molt mi amb per però no es al com més tot
        bé bon bona excel·lent servei treball gràcies recomano sempre mai tracte atenció qualitat
        preu menjar lloc amables ràpid també sense quan aquest aquesta
    """,
    "hr": """
        i u je da se na za od do sa s to su bio bila bilo sam smo vrlo jako dobro dobar dobra
        hvala preporuka preporučujem preporučam uvijek nikad brzo brza usluga cijena hrana osoblje
        ljubazno ljubazni odlično odlična odličan sve ali kao što nije super profesionalno svaka
        čast
    """,
    "sl": """
        in v je da se na za od do z s to so bil bila bilo sem smo zelo dobro dober dobra hvala
        priporočam vedno nikoli hitro hitra storitev cena hrana osebje prijazno prijazni odlično
        odlična vse ampak kot ni super strokovno pri tudi
    """,
    "et": """
        ja on ei oli see ma me väga hea hästi aga kui kõik ka aitäh tänan teenindus alati soovitan
        kiire kiiresti sõbralik töö hind toit maitsev meeldiv klienditeenindus suurepärane
    """,
    "lv": """
        un ir nav bija ļoti labi labs laba es mēs par ar no bet ka kā arī viss paldies iesaku
        vienmēr ātri ātra serviss cena ēdiens apkalpošana laipns laipna darbs profesionāli
    """,
    "lt": """
        ir yra ne buvo labai geras gera gerai aš mes su iš bet kad kaip viskas ačiū dėkoju
        rekomenduoju visada greitai greitas aptarnavimas kaina maistas darbas malonus maloniai
        puikus puikiai profesionaliai
    """,
    "ru": """
        и в не на что я с он она мы они это как но по все всё за очень был была было были у из от
        для так же хорошо хороший отлично отличный спасибо рекомендую всегда никогда быстро работа
        мастер сервис обслуживание цена вкусно персонал приятно вежливый качественно качество есть
        ещё если нет только просто доволен довольны прекрасный
    """,
    "uk": """
        і в не на що я з він вона ми вони це як але по все за дуже був була було були у із від для
        так же добре добрий чудово чудовий дякую рекомендую завжди ніколи швидко робота майстер
        сервіс обслуговування ціна смачно персонал приємно якісно якість є ще якщо немає тільки та
        відмінно задоволений
    """,
    "bg": """
        и в не на че аз с той тя ние те това как но по всичко за много беше са от до е да се си ми
        добре добър добра отлично отличен благодаря препоръчвам винаги никога бързо работа майстор
        обслужване цена вкусно персонал любезни любезен качество със има няма
    """,
    "sr": """
        и у је да се на за од до са то су био била било сам смо веома јако добро добар добра хвала
        препорука препоручујем увек никад брзо услуга цена храна особље љубазно одлично све али
        као што није
    """,
}
ENDINGS: Mapping[str, str] = {
    "en": "ing ly ful ness 're 've n't tely ght",
    "es": "ción ciones mente ísimo ísima aron ieron ando iendo dad ado ados",
    "fr": "ment eux euse eur ement ais ait aient tion ité ées",
    "de": "ung ungen keit heit lich liche licher isch schaft iert ßen",
    "it": "zione zioni mente issimo issima ità ato ati iamo",
    "pt": "ção ções mente íssimo íssima aram ando endo dade ado ados inho",
    "nl": "lijk lijke heid ijk aar ingen tje ijn",
    "sv": "ningen igt arna erna lig ligt",
    "da": "ning ningen lig ligt hed erne",
    "no": "ning ningen lig het ene",
    "fi": "ssa ssä sta stä lla llä ksi nen inen mme tti",
    "pl": "ość ości nie ego ych ymi cja cji owy owa",
    "cs": "ost osti ého ých ními ace ová",
    "sk": "osť osti ého ých nými ácia ová",
    "hu": "ság ség nak nek ban ben ért tunk tünk ással",
    "ro": "ului ilor ție ții esc ează",
    "tr": "lar ler lık lik larda dır dir ıyor iyor unuz miz mız",
    "id": "nya kan annya",
    "hr": "ovi ima ost osti ali",
    "lt": "imas umas ais iai ius",
    "lv": "šana šanas iem ība",
    "ru": "ость ости ого ение ться лись ный ная",
    "uk": "ість ості ого ення ться лися ний на",
    "bg": "ост ния ната ите ение",
}
# Letters that few languages of the script have.
LETTERS: Mapping[str, str] = {
    "es": "ñ¿¡",
    "fr": "œèêâëûç",
    "de": "ßäöü",
    "it": "ìòèù",
    "pt": "ãõç",
    "sv": "åäö",
    "da": "åøæ",
    "no": "åøæ",
    "fi": "äö",
    "et": "õäöü",
    "pl": "łąężźćńś",
    "cs": "řěůžšč",
    "sk": "ľĺŕôťžšč",
    "hu": "őűöü",
    "ro": "șțăâţş",
    "tr": "ığşçİ",
    "vi": "ơưđạảấầẩẫậắằẳẵặẹẻẽếềểễệịỉĩọỏốồổỗộớờởỡợụủứừửữựỳỵỷỹ",
    "hr": "đčćž",
    "sl": "čšž",
    "lv": "āēīūķļņģ",
    "lt": "ėįųūąę",
    "ca": "·ç",
    "ru": "ыэё",
    "uk": "іїєґ",
    "bg": "ъ",
    "sr": "јљњћђџ",
}
# One language for each other script, by the first and last of its letters.
SCRIPTS: tuple[tuple[str, str, str], ...] = (
    ("\u0370", "\u03ff", "el"),
    ("\u0400", "\u052f", "cyrillic"),
    ("\u0530", "\u058f", "hy"),
    ("\u0590", "\u05ff", "he"),
    ("\u0600", "\u06ff", "arabic"),
    ("\u0900", "\u097f", "hi"),
    ("\u0980", "\u09ff", "bn"),
    ("\u0a00", "\u0a7f", "pa"),
    ("\u0a80", "\u0aff", "gu"),
    ("\u0b80", "\u0bff", "ta"),
    ("\u0c00", "\u0c7f", "te"),
    ("\u0c80", "\u0cff", "kn"),
    ("\u0d00", "\u0d7f", "ml"),
    ("\u0d80", "\u0dff", "si"),
    ("\u0e00", "\u0e7f", "th"),
    ("\u0e80", "\u0eff", "lo"),
    ("\u1000", "\u109f", "my"),
    ("\u10a0", "\u10ff", "ka"),
    ("\u1100", "\u11ff", "ko"),
    ("\u1200", "\u137f", "am"),
    ("\u1780", "\u17ff", "km"),
    ("\u1f00", "\u1fff", "el"),
    ("\u3040", "\u30ff", "ja"),
    ("\u3130", "\u318f", "ko"),
    ("\u3400", "\u9fff", "zh"),
    ("\uac00", "\ud7af", "ko"),
    ("\uff66", "\uff9f", "ja"),
    ("\U00020000", "\U0003134f", "zh"),
)
URDU = "ٹڈڑےںھ"
PERSIAN = "پچژگکی"
