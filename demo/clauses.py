"""Clauses of the demo's texts, by aspect and polarity.

A template is a clause without its full stop. `{a|b|}` stands for one of its alternatives; `<who>`
for the technician or the crew, with `<was>` agreeing in number. A clause speaks of one aspect and
means its polarity, whatever words it takes: negations, wishes and sarcasm stand where their meaning
belongs. No clause names a service, a place or a person by itself.
"""

from collections.abc import Mapping

Templates = tuple[str, ...]

POSITIVE: Mapping[str, Templates] = {
    "cleanliness": (
        "<who> left {the place|everything|the kitchen|our hallway} {spotless|cleaner than before}",
        "<who> {wore shoe covers|put down drop cloths} {without being asked|in every room|}",
        "<who> cleaned up {completely |thoroughly |}afterwards",
        (
            "there wasn't {a speck of dust|any mess|a single footprint} left {behind|when"
            " they were done|}"
        ),
        "{you'd|you would} never know {anybody|a crew} had been working here",
        (
            "<who> hauled {the old parts|all the junk|the packaging} away and"
            " {swept|vacuumed} the floor"
        ),
        "no mess{ at all| whatsoever|}, {not even|and not} {in the crawl space|under the cabinet}",
    ),
    "communication": (
        (
            "<who> explained {everything|every step|the whole thing} {clearly|in plain"
            " words|patiently}"
        ),
        (
            "<who> kept {me|us} {posted|informed|in the loop} {the whole time|by text|from"
            " start to finish}"
        ),
        "<who> called {ahead|thirty minutes before arriving|the day before to confirm}",
        (
            "<who> answered {all my|every one of our|my endless} questions"
            " {patiently|without rushing|}"
        ),
        (
            "{the office|the lady at the front desk} returned {my|our} call {right"
            " away|within ten minutes}"
        ),
        "<who> sent photos of {the work|what was wrong|every step}",
        "there {were no surprises|was never any confusion} about {the plan|what would happen next}",
    ),
    "honesty": (
        "<who> {didn't try|never tried} to {sell us anything|upsell us|push a replacement}",
        "<who> told us {honestly|straight out} that {the cheaper fix|a small part} would do",
        "<who> could have {talked us into|sold us} a new one but didn't",
        "I {finally |}found {a company|people} {I|you} can {really |actually |}trust",
        "<who> gave {me|us} an honest {opinion|assessment}{, which is rare|}",
        "no {games|tricks|pressure|scare tactics}{, just the truth|, ever| at all}",
    ),
    "knowledge": (
        "<who> knew exactly what {to do|was wrong|we needed}",
        "<who> found the {cause|problem} {two other companies|everyone else} had missed",
        "<who> clearly {knew the trade|understood these old houses|had seen it all before}",
        (
            "<who> figured it out {in five minutes|faster than I thought possible|after"
            " others gave up}"
        ),
        "<who> diagnosed {it|the fault} {correctly |}{on the spot|right away|the first time}",
        "you can tell these people {have|bring} {years of|real|serious} experience",
    ),
    "price": (
        "the price was {fair|reasonable|very fair|lower than the other two quotes}",
        "<who> charged {exactly what was quoted|less than the estimate|a fair price}",
        "the {invoice|total} {matched|came in under} the {quote|estimate}{ to the dollar|}",
        "{honestly |}it {wasn't|was not} {expensive|pricey} at all",
        (
            "I {expected|was bracing for} a {huge|scary} bill and {paid half of that|was"
            " pleasantly surprised}"
        ),
        "{great|good|excellent} value {for the money|all around|}",
        "it was worth {every penny|every cent|what we paid}",
        "{I|we} couldn't complain about the price",
    ),
    "professionalism": (
        "<who> <was> {polite|courteous|respectful|professional} {throughout|from start to finish|}",
        "<who> <was> {super |so |really |very |}{friendly|kind|pleasant}",
        "<who> treated {our home|my parents|us} with {respect|real care}",
        "<who> <was> {great|wonderful|patient} with {our dog|the kids|my elderly mother}",
        "{I've|I have} rarely met {such|more} {courteous|professional} people",
        "<who> handled {a stressful day|the whole situation} {calmly|with grace and good humor}",
    ),
    "responsiveness": (
        "<who> came out {the same day|within the hour|on a Sunday|on a holiday weekend}",
        "{somebody|a real person} picked up {on the first ring|at 6 in the morning|right away}",
        "<who> responded {quickly|fast|immediately}{ when it mattered|}",
        "<who> squeezed us in {before the weekend|between two other jobs|the very next morning}",
        "{I|we} didn't {have to wait|wait} {long|at all}{ for help|}",
        "they were here {before I had finished my coffee|faster than any company I have called}",
    ),
    "scheduling": (
        "booking {online |by phone |}was {easy|painless|a breeze|quick}",
        "<who> worked around {our|my} {schedule|night shifts|odd hours}",
        "{getting|making} an appointment took {two minutes|one short call}",
        (
            "<who> moved {the visit|our appointment} {without any fuss|with no trouble}"
            " when I had to work"
        ),
        "{I|we} got {a slot|an appointment} {that same week|at the first try|on short notice}",
    ),
    "punctuality": (
        "<who> showed up {right on time|exactly when promised|on the dot|ten minutes early}",
        "<who> arrived {on time|punctually|early|within the window}{, as promised|}",
        "<who> kept {the|every} appointment {to the minute|without fail|}",
        "{for once|finally} somebody who {shows up|arrives} {on time|when they say they will}",
        "{not once|never} {have they been|were they} late{ in three visits|}",
        "no waiting around{ all day|}: <who> arrived at the {agreed hour|start of the window}",
    ),
    "workmanship": (
        "<who> did {a great|an excellent|a fantastic|a solid|a first-rate} job",
        "the work {is|looks} {flawless|excellent|beautiful|solid|top notch}",
        "it {works|runs} {perfectly|like new|better than ever|without a hitch}{ again| now|}",
        "<who> fixed it {right |}{the first time|on the first visit|for good}",
        "<who> took care of {the problem|everything} {quickly|in no time|in under an hour}",
        "{we've|we have} had {no|zero} {trouble|problems|issues} {since|ever since|so far}",
        "<who> paid attention to {every detail|details others skip}",
        "the {repair|fix} {held up|has held} {through the storm|all season|perfectly}",
        "the job {isn't|was not} {sloppy|half done} like the last company's{, far from it|}",
    ),
}

