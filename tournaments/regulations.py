"""The rules of one tournament in words: what every one of its settings means for who plays."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from accounts.countries import country_name
from games.models import Absence
from tournaments.field import placed_by
from tournaments.format_words import ELIMINATION, SCORED, Sentences, how_it_goes
from tournaments.formats.settings import Points
from tournaments.formats.tiebreaks import ROUND_ROBIN, SWISS
from tournaments.models import Access, Format, LatePolicy, LimitPolicy, Pace, Seeding, Tournament
from tournaments.queries import settings_of
from tournaments.words import TIEBREAKS


@dataclass(frozen=True, slots=True)
class Chapter:
    """Sentences under one heading."""

    title: str | Promise
    sentences: tuple[str | Promise, ...]


def chapters(tournament: Tournament) -> list[Chapter]:
    """The rules, chapter by chapter; a chapter with nothing to say is left out."""
    own = settings_of(tournament)
    stages = own["stages"] if own["format"] == Format.STAGES else [own]
    found: list[tuple[str | Promise, Sentences]] = [
        (_("Who may enter"), _entering(tournament)),
        (_("How it is played"), how_it_goes(stages, own)),
        (_("What decides a match"), _deciding(tournament, stages)),
    ]
    if any(stage["format"] in SCORED for stage in stages):
        found.append((_("Points and equal points"), _scoring(stages)))
    found += [
        (_("Rounds and time"), _time(tournament, _is_of_several(stages))),
        (_("Results and objections"), _results(tournament)),
        (_("Leaving, coming back, being sent away"), _leaving(stages)),
        (_("Seeds and rests"), _seeding(tournament, stages, own)),
    ]
    read = [Chapter(title, tuple(sentences)) for title, sentences in found]
    return [chapter for chapter in read if chapter.sentences]


def _entering(tournament: Tournament) -> Sentences:
    yield _ACCESS[Access(tournament.access)]
    if tournament.is_private:
        yield _("Private: seen by its officials and by those who are in it alone.")
    if tournament.verified_only:
        yield _("Players need a confirmed e-mail address.")
    if tournament.min_rating is not None:
        yield _("A player's rating must be %(rating)s or more.") % {"rating": tournament.min_rating}
    if tournament.max_rating is not None:
        yield _("A player's rating must be %(rating)s or less.") % {"rating": tournament.max_rating}
    if tournament.min_reliability is not None:
        yield _("A player's reliability must be %(least)s or more.") % {"least": tournament.min_reliability}
    if tournament.regions:
        countries = _listed([str(country_name(code)) for code in tournament.regions])
        yield _("Players must come from: %(countries)s.") % {"countries": countries}
    if tournament.substitutes:
        yield _("A pair may name a third member as substitute.")
    yield _("There are %(places)s places; who enters later waits, and moves up when a place comes free.") % {
        "places": tournament.capacity
    }
    if minutes := tournament.check_in_minutes:
        yield (
            ngettext(
                "Check-in lasts %(minutes)s minute: who does not say that they are there gives their place away.",
                "Check-in lasts %(minutes)s minutes: who does not say that they are there gives their place away.",
                minutes,
            )
            % {"minutes": minutes}
        )


_ACCESS: dict[Access, Promise] = {
    Access.OPEN: gettext_lazy("Everybody with an account may enter with a partner."),
    Access.CODE: gettext_lazy("Who knows the code may enter."),
    Access.INVITATION: gettext_lazy("Only who is invited may enter, with a partner of their choice."),
}


def _deciding(tournament: Tournament, stages: list[dict[str, Any]]) -> Sentences:
    yield _("The side that first has %(target)s points or more.") % {"target": tournament.target}
    if cap := tournament.round_cap:
        yield (
            ngettext(
                "If nobody has after %(cap)s counted round: the side with more points.",
                "If nobody has after %(cap)s counted rounds: the side with more points.",
                cap,
            )
            % {"cap": cap}
        )
    else:
        yield _("There is no round cap: a match goes on until the target is reached.")
    yield from _at_the_limit(tournament)
    if cap or tournament.limit_minutes:
        if any(stage["format"] in ELIMINATION for stage in stages):
            yield _(
                "If they are level then, the match is recorded as a draw, and the side that gained "
                "points in the last counted round goes through. Exactly one side gains in every counted "
                "round."
            )
        if any(stage["format"] in SCORED for stage in stages):
            yield _("Where points are given, level then is a draw, and both sides get the points of a draw.")
    yield _(
        "A table that ends without a result (nobody played) is replayed once. If it happens again neither side wins."
    )
    if tournament.absence == Absence.BOT:
        yield _(
            "Whose time runs out is played for by the clock; after three times in a row a bot sits in "
            "until they are back. Nobody waits for them."
        )
    else:
        yield _(
            "Who is not at the table is played for by the clock, by the rules of the game; nobody waits for them."
        )
    yield _("Partners may resign a match together: it then goes to their opponents.")
    yield _RATED if tournament.rated else _("Its matches do not count for ratings.")
    if _is_of_several(stages):
        yield _("Of several matches that decide a pairing, who resigns one loses that one.")


_RATED = gettext_lazy(
    "Matches played to their end count for the ratings of players and pairs. Byes, forfeits, rulings and matches "
    "stopped for time do not, nor one whose result an official has replaced."
)


def _is_of_several(stages: list[dict[str, Any]]) -> bool:
    return any(stage.get("best_of", 1) > 1 for stage in stages)


def _at_the_limit(tournament: Tournament) -> Sentences:
    minutes = tournament.limit_minutes
    if not minutes:
        return
    said = (
        _(
            "After %(minutes)s minutes a match is stopped: the deal in play is finished, then the points decide."
        )
        if tournament.limit_policy == LimitPolicy.DEAL
        else _("After %(minutes)s minutes a match is stopped: the points of the finished deals decide.")
    )
    yield said % {"minutes": minutes}


def _scoring(stages: list[dict[str, Any]]) -> Sentences:
    scored = [(place, stage) for place, stage in enumerate(stages, 1) if stage["format"] in SCORED]
    for place, stage in scored:
        for said in _table(stage):
            yield (
                said if len(stages) == 1 else _("Stage %(place)s: %(what)s") % {"place": place, "what": said}
            )


def _table(own: Mapping[str, Any]) -> Iterator[str]:
    points = Points(**own.get("points", {}))
    yield _("A win gives %(win)s points, a draw %(draw)s, a loss %(loss)s.") % {
        "win": points.win,
        "draw": points.draw,
        "loss": points.loss,
    }
    yield _(
        "A round without an opponent gives %(bye)s; who forfeits or does not come gets %(forfeit)s, and "
        "the other the points of a win."
    ) % {"bye": points.bye, "forfeit": points.forfeit}
    listed = own.get("tiebreaks")
    if listed is None:
        listed = SWISS if own["format"] == Format.SWISS else ROUND_ROBIN
    if not listed:
        yield _("Equal points share a place.")
        return
    yield _(
        "Equal points are told apart by, in this order: %(tiebreaks)s. Who is equal in all of it shares a place."
    ) % {"tiebreaks": _listed([str(TIEBREAKS[name][0]) for name in listed])}
    yield from (f"{TIEBREAKS[name][0]}: {TIEBREAKS[name][1]}" for name in listed)


def _listed(words: list[str]) -> str:
    return _(", ").join(words)


def _time(tournament: Tournament, of_several: bool) -> Sentences:
    if tournament.pace == Pace.FREE:
        yield _("A match begins as soon as both sides are free.")
    elif tournament.break_minutes is None:
        yield _("Round by round: the organiser opens each.")
    else:
        yield (
            ngettext(
                "Round by round, with %(minutes)s minute in between.",
                "Round by round, with %(minutes)s minutes in between.",
                tournament.break_minutes,
            )
            % {"minutes": tournament.break_minutes}
        )
    if minutes := tournament.call_minutes:
        yield (
            ngettext(
                "Who is not at the table after %(minutes)s minute is called.",
                "Who is not at the table after %(minutes)s minutes is called.",
                minutes,
            )
            % {"minutes": minutes}
        )
    yield _late(tournament)
    if tournament.late_minutes and tournament.late_policy == LatePolicy.FORFEIT and of_several:
        yield _(
            "Of several matches that decide a pairing, that one is lost, and the next one is opened. "
            "Who comes to none of them, and whose pair is not complete, forfeits the pairing."
        )


def _late(tournament: Tournament) -> str:
    if not tournament.late_minutes:
        return _("Nobody forfeits for being late: bots or the clock play for them.")
    said = (
        _("Who is not at the table after %(minutes)s minutes forfeits the match.")
        if tournament.late_policy == LatePolicy.FORFEIT
        else _("Who is not at the table after %(minutes)s minutes is a matter for the referee.")
    )
    return said % {"minutes": tournament.late_minutes}


def _results(tournament: Tournament) -> Sentences:
    if tournament.holds_results:
        yield _("A result counts once both sides have confirmed it, or after %(minutes)s minutes.") % {
            "minutes": tournament.objection_minutes
        }
        yield _("Until then it is provisional, and nothing follows from it.")
    else:
        yield _("A result counts at once.")
    yield (
        ngettext(
            "For %(minutes)s minute after a match a side may object to it; a referee decides and gives the reason.",
            "For %(minutes)s minutes after a match a side may object to it; a referee decides and gives the reason.",
            tournament.objection_minutes,
        )
        % {"minutes": tournament.objection_minutes}
    )
    yield _(
        "A wrong result can be corrected at any time; what was played meanwhile is not taken away without a decision."
    )


def _leaving(stages: list[dict[str, Any]]) -> Sentences:
    yield _("Who withdraws leaves the match to the opponents. What was played stands.")
    if any(stage["format"] in ELIMINATION for stage in stages):
        yield _("Knock-out: who is disqualified is out like one who withdrew; matches won before stand.")
    if any(stage["format"] in SCORED for stage in stages):
        yield _(
            "Where points are given: all matches of who is disqualified count as forfeited, also those played before."
        )
    yield _("Who left may come back while nothing was decided by it.")


def _seeding(tournament: Tournament, stages: list[dict[str, Any]], own: Mapping[str, Any]) -> Sentences:
    yield _SEEDING[Seeding(tournament.seeding)]
    if tournament.started_at and tournament.seeding != Seeding.HAND and placed_by(tournament):
        yield _("The organiser then set some seeds; what officials did says which.")
    if stages[0]["format"] in ELIMINATION:
        yield _(
            "With a number of pairs that is no power of two the top seeds rest in the first round. The "
            "best seeds meet as late as possible."
        )
    if len(stages) > 1:
        yield _("In a later stage the places of the one before are the seeds.")
    if own.get("forbidden") or any(stage.get("forbidden") for stage in stages):
        yield _("Some pairs are kept apart, as far as possible: where it was not, the pairing says so.")


_SEEDING: dict[Seeding, Promise] = {
    Seeding.LOT: gettext_lazy(
        "Seeds are drawn by lot when the tournament starts; anyone can check the draw."
    ),
    Seeding.RATING: gettext_lazy("The seeds follow the ratings; equals are drawn by lot."),
    Seeding.HAND: gettext_lazy("The organiser sets the seeds; they are shown before the start."),
}
