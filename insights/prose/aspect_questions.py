"""Questions about aspects, and by which words a sentence answers each."""

from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

from insights.prose.quotable import stems
from insights.prose.wording import within


class AspectQuestion(NamedTuple):
    question: str
    topic: str  # What its reviews mention.
    words: str = ""  # By which an answer may name it, beside those of question, topic and label.


IMPLYING = 0.5  # The weight of a word that does not name what is asked about.

_TIME = "late early punctual arrive arrived prompt promptly minutes hour hours delay"
_WAIT = "wait waited waiting line lines queue minutes hour hours quick quickly fast slow crowd"
_PRICE = """cost costs charge charged fee fees bill billed expensive cheap affordable reasonable
    overpriced value dollars estimate budget paid pay discount"""
_STAFF = """employee employees team crew receptionist manager assistant friendly helpful
    rude polite kind courteous attentive welcoming cheerful professional smile desk
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
_SKILL = """knowledgeable skill skilled skills expert expertise knew knows knowledge talented
    competent diagnosed diagnose trained qualified smart professional"""
_PLACE = """building office room rooms location atmosphere decor grounds lobby comfortable
    modern cozy spacious view views noisy crowded"""
_GROUNDS = "grounds garden gardens shade paths landscaping lawn maintained"
_CLEAN = """clean cleaned cleaner spotless dirty mess messy tidy dust filthy immaculate hygiene
    cleanup swept trash stains sanitary cleaning"""
_HONEST = """honesty honest trust trusted trustworthy upfront lie lied liar dishonest scam
    transparent integrity ethical pushy upsell unnecessary"""
_KIND = """kind kindness gentle caring compassionate patient patience listened warm empathy
    understanding comfortable ease nervous afraid cold rude rushed dismissive respect"""
_PARKING = "parking park parked garage access accessible ramp ramps wheelchair"
_LOCATION = _PARKING + " walk walking central close find"
_FAMILY = """kid kids child children family families toddler son daughter grandkids groups baby
    teenagers ages"""
_WORK = """quality workmanship repair repaired fixed installed installation leak leaks leaked job
    finished result results craftsmanship sloppy replaced"""
_RELIABLE = "reliable dependable rely count promised promise word consistent stand trust"
_ROOMS = "room suite bathroom bed beds shower spacious furniture bedroom"
_RESULTS = """result results outcome cut color colour style nails brows won settled settlement case
    verdict custody"""
_TEACHING = """teach teaches teaching taught teacher teachers instructor instructors tutor explain
    explains explained lesson lessons learn learned class classes professor"""

_QUESTIONS: Mapping[str, AspectQuestion] = {
    "activities": AspectQuestion(
        "Is there enough to do?", "activities", "activity bingo outings events"
    ),
    "amenities": AspectQuestion(
        "Are pool and amenities good?", "pool and amenities", "gym spa sauna"
    ),
    "ambience": AspectQuestion(
        "Is the atmosphere pleasant?", "the atmosphere", _PLACE + " music ambience"
    ),
    "atmosphere": AspectQuestion(
        "Is the atmosphere pleasant?", "the atmosphere", _PLACE + " music vibe"
    ),
    "authenticity": AspectQuestion(
        "Is the cooking authentic?", "authenticity", "authentic traditional"
    ),
    "bedside_manner": AspectQuestion(
        "Are patients treated with kindness?", "bedside manner", _KIND
    ),
    "beds": AspectQuestion(
        "Do guests sleep well?", "beds and sleep", "bed beds mattress pillow pillows"
    ),
    "billing": AspectQuestion(
        "Does the billing go smoothly?", "billing", "bill billed insurance invoice charge charged"
    ),
    "booking": AspectQuestion("Is it easy to book?", "booking", _BOOKING),
    "care": AspectQuestion(
        "Are residents well cared for?", "the care", "caring nurse nurses aides staff"
    ),
    "case_handling": AspectQuestion(
        "Are cases handled well?", "the handling of their case", "case claim court settlement"
    ),
    "check_in": AspectQuestion(
        "Is it easy to book and check in?", "check-in and booking", _BOOKING
    ),
    "checkout": AspectQuestion(
        "Is the checkout quick?", "the checkout", _WAIT + " register cashier"
    ),
    "classes": AspectQuestion("Are the classes good?", "classes", "class yoga spin workout"),
    "cleanliness": AspectQuestion("Is everything kept clean?", "cleanliness", _CLEAN),
    "communication": AspectQuestion("Do they communicate well?", "communication", _CALLS),
    "community": AspectQuestion(
        "Is the community welcoming?", "the community", "friends classmates"
    ),
    "consultation": AspectQuestion(
        "Do they listen and advise?", "listening and advice", _CALLS + " asked"
    ),
    "crowding": AspectQuestion(
        "Is there enough room?", "crowding", "crowded packed busy wait space"
    ),
    "curriculum": AspectQuestion(
        "Are the courses good?", "courses and content", "course lessons program"
    ),
    "delivery": AspectQuestion(
        "Is delivery reliable?", "delivery or pickup", "delivered arrived shipped"
    ),
    "empathy": AspectQuestion("Do they care about their clients?", "compassion and support", _KIND),
    "equipment": AspectQuestion(
        "Is the equipment good?", "equipment", "machines weights treadmills"
    ),
    "exhibits": AspectQuestion(
        "Are the exhibits good?", "exhibits or animals", "museum tour collection"
    ),
    "expertise": AspectQuestion("Do they know what they are doing?", "expertise", _SKILL),
    "facilities": AspectQuestion(
        "Are the facilities good?", "the facilities", _PLACE + " classrooms"
    ),
    "facility": AspectQuestion("Is the building pleasant?", "the building", _PLACE + " equipment"),
    "families": AspectQuestion(
        "Is it good for children and families?", "children or families", _FAMILY
    ),
    "family_friendliness": AspectQuestion(
        "Is it a good place for families and groups?", "families or groups", _FAMILY
    ),
    "food": AspectQuestion("Is the food good?", "food or drink", _FOOD),
    "grooming": AspectQuestion(
        "Is the grooming done well?", "grooming", "groom groomed groomer cut bath"
    ),
    "grounds": AspectQuestion("Are the grounds well kept?", "the grounds", _GROUNDS),
    "honesty": AspectQuestion("Are they honest?", "honesty", _HONEST),
    "hours": AspectQuestion(
        "Are the opening hours good?", "opening hours", "open closed close hours"
    ),
    "knowledge": AspectQuestion("Do they know their trade?", "knowledge and skill", _SKILL),
    "location": AspectQuestion(
        "Is it easy to get to?",
        "the location or parking",
        _LOCATION,
    ),
    "management": AspectQuestion(
        "Is it well run?", "the management", "manager director administration"
    ),
    "medical": AspectQuestion(
        "Are nursing and medication in good hands?", "nursing or medication", "nurse nurses meds"
    ),
    "medical_skill": AspectQuestion(
        "Is the medical care good?",
        "medical skill",
        "skilled diagnosed diagnosis treatment pain painless procedure crown filling fillings"
        " numb numbed healed surgery doctor dentist root canal exam missed",
    ),
    "membership": AspectQuestion(
        "Is the membership fair?", "the membership", "contract cancel member fee"
    ),
    "menu_variety": AspectQuestion(
        "Is there enough choice on the menu?", "choice on the menu", "options vegan selection dish"
    ),
    "moving_in": AspectQuestion(
        "Is moving in made easy?", "moving in", "move moved transition paperwork"
    ),
    "noise": AspectQuestion("Is it quiet?", "quiet and noise", "noisy loud hear street walls thin"),
    "office": AspectQuestion("Is the office pleasant and easy to get to?", "the office", _PLACE),
    "online": AspectQuestion(
        "Are website and app easy to use?", "website or app", "online site order"
    ),
    "organization": AspectQuestion(
        "Is everything well organized?", "organization and schedule", "organised timetable hours"
    ),
    "outcome": AspectQuestion("Are clients happy with the outcome?", "the outcome", _RESULTS),
    "parking": AspectQuestion("Is it easy to park and get in?", "parking and access", _PARKING),
    "place": AspectQuestion("Is it a pleasant place?", "the place", _PLACE),
    "price": AspectQuestion("Are the prices fair?", "the price", _PRICE),
    "products": AspectQuestion(
        "Are the products good?", "the products", "quality item items brands stock"
    ),
    "professionalism": AspectQuestion(
        "Are they professional and courteous?",
        "professionalism or courtesy",
        "professional polite respectful courteous rude friendly unprofessional manners",
    ),
    "progress": AspectQuestion(
        "Do students make progress?", "progress and results", "improved grades score"
    ),
    "punctuality": AspectQuestion("Do they show up on time?", "punctuality", _TIME),
    "quality": AspectQuestion("Is the quality good?", "quality", _WORK),
    "queues": AspectQuestion("Are the waits short?", "waits and crowds", _WAIT),
    "reliability": AspectQuestion("Can you rely on them?", "reliability", _RELIABLE),
    "responsiveness": AspectQuestion("Do they respond quickly?", "responsiveness", _RESPONSE),
    "results": AspectQuestion("Are customers happy with the results?", "results", _RESULTS),
    "returns": AspectQuestion(
        "Do returns and refunds go smoothly?", "returns or refunds", "refunded money"
    ),
    "rides": AspectQuestion(
        "Are the rides good?", "the rides", "ride coaster coasters slides carousel"
    ),
    "rooms": AspectQuestion("Are the rooms good?", "the rooms", _ROOMS),
    "safety": AspectQuestion(
        "Is safety taken seriously?", "safety", "safe dangerous unsafe security lock"
    ),
    "scheduling": AspectQuestion("Is it easy to get an appointment?", "scheduling", _BOOKING),
    "selection": AspectQuestion(
        "Is there enough choice?", "the selection", "variety stock brands options"
    ),
    "service": AspectQuestion(
        "Is the service good?", "the service", _STAFF + " server waiter waitress"
    ),
    "shows": AspectQuestion(
        "Are the shows good?", "shows and events", "fireworks parade performance"
    ),
    "skill": AspectQuestion("Do they know their craft?", "skill", _SKILL),
    "speed": AspectQuestion("Are they quick?", "speed or waiting", _WAIT + " day days weeks"),
    "staff": AspectQuestion("Is the staff friendly and helpful?", "the staff", _STAFF),
    "stock": AspectQuestion(
        "Do they have things in stock?", "stock", "stock sold shelves available"
    ),
    "store": AspectQuestion(
        "Is the store pleasant?", "the store", _PLACE + " shop aisles organized layout"
    ),
    "teachers": AspectQuestion("Are the teachers good?", "teachers", _TEACHING),
    "teaching": AspectQuestion("Is the teaching good?", "teaching", _TEACHING),
    "thoroughness": AspectQuestion(
        "Do they take their time?", "thoroughness", "thorough rushed careful carefully rush minutes"
    ),
    "tickets": AspectQuestion(
        "Are tickets and entry easy?", "tickets and entry", "pass passes gate app"
    ),
    "trainers": AspectQuestion(
        "Are the trainers good?", "trainers", "trainer coach instructor instructors"
    ),
    "trust": AspectQuestion("Can they be trusted?", "trust", _HONEST),
    "wait_time": AspectQuestion("Is the wait short?", "waiting", _WAIT + " time late"),
    "warranty": AspectQuestion(
        "Do they stand behind their work?", "warranty or follow-up", "guarantee back follow"
    ),
    "wifi": AspectQuestion("Does the wifi work?", "wifi", "internet connection"),
    "workmanship": AspectQuestion("Is the work done well?", "the work", _WORK),
}

# Of aspects that have another meaning in some trade.
_BY_LABEL: Mapping[str, AspectQuestion] = {
    "Care and support": AspectQuestion(
        "Do they care about their students?", "care and support", _KIND
    ),
    "Care of the animals": AspectQuestion("Are animals well cared for?", "the care", _KIND),
    "Comfort and care": AspectQuestion(
        "Do customers feel comfortable?", "comfort and care", _KIND + " relaxing pampered listens"
    ),
    "Location": AspectQuestion("Is it easy to get to?", "the location", _LOCATION),
    "Waiting room and shuttle": AspectQuestion(
        "Is it pleasant to wait?", "waiting room or shuttle", _PLACE + " coffee loaner ride"
    ),
}


def question_about(aspect: str, label: str) -> AspectQuestion:
    """Question about an aspect; about one of the administrators' own by its label."""
    name = within(label)
    written = _BY_LABEL.get(label) or _QUESTIONS.get(aspect)
    return written or AspectQuestion(f"Are reviewers happy with {name}?", name)


@cache
def answering_stems(aspect: str, label: str) -> Mapping[str, float]:
    """Stems with weights, of which a sentence that answers has one."""
    question, topic, words = question_about(aspect, label)
    naming = dict.fromkeys(stems(question, topic, label), 1.0)
    return {**dict.fromkeys(stems(words), IMPLYING), **naming}
