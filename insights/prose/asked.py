"""Questions about aspects, and by which words a sentence answers each."""

from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

from insights.prose.quotable import stems
from insights.prose.wording import within


class Asked(NamedTuple):
    question: str
    topic: str  # What its reviews mention.
    words: str = ""  # By which an answer may name it, beside those of question, topic and label.


IMPLYING = 0.5  # The weight of a word that does not name what is asked about.

_TIME = "late early punctual arrive arrived prompt promptly minutes hour hours window sharp delay"
_WAIT = "wait waited waiting line lines queue minutes hour hours quick quickly fast slow crowd"
_PRICE = """cost costs charge charged fee fees bill billed expensive cheap affordable reasonable
    overpriced value money dollars quote quoted estimate rate rates budget paid pay deal discount"""
_STAFF = """employee employees team crew receptionist manager assistant friendly helpful
    rude polite kind courteous attentive welcoming cheerful patient professional smile desk
    operator operators host hostess lifeguard lifeguards hygienist technician technicians"""
_FOOD = """meal meals lunch dinner breakfast dish dishes menu burger pizza fries drinks taste tasted
    delicious bland flavor cooked fresh coffee dessert steak chicken fish sandwich kitchen buffet"""
_CALLS = """call called calls answer answered explain explained update updates updated text texts
    email emails emailed told inform informed informative loop listen listened contact reply
    communicate"""
_RESPONSE = """call called calls answer answered reply replied quick quickly fast prompt
    promptly returned return wait waited hour hours respond responsive emergency immediately"""
_BOOKING = """appointment appointments book booked booking schedule scheduled scheduling slot
    reschedule rescheduled reservation reserve availability cancel canceled cancelled"""
_SKILL = """knowledgeable skill skilled skills expert expertise experience experienced knew knows
    knowledge talented competent diagnosed diagnose trained qualified smart professional trade"""
_PLACE = """place park building office room rooms location atmosphere decor parking grounds lobby
    comfortable modern cozy spacious view views beautiful noisy crowded"""
_CLEAN = """clean cleaned cleaner spotless dirty mess messy tidy dust filthy immaculate hygiene
    cleanup swept trash stains sanitary cleaning"""
_HONEST = """honesty honest trust trusted trustworthy upfront lie lied liar dishonest scam
    transparent integrity ethical pressure pushy upsell sell sold unnecessary straight"""
_KIND = """kind kindness gentle caring compassionate patient patience listened warm empathy
    understanding comfortable ease nervous afraid cold rude rushed dismissive respect"""
_PARKING = "parking park parked lot garage access accessible spaces ramp ramps wheelchair find"
_FAMILY = """kid kids child children family families toddler son daughter grandkids groups baby
    teenagers ages"""
_WORK = """quality workmanship repair repaired fixed installed installation leak leaks leaked job
    finished result results craftsmanship perfect flawless sloppy replaced"""
_RELIABLE = """reliable dependable rely count show showed promised promise word every always again
    consistent consistently stand years"""
_ROOMS = "room suite bathroom bed beds shower spacious furniture bedroom"
_RESULTS = """result results outcome cut color colour style nails brows love loved happy look looks
    looked won settled settlement case verdict custody"""
_TEACHING = """teach teaches teaching taught teacher teachers instructor instructors tutor explain
    explains explained lesson lessons learn learned class classes professor"""

