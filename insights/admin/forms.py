"""Forms for taxonomies, for sentences to try, for corrections and for texts."""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast

from django import forms
from django.core.exceptions import ValidationError
from django.forms import BaseFormSet, formset_factory
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from core.admin.forms import LinesField, MergingForm, TextField
from insights.findings import Findings, Kind
from insights.models import InsightText, Override, Sentiment
from review_analysis.taxonomies import MAX_ENTRIES, MAX_TERM_LENGTH, id_fault, term_fault
from reviews.models import Review
from reviews.stars import LEAST_POSITIVE, STARS
from reviews.validators import check_characters

if TYPE_CHECKING:
    FormSet = BaseFormSet["EntryForm"]
    ModelForm = forms.ModelForm[InsightText]
else:
    FormSet = BaseFormSet
    ModelForm = forms.ModelForm

LONGEST_TEXT = 10_000
MAX_TERMS = 1_000

# --- The taxonomy ---------------------------------------------------------------------------------


def check_terms(terms: list[str]) -> None:
    """Validate the number, length and syntax of terms."""
    if len(terms) > MAX_TERMS:
        raise ValidationError(gettext("At most %d terms are allowed. Remove some.") % MAX_TERMS)
    for term in terms:
        check_characters(term)
        if len(term) > MAX_TERM_LENGTH:
            raise ValidationError(
                gettext("“%(term)s…” is longer than %(most)d characters.")
                % {"term": term[:40], "most": MAX_TERM_LENGTH}
            )
        if fault := term_fault(term):
            raise ValidationError(f"“{term}” {fault}")


class TermsField(LinesField):
    """Terms, one per line."""

    widget = forms.Textarea(attrs={"rows": 8, "cols": 28})
    default_validators = [check_terms]

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(required=False, **kwargs)

    def has_changed(self, initial: Any, data: Any) -> bool:
        return self.to_python(data) != list(initial or ())


class EntryForm(forms.Form):
    """Form of a problem or a topic."""

    group = "problems"
    found_by: Sequence[str] = ("terms",)  # Fields with terms, at least one of which is needed.

    id = forms.CharField(
        max_length=60, help_text=_("Lower-case letters and digits. This id is published.")
    )
    label = forms.CharField(max_length=60, validators=[check_characters])
    terms = TermsField(
        help_text=_(
            "One per line. A * at the end of a word stands for any ending, on its own for "
            "up to three words, # for a number, and (no|zero) for one of these words."
        )
    )
    exclude = TermsField(help_text=_("Phrases in which the words mean something else."))

    def clean_id(self) -> str:
        key: str = self.cleaned_data["id"]
        if fault := id_fault(key, self.group):
            raise ValidationError(f"“{key}” {fault}")
        return key

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if not self.errors and not any(cleaned[name] for name in self.found_by):
            self.add_error(
                "terms",
                gettext("An entry without words finds nothing. Enter one or delete the entry."),
            )
        return cleaned

    @staticmethod
    def initial_of(entry: Mapping[str, Any]) -> dict[str, Any]:
        return dict(entry)

    def entry(self) -> dict[str, Any]:
        """Return the entry in the format of a taxonomy."""
        values = {name: self.cleaned_data[name] for name in ("id", "label", "terms", "exclude")}
        return {name: value for name, value in values.items() if value}


