"""Folds kept from one transaction to the next: only what was committed, only while its rows are the same."""

import pytest
from django.db import transaction

from tests.tampering import erase, rewrite
from tests.tournaments.scenes import NOW, adjudicate, end, started
from tournaments.models import Tournament
from tournaments.queries import plan_of
from tournaments.services import folds
from tournaments.services.book import Book

pytestmark = pytest.mark.django_db(transaction=True)


def fold_of(tournament: Tournament) -> object:
    return folds._kept[tournament.pk].fold


def played(tournament: Tournament, pairing: str) -> Tournament:
    end(tournament, pairing)
    adjudicate(tournament)
    tournament.refresh_from_db()
    return tournament


def test_fold_is_written_further_in_the_next_transaction() -> None:
    tournament = played(started(4), "R1.1")
    before = fold_of(tournament)
    played(tournament, "R1.2")
    assert fold_of(tournament) is before
    with transaction.atomic():
        assert Book(tournament).plan.pairings == plan_of(tournament).pairings


def test_what_another_process_wrote_is_folded_on() -> None:
    tournament = played(started(4), "R1.1")
    item = {"type": "forfeit", "pairing": "R1.2", "side": 0}
    tournament.log.create(number=tournament.log.count(), item=item, at=NOW)
    with transaction.atomic():
        book = Book(tournament)
        assert (book.count, book.pairings["R1.2"].decided_by) == (2, "forfeit")


def test_what_was_rolled_back_is_forgotten() -> None:
    tournament = played(started(4), "R1.1")
    with transaction.atomic():
        Book(tournament).write({"type": "forfeit", "pairing": "R1.2", "side": 0}, actor=None, now=NOW)
        transaction.set_rollback(True)
    with transaction.atomic():
        assert Book(tournament).pairings["R1.2"].status == "ready"


def test_fold_written_further_than_the_log_is_not_kept() -> None:
    tournament = played(started(4), "R1.1")
    with transaction.atomic():
        Book(tournament).draft({"type": "forfeit", "pairing": "R1.2", "side": 0}, actor=None, now=NOW)
    with transaction.atomic():
        assert Book(tournament).pairings["R1.2"].status == "ready"


@pytest.mark.parametrize("changed", ["item", "seed", "settings"])
def test_rows_that_were_tampered_with_are_folded_anew(changed: str) -> None:
    tournament = played(started(4), "R1.1")
    item = tournament.log.get()
    if changed == "item":
        rewrite(tournament.log.all(), item={**item.item, "score": [12, 31]})
    elif changed == "settings":
        tournament.settings = {**tournament.settings, "third_place": True}
        tournament.save()
    else:
        third, fourth = tournament.entries.filter(seed__in=(3, 4)).order_by("seed")
        for entry, seed in ((third, 99), (fourth, 3), (third, 4)):
            entry.seed = seed
            entry.save()
        erase(tournament.log.all())
    with transaction.atomic():
        assert Book(tournament).plan.pairings == plan_of(tournament).pairings
