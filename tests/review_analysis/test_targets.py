"""Features of the target model for one thing that a sentence names."""

from review_analysis import model, polarity, targets
from review_analysis.segments import Source, sentences


def seen(text, target):
    """Features of the target's clause and of its place, each with its value."""
    (words,) = sentences(Source(text))
    sentence, _ = polarity.read(words)
    first, last = words.at(text.index(target), text.index(target) + len(target))
    clause = targets.of_clause(sentence, words.clauses[first])
    place = targets.of_place(sentence, first, last)
    return ({(kind, what): value for kind, what, value in part} for part in (clause, place))


def test_the_words_beside_a_target_tell_by_side_distance_and_pair():
    _, place = seen("We had the soup, which was hot.", "soup")

    words = {key for key in place if key[0][0] in "tLR"}
    assert words == {
        ("t", "soup"),
        *(("L1", "the"), ("L2", "had"), ("L2", "we"), ("L&", "the had"), ("L&", "had we")),
        *(("R2", "which"), ("R2", "was"), ("R3", "hot"), ("R&", "which was"), ("R&", "was hot")),
    }


def test_words_of_another_clause_tell_only_next_to_the_target():
    clause, place = seen("The soup was hot but the kind waiter forgot our bread.", "soup")

    assert ("c", "hot") in clause
    assert ("c", "waiter") not in clause
    assert ("R2", "but") in place
    assert ("R3", "the") not in place


def test_all_targets_of_a_clause_have_in_common_what_it_says():
    text = "The friendly waiter brought a cold soup."

    (waiter, beside_waiter), (soup, beside_soup) = seen(text, "waiter"), seen(text, "soup")

    assert waiter == soup
    assert waiter["=", "mixed"] == 1
    assert beside_waiter["=", "x+L1"] > 0 < beside_soup["=", "x-L1"]


def test_a_word_that_judges_tells_by_the_parts_of_the_words_on_the_way_there():
    _, place = seen("The soup on the tray was really delicious.", "soup")

    assert ("@+R", "PnCA") in place


def test_praise_of_another_thing_tells_apart_from_that_of_the_target():
    text = "The friendly waiter brought a soup."

    (_, waiter), (_, soup) = seen(text, "waiter"), seen(text, "soup")

    assert waiter["=", "its+"] > 0 < soup["=", "other+"]
    assert {("=", "praised"), ("=", "praised whole+")} <= waiter.keys()
    assert {("=", "other"), ("=", "other whole+")} <= soup.keys()
    assert ("=", "its+") not in soup


def test_every_kind_of_feature_is_known_to_the_model():
    text = "It was a lovely though badly lit old dining room of the awful and charming sort."

    clause, place = seen(text, "dining room")

    kinds = {kind for kind, _ in (*clause, *place)}
    assert {"L1", "L2", "L3", "R1", "R2", "R3", "@+L", "@-L", "@+R", "@-R"} <= kinds
    assert kinds <= model.load().target.keys()