class AspectForm(EntryForm):
    """Form of an aspect, whose terms may be praise or complaints."""

    group = "aspects"
    found_by = ("terms", "praise", "complaints", "weak")

    praise = TermsField(help_text=_("Words that are praise on their own, like affordable."))
    complaints = TermsField(
        help_text=_("Words that are a complaint on their own, like overpriced.")
    )

    weak = TermsField(
        help_text=_(
            "Words from the lists above that count only together with another one in the "
            "same clause, like nice or open."
        )
    )
    subjects = TermsField(
        help_text=_("Weak words also count if the clause is about one of these: he, she, staff.")
    )

    field_order = ("id", "label", "terms", "praise", "complaints", "weak", "subjects", "exclude")

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        weak = cleaned.get("weak", ())
        if weak and not self.errors and not cleaned["subjects"]:
            listed = [term for name in self.found_by for term in cleaned[name]]
            if all(term in weak for term in listed):
                self.add_error("weak", gettext("Leave a word that is not weak, or name a subject."))
        praise = {term.casefold() for term in cleaned.get("praise", ())}
        if both := [term for term in cleaned.get("complaints", ()) if term.casefold() in praise]:
            self.add_error(
                "complaints", gettext("“%s” is listed as praise as well; keep one.") % both[0]
            )
        return cleaned

    def entry(self) -> dict[str, Any]:
        praise, complaints = self.cleaned_data["praise"], self.cleaned_data["complaints"]
        signs = dict.fromkeys(praise, 1) | dict.fromkeys(complaints, -1)
        terms = [*self.cleaned_data["terms"], *signs, *self.cleaned_data["weak"]]
        lists = {name: self.cleaned_data[name] for name in ("weak", "subjects")}
        return {
            **super().entry(),
            "terms": list(dict.fromkeys(terms)),
            **{name: found for name, found in lists.items() if found},
            "term_polarity": signs,
        }

    @staticmethod
    def initial_of(entry: Mapping[str, Any]) -> dict[str, Any]:
        signs: Mapping[str, int] = entry.get("term_polarity", {})
        return {
            **entry,
            "terms": [term for term in entry["terms"] if term not in signs],
            "praise": [term for term, sign in signs.items() if sign > 0],
            "complaints": [term for term, sign in signs.items() if sign < 0],
        }


class EntryFormSet(FormSet):
    """Entries of one group, with unique ids."""

    def initial_form_count(self) -> int:
        """Count the current entries; the draft may have changed since the page was opened."""
        return len(self.initial or ())

    def clean(self) -> None:
        if len(self.forms) < self.initial_form_count():
            raise ValidationError(gettext("Somebody else has added entries; load the page again."))
        ids: set[str] = set()
        for form in self.retained():
            key = form.cleaned_data.get("id")
            if key in ids:
                form.add_error(
                    "id", gettext("There are two entries with the id %s; rename one.") % key
                )
            ids.add(key or "")

    def retained(self) -> list[EntryForm]:
        """Forms without deleted ones and the blank one at the end."""
        return [
            form
            for form in self.forms
            if (form.initial or form.has_changed()) and form not in self.deleted_forms
        ]


GROUPS: Mapping[str, type[EntryFormSet]] = {
    group: cast(
        "type[EntryFormSet]",
        formset_factory(
            form,
            formset=EntryFormSet,
            extra=1,
            can_delete=True,
            can_delete_extra=False,
            max_num=MAX_ENTRIES,
            absolute_max=MAX_ENTRIES,
            validate_max=True,
        ),
    )
    for group, form in (("aspects", AspectForm), ("problems", EntryForm), ("topics", EntryForm))
}


class TaxonomyForms:
    """The three groups of a taxonomy that an administrator edits, on one page."""

    def __init__(self, content: Mapping[str, Any], data: Any = None) -> None:
        self._content = content
        self.groups = {
            group: formset(
                data, prefix=group, initial=[*map(formset.form.initial_of, content.get(group, ()))]
            )
            for group, formset in GROUPS.items()
        }

    def is_valid(self) -> bool:
        # No short circuit, so that the page shows all errors.
        return {True} == {formset.is_valid() for formset in self.groups.values()}

    def content(self) -> dict[str, Any]:
        """Return the edited taxonomy."""
        edited = {
            group: [form.entry() for form in formset.retained()]
            for group, formset in self.groups.items()
        }
        return {**self._content, **edited}


# --- The test box ---------------------------------------------------------------------------------


class TryForm(forms.Form):
    text = TextField(
        max_length=LONGEST_TEXT,
        widget=forms.Textarea(attrs={"rows": 6, "cols": 80}),
        help_text=_("A review, or a sentence from one. Nothing is stored."),
    )
    rating = forms.TypedChoiceField(
        required=False,
        coerce=int,
        empty_value=None,
        choices=[("", _("No stars")), *((n, "★" * n) for n in reversed(STARS))],
    )
    draft = forms.BooleanField(required=False, label=_("By the words of the draft"))


