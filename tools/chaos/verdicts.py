"""Compare a scenario's log of subscribers with the promises of the hub."""

from collections import Counter
from dataclasses import dataclass
from itertools import pairwise
from math import inf

from tools.chaos.scenarios import Scenario, World
from tools.chaos.sink import Post

POSTS_TO_THE_DEAD = 3


@dataclass(frozen=True, slots=True)
class Verdict:
    lost: int  # Live subscribers whose last acknowledged body is not the newest document.
    older_after_newer: int
    most_in_flight: int  # Posts to one subscriber that were open at a time.
    crossed: int  # Posts that a subscriber was done with after a newer one.
    unsigned: int
    # From a commit to the last acknowledgement, the second try of flaky subscribers included.
    staleness_seconds: float
    typical_seconds: float
    posts: int
    most_posts: int
    repeats: int  # The same bytes acknowledged by the same subscriber again.
    posts_to_the_dead: tuple[int, ...]
    slowest_save_seconds: float


def has_no_due_delivery(world: World) -> bool:
    """Whether live subscribers have the last edit, and the hub has given up the others."""
    return all(
        world.sink.satisfied([s], world.last_edit) if s.is_live else s.path in world.sink.denied
        for s in world.crowd
    )


def judge(world: World, newest: str) -> Verdict:
    """Judge the deliveries; `newest` is the digest of the topic as a reader gets it now."""
    posts = {subscriber: list(world.sink.posts[subscriber.path]) for subscriber in world.crowd}
    live = {subscriber: sent for subscriber, sent in posts.items() if subscriber.is_live}
    lags = sorted(
        _lag(sent, edit, committed_at)
        for sent in live.values()
        for edit, committed_at in world.committed.items()
    )
    return Verdict(
        lost=sum(_last(sent) != newest for sent in live.values()),
        older_after_newer=sum(
            later.edit < earlier.edit
            for sent in posts.values()
            for earlier, later in pairwise(sent)
        ),
        most_in_flight=max(world.sink.most_open[s.path] for s in world.crowd),
        crossed=sum(map(_crossed, live.values())),
        unsigned=sum(not post.is_signed for sent in posts.values() for post in sent),
        staleness_seconds=lags[-1],
        typical_seconds=lags[len(lags) // 2],
        posts=sum(map(len, posts.values())),
        most_posts=max(map(len, posts.values())),
        repeats=sum(_repeats(sent) for sent in live.values()),
        posts_to_the_dead=tuple(sorted({len(posts[s]) for s in posts if not s.is_live})),
        slowest_save_seconds=max(world.saved_seconds, default=0.0),
    )


def complaints(verdict: Verdict, scenario: Scenario) -> list[str]:
    """The promises that were broken, as sentences."""
    stale, limit = verdict.staleness_seconds, scenario.staleness_seconds
    dead, most = verdict.posts_to_the_dead, scenario.most_posts
    found = {
        f"{verdict.lost} subscribers do not have the newest document": verdict.lost > 0,
        f"{verdict.older_after_newer} older bodies came after newer ones": (
            verdict.older_after_newer > 0 and not scenario.freezes
        ),
        f"{verdict.most_in_flight} posts to one subscriber were open at a time": (
            verdict.most_in_flight > 1 and not scenario.freezes
        ),
        f"{verdict.unsigned} deliveries had no good signature": verdict.unsigned > 0,
        f"{stale:.1f} s of staleness are more than {limit:g} s": stale > limit,
        f"dead callbacks got {dead} posts": dead not in {(), (POSTS_TO_THE_DEAD,)},
        f"{verdict.most_posts} posts went to one subscriber": (
            most is not None and verdict.most_posts > most
        ),
    }
    return [sentence for sentence, is_so in found.items() if is_so]


def _last(sent: list[Post]) -> str:
    return next((post.digest for post in reversed(sent) if post.is_acknowledged), "")


def _lag(sent: list[Post], edit: int, committed_at: float) -> float:
    """Seconds until the subscriber had the edit; infinite if it never got it."""
    arrived = (post.at for post in sent if post.is_acknowledged and post.edit >= edit)
    return max(0.0, next(arrived, float("inf")) - committed_at)


def _crossed(sent: list[Post]) -> int:
    """How many posts its subscriber was done with after a newer one."""
    done = sorted((post for post in sent if post.done_at < inf), key=lambda post: post.done_at)
    return sum(later.edit < earlier.edit for earlier, later in pairwise(done))


def _repeats(sent: list[Post]) -> int:
    times = Counter(post.digest for post in sent if post.is_acknowledged)
    return sum(count - 1 for count in times.values())