NEGATIVE: Mapping[str, Templates] = {
    "cleanliness": (
        "<who> left {a mess|mud everywhere|dust all over the place|trash in the yard}",
        (
            "I had to {clean|sweep|vacuum} {up after them|for an hour|the whole room}"
            " {myself|afterwards}"
        ),
        "<who> tracked {mud|dirt|grease} {across the carpet|through the house|up the stairs}",
        "<who> didn't {bother to |even |}clean up",
        (
            "the {bathroom|garage|kitchen} looked like a {disaster|construction site}"
            " {after they left|}"
        ),
        "I wish <who> had put down {a drop cloth|some paper}",
    ),
    "communication": (
        "nobody {called|called back|told us anything|returned my messages}",
        "<who> never explained what {was wrong|had been done|I was paying for}",
        (
            "{the office|dispatch} {kept telling|told} {me|us} {something"
            " different|another story} every time"
        ),
        (
            "getting {an answer|a straight answer|anyone on the phone} was"
            " {impossible|like pulling teeth}"
        ),
        "I {left|must have left} {three|four|five} messages {and heard nothing|without a reply}",
        "I wish <who> had {called ahead|kept us informed|told us before}",
        "communication {is|was} not their strong suit",
        "a {quick|simple} phone call would have been nice",
    ),
    "honesty": (
        "<who> tried to {sell us|talk me into} {parts|things} {we|I} didn't need",
        "it felt like {a scam|a bait and switch|they were making it up}",
        "<who> claimed {the whole thing|everything} had to be replaced, {which was not true|a lie}",
        "I {don't|no longer} trust {them|this company}{ at all| anymore|}",
        "the high-pressure sales talk {put us off|was too much}",
    ),
    "knowledge": (
        "<who> {had no idea|didn't seem to know} what {the problem was|to do}",
        "<who> {guessed|kept guessing} {for two hours|and swapped parts}",
        "<who> misdiagnosed {it|the problem} {twice|completely}",
        "I {had to|ended up having to} explain {the system|the basics} to <whom>",
        "<who> {admitted|said} {it was the first time|nobody had trained them for this}",
    ),
    "price": (
        "the price was {outrageous|way too high|twice the estimate|a shock}",
        "<who> charged {us |me |}{far |way |much |}too much",
        "{they|the company} added {fees|charges|extras} {nobody mentioned|we never agreed to}",
        "{$400|$350|$600} for {twenty minutes|ten minutes} of work is {robbery|too much|not okay}",
        "it wasn't {cheap|worth it|worth the money}",
        "{overpriced|much too expensive} for what {we got|it was}",
        "I {can't|couldn't} believe {what we paid|that invoice}",
        "I wish I had {asked for|gotten} a {second|written} quote",
    ),
    "professionalism": (
        "<who> <was> {rude|dismissive|unprofessional|condescending}{ from the start| to my wife|}",
        "<who> spent more time on the phone than {working|listening|anything else}",
        "<who> <was> on the phone {the whole visit|the entire time|for half an hour}",
        "<who> {rolled their eyes|sighed|snapped at me} when I asked {a question|why}",
        "<who> argued with me {in my own home|in front of the kids|over nothing}",
        "{not|hardly} {a professional|a courteous} {outfit|bunch}",
    ),
    "responsiveness": (
        "it took {a week|nine days|forever|three weeks} to get {anyone|somebody} out here",
        "{I|we} waited {five days|two weeks} {without heat|with no help|for a callback}",
        "nobody {cared|reacted} when we had an {emergency|urgent problem}",
        "their {emergency line|24 hour number} {just rings|goes to voicemail}",
        "so much for {same-day|emergency} service",
    ),
    "scheduling": (
        "<who> {rescheduled|canceled|cancelled} {twice|three times|at the last minute}",
        "<who> {lost|forgot} our appointment{ entirely|}",
        "{booking|the booking site} was a {nightmare|pain}",
        "{I|we} took {a day|two days} off {work |}for nothing",
        "they {double-booked us|mixed up the dates|sent nobody on the agreed day}",
    ),
    "punctuality": (
        "<who> showed up {two hours|three hours|forty minutes} late",
        "<who> never showed up{ at all|}",
        "<who> <was> late {again|both times|by half a day}",
        "the {four hour|8 to 12} window {meant nothing|turned into six hours}",
        "{oh great|wonderful|fantastic}, {another|yet another} {missed|late} arrival",
        "on time? {not once|never}",
    ),
    "workmanship": (
        "it {broke|failed|stopped working} again {a week later|the next day|after two days}",
        "<who> did {a sloppy|a terrible|a poor|a careless} job",
        "<who> had to come back {twice|three times} {to fix it|and it still isn't right}",
        "<who> scratched {the floor|our new counter|the wall} and {said nothing|shrugged}",
        "it still {doesn't work|makes the noise|isn't fixed}",
        "I {can't|couldn't} say the work was {good|careful}",
        "the repair {didn't last|lasted a week|was a joke}",
        "<who> made it worse{ than before|, not better|}",
    ),
}