# --- Corrections ----------------------------------------------------------------------------------

PRESENCE = [("present", "yes"), ("absent", "no")]
CHOICES: Mapping[Kind, Sequence[tuple[str, str]]] = {
    "aspects": [*((value, value) for value in Sentiment.values), ("absent", "not mentioned")],
    "problems": [("present", "yes"), ("resolved", "yes, and solved"), ("absent", "no")],
    "topics": PRESENCE,
}


class CorrectionForm(MergingForm, forms.Form):
    """Form of corrections; an empty choice keeps the finding."""

    def __init__(
        self,
        rating: int,
        names: Mapping[Kind, Mapping[str, str]],
        findings: Findings,
        overrides: Iterable[Override],
        *args: Any,
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        decided = {override.path: override.value for override in overrides}
        sentiments = [
            choice
            for choice in Sentiment.choices
            if rating >= LEAST_POSITIVE or choice[0] != Sentiment.POSITIVE
        ]
        self._add("sentiment", gettext("Sentiment"), findings.label, sentiments, decided)
        for group, labels in names.items():
            found = {opinion.id: opinion for opinion in findings.opinions(group)}
            words = dict(CHOICES[group])
            for key, label in labels.items():
                state = words["absent"]
                if opinion := found.get(key):
                    present = "resolved" if opinion.resolved else "present"
                    state = opinion.label if group == "aspects" else words[present]
                self._add(f"{group}.{key}", label, state, CHOICES[group], decided)
        self.carry_shown_values()

    def _add(
        self,
        path: str,
        label: str,
        found: str,
        choices: Sequence[tuple[str, str]],
        decided: Mapping[str, str],
    ) -> None:
        # A corrected finding contains the correction, so the analyser's result is unknown.
        as_found = gettext("as found") if path in decided else gettext("as found: %s") % found
        self.fields[path] = forms.ChoiceField(
            label=gettext(label),
            required=False,
            choices=[("", as_found), *choices],
            initial=decided.get(path, ""),
        )

    def in_words(self, path: str, value: str) -> tuple[str, str]:
        """Return the labels of the subject and the value of a correction."""
        if path not in self.fields:
            return path, value  # The taxonomy no longer has this subject.
        choices: dict[str, str] = dict(self[path].field.widget.choices)
        return str(self[path].label), choices.get(value, value)

    def groups(self) -> dict[str, list[forms.BoundField]]:
        """Return the fields by group."""
        shown: dict[str, list[forms.BoundField]] = {}
        for path in self.fields:
            shown.setdefault(path.partition(".")[0], []).append(self[path])
        return shown


# --- Texts ----------------------------------------------------------------------------------------


class TextForm(MergingForm, ModelForm):
    question = forms.CharField(
        required=False,
        max_length=300,
        validators=[check_characters],
        help_text=_("Replaces the automatic question. Optional."),
    )
    text = TextField(
        required=False,
        max_length=2_000,
        validators=[check_characters],
        widget=forms.Textarea(attrs={"rows": 5, "cols": 80}),
        help_text=_("Replaces the automatic text. Leave it empty to use the automatic text."),
    )

    class Meta:
        model = InsightText
        fields = ["question", "text", "locked", "hidden", "pinned"]

    def __init__(self, kind: str, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._is_quote = kind == InsightText.Kind.PULL_QUOTE
        if kind != InsightText.Kind.FAQ:
            del self.fields["question"], self.fields["pinned"]
        if self._is_quote:
            del self.fields["locked"]  # A quote is never published without its review.
        self.carry_shown_values()

    def clean_text(self) -> str:
        text: str = self.cleaned_data["text"]
        if self._is_quote and text:
            # `contains` ignores case on SQLite.
            alike = Review.objects.visible().filter(text__contains=text)
            if not any(text in words for words in alike.customer_texts()):
                raise ValidationError(
                    gettext("No public review says this; quote one word for word.")
                )
        return text
