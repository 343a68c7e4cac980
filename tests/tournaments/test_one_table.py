"""Page, tables, file and champion of a tournament come from one computation, whatever was decided last."""

import csv
import io
import json
import re

import pytest
from django.test import Client

from tests.tournaments.scenes import NOW, adjudicate, end, started
from tournaments.formats.event import fold_event, print_plan
from tournaments.models import Tournament
from tournaments.queries import pair_name, plan_of
from tournaments.services import rulings

pytestmark = pytest.mark.django_db


def got(tournament: Tournament, path: str) -> bytes:
    client = Client()
    client.cookies["django_language"] = "en"
    return client.get(tournament.get_absolute_url() + path).content


def played_out(format_: str) -> Tournament:
    tournament = started(4, format=format_)
    while waiting := tournament.tables.filter(state="open").order_by("pairing").first():
        end(tournament, waiting.pairing)
        adjudicate(tournament)
    return tournament


@pytest.mark.parametrize(
    ("format_", "stays_champion"), [("single_elimination", True), ("round_robin", False), ("swiss", False)]
)
def test_everything_shows_the_same_places_once_the_champion_is_disqualified(
    format_: str, stays_champion: bool
) -> None:
    tournament = played_out(format_)
    champion = plan_of(tournament).champion
    item = {"type": "disqualify", "entrant": champion}
    before = plan_of(tournament)
    preview = rulings.preview(tournament=tournament, item=item)
    rulings.decide(tournament_id=tournament.pk, actor=tournament.organiser, item=item, now=NOW)

    played = [line.id for line in before.pairings if champion in line.sides]
    assert [change.pairing for change in preview.changes] == ([] if stays_champion else played)
    assert preview.after.standings == plan_of(tournament).standings
    tournament.refresh_from_db()
    plan = plan_of(tournament)
    names = {entry.ident: pair_name(entry) for entry in tournament.entries.all()}
    places = [(str(place.rank), names[place.entrant]) for place in plan.standings]
    assert tournament.champion is not None
    assert (plan.champion == champion, tournament.champion.ident) == (stays_champion, plan.champion)

    rows = csv.DictReader(io.StringIO(got(tournament, "files/standings.csv").decode("utf-8-sig")))
    assert [(row["Rank"], row["Pair"]) for row in rows] == places

    file = print_plan(fold_event(json.loads(got(tournament, "event/"))).plan())
    assert file["standings"] == print_plan(plan)["standings"]

    page = got(tournament, "?tab=standings").decode()
    table = page[page.index('data-part="standings"') :]
    heads = [head.partition("<details")[0] for head in table.split('<th scope="row"')[1:]]
    assert [name.split(" / ")[0] in head for (_rank, name), head in zip(places, heads, strict=True)] == [
        True
    ] * 4
    assert re.findall(r'(?:class="rank"|data-label="Place")>(\d+)<', table) == [
        rank for rank, _name in places
    ]