NEUTRAL: Mapping[str, Templates] = {
    "communication": (
        "<who> told us the basics{, no more and no less|}",
        "I got {one|a} text {the day before|in the morning}",
    ),
    "price": (
        "the price was {about average|about what I expected|in line with other quotes}",
        "{neither cheap nor expensive|not cheap, not expensive}",
    ),
    "punctuality": (
        "<who> arrived {toward the end of|somewhere in} the window",
        "<who> came {at about|more or less at} the time they gave",
    ),
    "workmanship": (
        "the work is {okay|fine|acceptable|average}{, nothing special|}",
        "it {works, more or less|does what it should}",
    ),
}

# Complaints with a name of their own: negative clauses, the aspect they speak of, the problem.
PROBLEMS: Mapping[str, tuple[str, Templates]] = {
    "damage": (
        "workmanship",
        (
            (
                "<who> {cracked|broke|damaged} {a tile|the cabinet door|our fence} and"
                " {left|denied it}"
            ),
            (
                "now there is a hole in {the wall|my ceiling} {nobody will fix|that wasn't"
                " there before}"
            ),
        ),
    ),
    "no-show": (
        "punctuality",
        (
            "{I|we} waited {all day|from 8 to 5|the whole afternoon} and nobody {came|showed up}",
            "<who> simply did not {come|show up}{, no call, nothing|}",
        ),
    ),
    "overcharge": (
        "price",
        (
            "the final {bill|invoice} was {$200|$180|hundreds} {over the quote|more}",
            "the final {bill|invoice} was {double|twice} {the quote|what they quoted}",
            "they charged my card {twice|for a visit that never happened}",
        ),
    ),
    "repeat-visit": (
        "workmanship",
        (
            "it took {three|four} visits to get {it|one thing} {right|done}",
            "the same {fault|problem} came back {within days|the next week}",
        ),
    ),
}

