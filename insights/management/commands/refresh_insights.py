from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from insights import selectors
from insights.llm import ChatAnalyser
from insights.refresh import refresh
from reviews.models import Review
from reviews.roster import rematch_due


class Command(BaseCommand):
    help = "Bring the insights up to date with the reviews; does nothing when they are."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--all", action="store_true", help="Read every review again, changed or not."
        )
        parser.add_argument(
            "--estimate",
            action="store_true",
            help="Print what a language model would cost, and send nothing.",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if options["estimate"]:
            self._estimate()
            return
        rematch_due()  # Insights count mentions, which depend on the roster.
        refreshed = refresh(everything=options["all"], wait=True, on_progress=self._show)
        self.stdout.write("Insights refreshed." if refreshed else "Insights are up to date.")

    def _estimate(self) -> None:
        analyser = selectors.analyser()
        if not isinstance(analyser, ChatAnalyser):
            raise CommandError("INSIGHTS_ANALYSER names no language model; nothing is sent.")
        inputs = selectors.current_inputs()
        reviews = ((each.customer_text, each.customer_rating) for each in Review.objects.visible())
        cost = analyser.estimate(reviews, inputs.taxonomy, inputs.roster)
        self.stdout.write(
            f"{cost.reviews:,} reviews are to be read by {analyser.model_id}: {cost.requests:,} "
            f"requests, about {cost.tokens:,} tokens, over {cost.days:,} days by the budgets. "
            "Nothing was sent."
        )

    def _show(self, done: int, total: int) -> None:
        self.stderr.write(f"{done} of {total} reviews read.")
