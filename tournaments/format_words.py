"""How a tournament of each format goes, in words: for its rules."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournaments.models import Format

Sentences = Iterator[str | Promise]
SCORED = (Format.ROUND_ROBIN, Format.SWISS)
ELIMINATION = (Format.SINGLE_ELIMINATION, Format.DOUBLE_ELIMINATION)


def how_it_goes(stages: list[dict[str, Any]], own: Mapping[str, Any]) -> Sentences:
    """The sentences, stage by stage; `own` are the settings of the whole."""
    for place, stage in enumerate(stages, 1):
        said: list[str | Promise] = [*_stage(stage)]
        if len(stages) == 1 and own["format"] != Format.STAGES:
            yield from said
            continue
        if place > 1:
            said.insert(0, _going_on(stages[place - 2], stage))
        yield from (_("Stage %(place)s: %(what)s") % {"place": place, "what": what} for what in said)


def _going_on(before: Mapping[str, Any], stage: Mapping[str, Any]) -> str:
    said = {"number": stage["qualify"]}
    if before.get("groups", 1) > 1:
        return (
            ngettext(
                "the best %(number)s of each group goes on, by place.",
                "the best %(number)s of each group go on, by place.",
                stage["qualify"],
            )
            % said
        )
    return ngettext("the best %(number)s goes on.", "the best %(number)s go on.", stage["qualify"]) % said


def _stage(own: Mapping[str, Any]) -> Sentences:
    yield from _COURSE[Format(own["format"])](own)
    if (matches := own.get("best_of", 1)) > 1:
        yield _("Each pairing is best of %(number)s.") % {"number": matches}


def _single(own: Mapping[str, Any]) -> Sentences:
    yield _("A lost match and you are out.")
    if own.get("third_place"):
        yield _("The losers of the semi-finals play for the third place.")


def _double(own: Mapping[str, Any]) -> Sentences:
    yield _("Two lost matches and you are out: who loses once goes on in the losers' bracket.")
    if own.get("reset", True):
        yield _(
            "Who comes to the grand final without a loss must be beaten twice: then a second match decides."
        )
    else:
        yield _("One match decides the grand final, whoever has lost before.")


def _robin(own: Mapping[str, Any]) -> Sentences:
    if (groups := own.get("groups", 1)) > 1:
        yield _("In %(groups)s groups everybody meets everybody.") % {"groups": groups}
    else:
        yield _("Everybody meets everybody.")
    if own.get("double"):
        yield _("They meet twice, the second time with sides changed.")


def _swiss(own: Mapping[str, Any]) -> Sentences:
    if rounds := own.get("rounds"):
        yield ngettext("%(rounds)s round is played.", "%(rounds)s rounds are played.", rounds) % {
            "rounds": rounds
        }
    else:
        yield _("As many rounds are played as it takes to leave one unbeaten.")
    yield _(
        "In each round pairs that have done equally well meet; nobody meets the same pair twice while it can be helped."
    )
    yield _("With an odd number the lowest who has not rested yet rests a round.")


_COURSE: dict[Format, Callable[[Mapping[str, Any]], Sentences]] = {
    Format.SINGLE_ELIMINATION: _single,
    Format.DOUBLE_ELIMINATION: _double,
    Format.ROUND_ROBIN: _robin,
    Format.SWISS: _swiss,
}
