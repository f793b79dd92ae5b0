"""Compose the text of an invented review from clauses, with labels."""

import datetime as dt
import re
from dataclasses import dataclass, field

from demo.business import AREAS
from review_analysis.name_matching import PersonEntry
from tools.demo_reviews import texts
from tools.demo_reviews.random import SeededRandom
from tools.demo_reviews.texts import TEXTS

ASPECTS = (
    ("workmanship", 1.0),
    ("punctuality", 0.7),
    ("price", 0.6),
    ("professionalism", 0.6),
    ("communication", 0.5),
    ("responsiveness", 0.4),
    ("knowledge", 0.3),
    ("cleanliness", 0.3),
    ("scheduling", 0.3),
    ("honesty", 0.25),
)
CREWS = ("they", "they", "they", "the {technician|plumber|crew|team|electrician|guy they sent}")
WARM_JOBS = {"ac-repair": 4.0, "ceiling-fan-installation": 2.0, "duct-cleaning": 1.5}
COLD_JOBS = {"furnace-tune-up": 4.0, "water-heater-repair": 2.5, "leak-detection": 1.5}
POLARITY = {"positive": 1, "neutral": 0, "negative": -1}
LOWER_WORD = re.compile(r"[a-z']+")


@dataclass(slots=True)
class TextGenerator:
    """Compose one text, and collect its labels."""

    rng: SeededRandom
    date: dt.date
    staff: list[PersonEntry]
    sentences: list[str] = field(default_factory=list)
    aspects: list[tuple[str, str, str]] = field(default_factory=list)
    technicians: list[str] = field(default_factory=list)
    services: list[str] = field(default_factory=list)
    areas: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    balance: int = 0
    is_careless: bool = False
    person: PersonEntry | None = None

    def compose(self, mood: str, *, clauses_wanted: int) -> None:
        """Add sentences of the mood, with `clauses_wanted` clauses about aspects."""
        rng = self.rng
        self.is_careless = rng.chance(0.08)
        if rng.chance(0.5):
            self.person = self.staff[rng.below(len(self.staff))]
        if mood != "neutral" and rng.chance(0.45):
            self._say_of_everything(mood)
        if rng.chance(0.6):
            self._add(self._clause(rng.pick(TEXTS["job_scenes"])))
        if rng.chance(0.25):
            self._add(self._clause(rng.pick(TEXTS["area_scenes"])))
        if self.person and rng.chance(0.4):
            self._add(self._clause(rng.pick(TEXTS["person_scenes"])))
        judge = {"positive": self._praise, "negative": self._complain, "neutral": self._weigh}[mood]
        judge(self._choose_aspects(clauses_wanted))
        if rng.chance(0.5 if mood == "neutral" else 0.35):
            self._say_of_everything(mood)

    def _praise(self, aspects: list[str]) -> None:
        for aspect in aspects:
            polarity = "neutral" if self.rng.chance(0.05) else "positive"
            self._add(self._judge(aspect, polarity))
        if len(aspects) > 2 and self.rng.chance(0.2):
            complaint = self._judge(self._another(aspects), "negative")
            opening = self.rng.expand("{my only complaint|the one downside|only minus}")
            self._add(f"{opening}: {complaint}")

    def _complain(self, aspects: list[str]) -> None:
        for aspect in aspects:
            polarity = "neutral" if self.rng.chance(0.05) else "negative"
            self._add(self._judge(aspect, polarity))
        if len(aspects) > 1 and self.rng.chance(0.2):
            self._add(f"to be fair, {self._judge(self._another(aspects), 'positive')}")

    def _weigh(self, aspects: list[str]) -> None:
        first, second = aspects[0], self._another(aspects[:1])
        if self.rng.chance(0.5):
            good, bad = self._judge(first, "positive"), self._judge(second, "negative")
        else:
            good, bad = self._judge(first, "negative"), self._judge(second, "positive")
        joint = self.rng.pick(
            (", but ", ", but ", ", yet ", "; however, ", ", although ", ". But ")
        )
        self._add(f"{good}{joint}{bad}")
        for aspect in aspects[2:4]:
            self._add(self._judge(aspect, "neutral"))

    def _say_of_everything(self, mood: str) -> None:
        self.balance += POLARITY[mood]
        self._add(self._clause(self.rng.pick(texts.OF_EVERYTHING[mood])))

    def _choose_aspects(self, wanted: int) -> list[str]:
        chosen: list[str] = []
        while len(chosen) < wanted:
            aspect = self.rng.weighted(ASPECTS)
            if aspect not in chosen:
                chosen.append(aspect)
        return chosen

    def _another(self, aspects: list[str]) -> str:
        return self.rng.weighted([choice for choice in ASPECTS if choice[0] not in aspects])

    def _judge(self, aspect: str, polarity: str) -> str:
        """Return a clause about the aspect, and label it."""
        rng = self.rng
        if polarity == "neutral" and aspect not in texts.CLAUSES[polarity]:
            unsaid = [name for name in texts.CLAUSES[polarity] if not self._spoke_of(name)]
            aspect = rng.pick(unsaid) if unsaid else ""
        if not aspect:
            return self._clause(rng.pick(texts.OF_EVERYTHING["neutral"]))
        templates = texts.CLAUSES[polarity][aspect]
        named = [name for name, (about, _) in texts.PROBLEMS.items() if about == aspect]
        if polarity == "negative" and named and rng.chance(0.35):
            problem = rng.pick(named)
            self.problems.append(problem)
            templates = texts.PROBLEMS[problem][1]
        phrase = self._clause(rng.pick(templates))
        self.aspects.append((aspect, polarity, phrase))
        self.balance += POLARITY[polarity]
        return phrase

    def _spoke_of(self, aspect: str) -> bool:
        return any(said[0] == aspect for said in self.aspects)

    def _clause(self, template: str) -> str:
        """Fill in a template, and label the jobs, areas and people in it."""
        rng = self.rng
        clause = rng.expand(template)
        if "<" in clause:
            clause = self._with_names(clause)
        if self.is_careless:
            clause = LOWER_WORD.sub(
                lambda word: TEXTS["spelling_mistakes"].get(word[0], word[0]), clause
            )
        return clause

    def _with_names(self, clause: str) -> str:
        rng = self.rng
        if "<job>" in clause:
            service = self._service()
            self.services.append(service)
            return clause.replace("<job>", rng.expand(rng.pick(texts.JOBS[service])))
        if "<area>" in clause:
            area = AREAS[rng.below(len(AREAS))]
            self.areas.append(area.slug)
            return clause.replace("<area>", rng.pick((area.name, *area.aliases)))
        if "<name>" in clause or (self.person and rng.chance(0.6)):
            who = self._name()
        else:
            who = rng.expand(rng.pick(CREWS))
        is_plural = who == "they"
        return (
            clause.replace("<name>", who)
            .replace("<whom>", "them" if is_plural else who)
            .replace("<who>", who)
            .replace("<was>", "were" if is_plural else "was")
        )

    def _name(self) -> str:
        """Choose a name of the technician; label it unless two technicians share it."""
        person = self.person
        if person is None:
            return "they"
        first = person.name.split()[0]
        is_shared = sum(entry.name.split()[0] == first for entry in self.staff) > 1
        names = [(person.name, 0.3), (first, 0.15 if is_shared else 0.65)]
        names += [(alias, 0.2) for alias in person.aliases]
        name = self.rng.weighted(names)
        if not (is_shared and name == first):
            self.technicians.append(person.slug)
        return name

    def _service(self) -> str:
        heat = {6: WARM_JOBS, 7: WARM_JOBS, 8: WARM_JOBS, 9: WARM_JOBS}
        cold = dict.fromkeys((11, 12, 1, 2), COLD_JOBS)
        season = (heat | cold).get(self.date.month, {})
        return self.rng.weighted([(slug, season.get(slug, 1.0)) for slug in texts.JOBS])

    def _add(self, sentence: str) -> None:
        self.sentences.append(sentence)

    def text(self) -> str:
        """Join the sentences, with the customer's capitals and punctuation."""
        rng = self.rng
        gap = "\n\n" if len(self.sentences) > 3 and rng.chance(0.15) else " "
        excited = rng.chance(0.15)
        lazy = self.is_careless and rng.chance(0.5)
        parts = []
        for sentence in self.sentences:
            text = sentence if lazy else sentence[0].upper() + sentence[1:]
            is_closed = text[-1] in ".!?"
            parts.append(
                text if is_closed else text + ("!" if excited and rng.chance(0.5) else ".")
            )
        text = gap.join(parts)
        return text + rng.pick((" \U0001f44d", " \U0001f64f", " :)")) if rng.chance(0.06) else text