# What is said of everything at once; no aspect, but a polarity.
PRAISE: Templates = (
    "{great|excellent|fantastic|amazing|wonderful|outstanding} {service|experience|company|people}",
    "{I|we} {can't|cannot} {recommend|praise} them enough",
    "{highly|definitely|absolutely} recommend{ them| this company|ed}",
    "{I|we} {couldn't|could not} be happier",
    "{by far |easily |}the best {company|experience} {we've|I have} {had|found} {in years|so far|}",
    "will {definitely|certainly|gladly} {call|use|hire} them again",
    "five stars {all the way|from us|without hesitation}",
    "you {can't|couldn't|won't} go wrong with {them|these folks}",
    "thank you {so much |}to {the whole team|everyone there}",
    (
        "{very |really |extremely |more than |}{happy|pleased|satisfied} {overall|with"
        " everything|customer here}"
    ),
    "mark my words, you will {be glad you called|not regret it}",
)
BLAME: Templates = (
    "{terrible|awful|horrible|dreadful|very poor} {service|experience|company}",
    "{I|we} {will never|won't} {call|use|hire} {them|this company} again",
    "{stay away|avoid|look elsewhere}",
    "{I|we} {can't|cannot} recommend {them|this place}",
    (
        "{very |deeply |extremely |}{disappointed|frustrated|unhappy}{ customer here| to"
        " say the least|}"
    ),
    "{what a|a complete} {waste of time|letdown|disappointment}",
    "{save yourself|spare yourself} the {trouble|headache|stress}",
    "{I|we} expected {so much |a lot |}better",
    "mark my words, you will {regret it|be sorry}",
)
MIXED: Templates = (
    "{a|kind of a|a bit of a} mixed bag{ overall|}",
    "{some good, some bad|it was okay, not great|could be worse, could be better}",
    "{not sure|undecided whether} {I'd|we would} call again",
    "{about average|middle of the road}{ overall|}",
)

# Sentences that set the scene: a job, a place, a person; they judge nothing.
JOB_SCENES: Templates = (
    "{we|I} {called|hired|booked} them for <job>",
    "they {came out|were here} {last week |on Tuesday |}for <job>",
    "{we|I} needed {help with|somebody for} <job>",
    "this was about <job>",
    "{I|we} had <job> {looked at|checked|taken care of}",
    "it started with <job>",
)
AREA_SCENES: Templates = (
    "{we|I} live in <area>",
    "our {house|place|rental|shop} is in <area>",
    "they drove {all the way |}out to <area>",
    "{half of|everybody in} <area> {seems to use|knows} them",
    "{I|we} manage {a few rentals|two duplexes} in <area>",
)
PERSON_SCENES: Templates = (
    "our {technician|tech} was <name>",
    "<name> {came|came out|was sent} {to take a look|in the morning|after lunch|}",
    "{we|I} had <name> {out |}{this time|last week|for the visit}",
    "they sent <name>{ and a helper|}",
    "{ask|be sure to ask} for <name>",
    "<name>'s {visit|appointment} was on {a Monday|Thursday|Friday}",
    "{thanks|thank you} to <name>",
)

SPELLING_MISTAKES: Mapping[str, str] = {
    "definitely": "definately",
    "recommend": "recomend",
    "professional": "profesional",
    "appointment": "appointmnet",
    "received": "recieved",
    "excellent": "excelent",
    "immediately": "immediatly",
    "courteous": "curteous",
    "reasonable": "resonable",
    "believe": "beleive",
    "their": "thier",
    "explained": "explaned",
    "experience": "experiance",
    "company": "compnay",
    "don't": "dont",
    "didn't": "didnt",
    "can't": "cant",
    "wasn't": "wasnt",
}