_ASKED: Mapping[str, Asked] = {
    "activities": Asked("Is there enough to do?", "activities", "activity bingo outings events"),
    "amenities": Asked("Are pool and amenities good?", "pool and amenities", "gym spa sauna"),
    "ambience": Asked("Is the atmosphere pleasant?", "the atmosphere", _PLACE + " music ambience"),
    "atmosphere": Asked("Is the atmosphere pleasant?", "the atmosphere", _PLACE + " music vibe"),
    "authenticity": Asked("Is the cooking authentic?", "authenticity", "authentic traditional"),
    "bedside_manner": Asked("Are patients treated with kindness?", "bedside manner", _KIND),
    "beds": Asked("Do guests sleep well?", "beds and sleep", "bed beds mattress pillow pillows"),
    "billing": Asked(
        "Does the billing go smoothly?", "billing", "bill billed insurance invoice charge charged"
    ),
    "booking": Asked("Is it easy to book?", "booking", _BOOKING),
    "care": Asked("Are residents well cared for?", "the care", "caring nurse nurses aides staff"),
    "case_handling": Asked(
        "Are cases handled well?", "the handling of their case", "case claim court settlement"
    ),
    "check_in": Asked("Is it easy to book and check in?", "check-in and booking", _BOOKING),
    "checkout": Asked("Is the checkout quick?", "the checkout", _WAIT + " register cashier"),
    "classes": Asked("Are the classes good?", "classes", "class yoga spin workout"),
    "cleanliness": Asked("Is everything kept clean?", "cleanliness", _CLEAN),
    "communication": Asked("Do they communicate well?", "communication", _CALLS),
    "community": Asked("Is the community welcoming?", "the community", "friends classmates"),
    "consultation": Asked("Do they listen and advise?", "listening and advice", _CALLS + " asked"),
    "crowding": Asked("Is there enough room?", "crowding", "crowded packed busy wait space"),
    "curriculum": Asked("Are the courses good?", "courses and content", "course lessons program"),
    "delivery": Asked("Is delivery reliable?", "delivery or pickup", "delivered arrived shipped"),
    "empathy": Asked("Do they care about their clients?", "compassion and support", _KIND),
    "equipment": Asked("Is the equipment good?", "equipment", "machines weights treadmills"),
    "exhibits": Asked("Are the exhibits good?", "exhibits or animals", "museum tour collection"),
    "expertise": Asked("Do they know what they are doing?", "expertise", _SKILL),
    "facilities": Asked("Are the facilities good?", "the facilities", _PLACE + " classrooms"),
    "facility": Asked("Is the building pleasant?", "the building", _PLACE + " equipment"),
    "families": Asked("Is it good for children and families?", "children or families", _FAMILY),
    "family_friendliness": Asked(
        "Is it a good place for families and groups?", "families or groups", _FAMILY
    ),
    "food": Asked("Is the food good?", "food or drink", _FOOD),
    "grooming": Asked("Is the grooming done well?", "grooming", "groom groomed groomer cut bath"),
    "grounds": Asked("Are the grounds well kept?", "the grounds", _PLACE + " gardens shade paths"),
    "honesty": Asked("Are they honest?", "honesty", _HONEST),
    "hours": Asked("Are the opening hours good?", "opening hours", "open closed close hours"),
    "knowledge": Asked("Do they know their trade?", "knowledge and skill", _SKILL),
    "location": Asked(
        "Is it easy to get to?", "the location or parking", _PARKING + " walk walking central close"
    ),
    "management": Asked("Is it well run?", "the management", "manager director administration"),
    "medical": Asked(
        "Are nursing and medication in good hands?", "nursing or medication", "nurse nurses meds"
    ),
    "medical_skill": Asked(
        "Is the medical care good?",
        "medical skill",
        "skilled diagnosed diagnosis treatment pain painless procedure crown filling fillings"
        " numb numbed healed surgery doctor dentist root canal exam missed",
    ),
    "membership": Asked("Is the membership fair?", "the membership", "contract cancel member fee"),
    "menu_variety": Asked(
        "Is there enough choice on the menu?", "choice on the menu", "options vegan selection dish"
    ),
    "moving_in": Asked("Is moving in made easy?", "moving in", "move moved transition paperwork"),
    "noise": Asked("Is it quiet?", "quiet and noise", "noisy loud hear street walls thin"),
    "office": Asked("Is the office pleasant and easy to get to?", "the office", _PLACE),
    "online": Asked("Are website and app easy to use?", "website or app", "online site order"),
    "organization": Asked(
        "Is everything well organized?", "organization and schedule", "organised timetable hours"
    ),
    "outcome": Asked("Are clients happy with the outcome?", "the outcome", _RESULTS),
    "parking": Asked("Is it easy to park and get in?", "parking and access", _PARKING),
    "place": Asked("Is it a pleasant place?", "the place", _PLACE),
    "price": Asked("Are the prices fair?", "the price", _PRICE),
    "products": Asked("Are the products good?", "the products", "quality item items brands stock"),
    "professionalism": Asked(
        "Are they professional and courteous?",
        "professionalism or courtesy",
        "professional polite respectful courteous rude friendly unprofessional manners",
    ),
    "progress": Asked(
        "Do students make progress?", "progress and results", "improved grades score"
    ),
    "punctuality": Asked("Do they show up on time?", "punctuality", _TIME),
    "quality": Asked("Is the quality good?", "quality", _WORK),
    "queues": Asked("Are the waits short?", "waits and crowds", _WAIT),
    "reliability": Asked("Can you rely on them?", "reliability", _RELIABLE),
    "responsiveness": Asked("Do they respond quickly?", "responsiveness", _RESPONSE),
    "results": Asked("Are customers happy with the results?", "results", _RESULTS),
    "returns": Asked("Do returns and refunds go smoothly?", "returns or refunds", "refunded money"),
    "rides": Asked("Are the rides good?", "the rides", "ride coaster coasters slides carousel"),
    "rooms": Asked("Are the rooms good?", "the rooms", _ROOMS),
    "safety": Asked("Is safety taken seriously?", "safety", "safe dangerous unsafe security lock"),
    "scheduling": Asked("Is it easy to get an appointment?", "scheduling", _BOOKING),
    "selection": Asked("Is there enough choice?", "the selection", "variety stock brands options"),
    "service": Asked("Is the service good?", "the service", _STAFF + " server waiter waitress"),
    "shows": Asked("Are the shows good?", "shows and events", "fireworks parade performance"),
    "skill": Asked("Do they know their craft?", "skill", _SKILL),
    "speed": Asked("Are they quick?", "speed or waiting", _WAIT + " day days weeks"),
    "staff": Asked("Is the staff friendly and helpful?", "the staff", _STAFF),
    "stock": Asked("Do they have things in stock?", "stock", "stock sold shelves available"),
    "store": Asked("Is the store pleasant?", "the store", _PLACE + " shop aisles organized layout"),
    "teachers": Asked("Are the teachers good?", "teachers", _TEACHING),
    "teaching": Asked("Is the teaching good?", "teaching", _TEACHING),
    "thoroughness": Asked(
        "Do they take their time?", "thoroughness", "thorough rushed careful carefully rush minutes"
    ),
    "tickets": Asked("Are tickets and entry easy?", "tickets and entry", "pass passes gate app"),
    "trainers": Asked("Are the trainers good?", "trainers", "trainer coach instructor instructors"),
    "trust": Asked("Can they be trusted?", "trust", _HONEST),
    "wait_time": Asked("Is the wait short?", "waiting", _WAIT + " time late"),
    "warranty": Asked(
        "Do they stand behind their work?", "warranty or follow-up", "guarantee back follow"
    ),
    "wifi": Asked("Does the wifi work?", "wifi", "internet connection"),
    "workmanship": Asked("Is the work done well?", "the work", _WORK),
}


def asked(aspect: str, label: str) -> Asked:
    """Question about an aspect; about one of the administrators' own by its label."""
    name = within(label)
    return _ASKED.get(aspect) or Asked(f"Are reviewers happy with {name}?", name)


@cache
def answering_stems(aspect: str, label: str) -> Mapping[str, float]:
    """Stems of which a sentence that answers the question about an aspect has one, with weights."""
    question, topic, words = asked(aspect, label)
    naming = dict.fromkeys(stems(question, topic, label), 1.0)
    return {**dict.fromkeys(stems(words), IMPLYING), **naming}
