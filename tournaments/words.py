"""What is said of a bracket in words: the names of rounds, the reasons of a win."""

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

Words = str | Promise

# One word under the score.
REASONS: dict[str, Words] = {
    "target": pgettext_lazy("decided by", "target"),
    "round-cap": pgettext_lazy("decided by", "round cap"),
    "last-round": pgettext_lazy("decided by", "last round"),
    "draw": pgettext_lazy("decided by", "draw"),
    "bye": pgettext_lazy("decided by", "bye"),
    "walkover": pgettext_lazy("decided by", "walkover"),
    "forfeit": pgettext_lazy("decided by", "forfeit"),
    "double-forfeit": pgettext_lazy("decided by", "both out"),
    "ruling": pgettext_lazy("decided by", "ruling"),
}

# The whole of it, for who wants to know.
SENTENCES: dict[str, Words] = {
    "target": gettext_lazy("Reached the target first."),
    "round-cap": gettext_lazy("Had more points when the last round allowed was played."),
    "last-round": gettext_lazy(
        "Level at the round cap: recorded as a draw. The side that gained in the last counted round goes through."
    ),
    "draw": gettext_lazy("Level at the round cap: a draw."),
    "bye": gettext_lazy("Nobody was to come on the other side: goes through without play."),
    "walkover": gettext_lazy("The other side is out of the tournament: goes through without play."),
    "forfeit": gettext_lazy("The other side gave the match up or did not come."),
    "double-forfeit": gettext_lazy(
        "Nobody played, or neither side may go on: both are out. The next opponent goes through without play."
    ),
    "ruling": gettext_lazy("The organiser decided."),
}


def round_name(distance: int) -> str:
    """A round's name by its distance to the final: 0 the final, 1 the semi-finals, 4 the round of 32."""
    if distance == 0:
        return _("Final")
    if distance == 1:
        return _("Semi-finals")
    if distance == 2:
        return _("Quarter-finals")
    return _("Round of %(pairs)s") % {"pairs": 2 ** (distance + 1)}


def pairing_name(pairing: str, round_: int, last: int) -> str:
    """What a pairing is called in a sentence: "Semi-final 2", "Final", "Third place"."""
    if pairing == "P3":
        return _("Third place")
    number = {"number": pairing.rpartition(".")[2]}
    distance = last - round_
    if distance == 0:
        return _("Final")
    if distance == 1:
        return _("Semi-final %(number)s") % number
    if distance == 2:
        return _("Quarter-final %(number)s") % number
    return _("Round of %(pairs)s, match %(number)s") % {"pairs": 2 ** (distance + 1), **number}
