"""Who gets what at every address of the site. An address without a line fails here until somebody has decided.

Tournaments and the pages of reviewers have tables of their own beside their tests; here they are counted, and asked
for by those roles that the others do not have.
"""

from http.cookies import SimpleCookie
from typing import Any

import pytest
from django.contrib import admin
from django.contrib.auth.models import Group
from django.db import transaction
from django.template.base import NodeList
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse
from django.utils.safestring import SafeString

from accounts import sanctions
from accounts.models import Notice, Pair, Scope, User
from games.models import Invitation
from review.roles import MODERATOR, REFEREE
from tests.factories import NOON, make_table, make_user, make_users, seat_user
from tests.games.matches import make_match
from tests.review import test_permissions as review
from tests.tournaments import test_permissions as tournaments
from tests.tournaments.scenes import started

pytestmark = pytest.mark.django_db

# The columns. `player` has a waiting table, a match, a sanction, an invitation and a notice; `other` and the rest have
# nothing to do with them. Both organisers run a tournament; referee and moderator are of the site's reviewers.
WHO = (
    "anonymous",
    "player",
    "other",
    "organiser",
    "organiser of another",
    "referee",
    "moderator",
    "superuser",
)
# What is answered: + a page; > led elsewhere, as after a form; L to the login; A asked for the password again;
# ? refused as it makes no sense; - not theirs; 0 not there; s only the other method.
STATUS = {
    200: "+",
    204: "+",
    301: ">",
    302: ">",
    304: "+",
    400: "?",
    401: "-",
    403: "-",
    404: "0",
    405: "s",
    409: "?",
}

# To look, and to send an empty form.
PAGES: dict[str, str] = {
    "home": "++++++++ ssssssss",
    "set_language": "ssssssss >>>>>>>>",
    "words": "++++++++ ssssssss",
    "manifest": "++++++++ ssssssss",
    "account_login": "+>>>>>>> ?>>>>>>>",
    "account_logout": ">+++++++ >>>>>>>>",
    "account_signup": "+>>>>>>> ?>>>>>>>",
    "account_guest": "ssssssss >>>>>>>>",
    "account_inactive": "++++++++ ssssssss",
    "account_change_password": "L+++++++ L???????",
    "account_set_password": ">>>>>>>> >>>>>>>>",
    "account_reset_password": "++++++++ ????????",
    "account_reset_password_done": "++++++++ ssssssss",
    "account_reset_password_from_key_done": "++++++++ ssssssss",
    "account_reset_password_from_key": "++++++++ ++++++++",
    "account_reauthenticate": "L+++++++ L+++++++",
    "account_request_reauthentication_code": "LAAAAAAA LAAAAAAA",
    "account_confirm_reauthentication_code": "LAAAAAAA LAAAAAAA",
    "mfa_index": "L+++++++ Lsssssss",
    "mfa_authenticate": "L>>>>>>> L>>>>>>>",
    "mfa_reauthenticate": "LAAAAAAA LAAAAAAA",
    "mfa_activate_totp": "LAAAAAAA LAAAAAAA",
    "mfa_deactivate_totp": "L0000000 L0000000",
    "mfa_view_recovery_codes": "L0000000 Lsssssss",
    "mfa_generate_recovery_codes": "LAAAAAAA LAAAAAAA",
    "mfa_download_recovery_codes": "L0000000 L0000000",
    "mfa_list_webauthn": "L+++++++ Lsssssss",
    "mfa_add_webauthn": "LAAAAAAA LAAAAAAA",
    "mfa_reauthenticate_webauthn": "LAAAAAAA LAAAAAAA",
    "mfa_edit_webauthn": "LAAAAAAA LAAAAAAA",
    "mfa_remove_webauthn": "LAAAAAAA LAAAAAAA",
    "mfa_login_webauthn": "L>>>>>>> L>>>>>>>",
    "usersessions_list": "L+++++++ L>>>>>>>",
    "socialaccount_connections": "L+++++++ L+++++++",
    "socialaccount_signup": "LLLLLLLL LLLLLLLL",
    "socialaccount_login_cancelled": "++++++++ ssssssss",
    "socialaccount_login_error": "-------- ssssssss",
    "account_end_session": "Lsssssss L0000000",
    "account_settings": "L+++++++ Lsssssss",
    "account_rename": "Lsssssss L???????",
    "account_picture": "Lsssssss L???????",
    "account_picture_remove": "Lsssssss L>>>>>>>",
    "account_change_email": "Lsssssss L???????",
    "account_keep_email": "Lsssssss L>>>>>>>",
    "account_confirm_address": "Lsssssss L>>>>>>>",
    "account_change_country": "Lsssssss L>>>>>>>",
    "account_change_looks": "Lsssssss L>>>>>>>",
    "account_change_letters": "Lsssssss L>>>>>>>",
    "account_notices": "L+++++++ L+++++++",
    "push_subscribe": "Lsssssss L???????",
    "push_unsubscribe": "Lsssssss L+++++++",
    "push_worker": "00000000 ssssssss",
    "account_privacy": "L+++++++ L+++++++",
    "account_data": "Lsssssss LAAAAAAA",
    "account_data_file": "LAAAAAAA Lsssssss",
    "account_close": "LAAAAAAA LAAAAAAA",
    "picture": "00000000 ssssssss",
    "account_confirm_email": "++++++++ 00000000",
    "notices_read": "Lsssssss L>>>>>>>",
    "notice": "L>000000 Lsssssss",
    "quick": "++++++++ L???????",
    "quick_seen": "ssssssss L+++++++",
    "quick_answer": "ssssssss L0000000",
    "quick_stop": "ssssssss L>>>>>>>",
    "play_bots": ">>>>>>>> >>>>>>>>",
    "account_keep": ">>>>>>>> >>>>>>>>",
    "news": "L+++++++ ssssssss",
    "names": "L+++++++ ssssssss",
    "invitation_accept": "ssssssss L>??????",
    "invitation_decline": "ssssssss L>>>>>>>",
    "people": "L+++++++ L>>>>>>>",
    "lobby": "++++++++ ssssssss",
    "table_new": "L+++++++ L???????",
    "table": "++++++++ ssssssss",
    "table_sit": "L>>>>>>> L???????",
    "table_leave": "L>>>>>>> L>??????",
    "table_fill": "L>>>>>>> L>??????",
    "table_remove": "L>>>>>>> L???????",
    "table_invite": "L>>>>>>> L???????",
    "table_card": "++++++++ ssssssss",
    "table_qr": "++++++++ ssssssss",
    "table_mute": "ssssssss L???????",
    "table_report": "ssssssss L???????",
    "table_record": "++++++++ ssssssss",
    "my_matches": "L>>>>>>> Lsssssss",
    "match": "++++++++ ssssssss",
    "match_pbn": "++++++++ ssssssss",
    "match_printed": "++++++++ ssssssss",
    "records": "++++++++ ????????",
    "watch": "++++++++ ssssssss",
    "player": "++++++++ ssssssss",
    "follow": "++++++++ ssssssss",
    "player_matches": "++++++++ ssssssss",
    "player_statistics": "++++++++ ssssssss",
    "player_records": "++++++++ ssssssss",
    "ratings": "++++++++ ssssssss",
    "pair": "++++++++ ssssssss",
    "standing": "L+++++++ ssssssss",
    "standing_appeal": "ssssssss L>000000",
    "pair_statistics": "++++++++ ssssssss",
    "rules": "++++++++ ssssssss",
    "rules_of": "++++++++ ssssssss",
}

# Administration: the list, to add, one row's history, to delete and to change it; looked at / sent, with a column each
# for referee, moderator and superuser. Everybody else is led to the login. > also: there is no such row.
ADMIN: dict[str, str] = {
    "auth_group": "--+/--+ --+/--+ --+/--+ --+/--+ --+/--+",
    "account_emailaddress": "--+/--+ --+/--+ >>>/>>> -->/--> -->/-->",
    "socialaccount_socialaccount": "--+/--+ --+/--+ >>>/>>> -->/--> -->/-->",
    "games_table": "+++/+++ ---/--- +++/+++ ---/--- +++/---",
    "games_seat": "+++/+++ ---/--- +++/+++ ---/--- +++/---",
    "games_deal": "+++/+++ ---/--- +++/+++ ---/--- +++/---",
    "games_event": "+++/+++ ---/--- +++/+++ ---/--- +++/---",
    "games_report": "+++/+++ ---/--- >>>/>>> ---/--- >>>/---",
    "games_chatline": "+++/+++ ---/--- >>>/>>> ---/--- >>>/---",
    "games_heartbeat": "--+/--+ ---/--- >>>/>>> ---/--- -->/---",
    "review_case": "+++/+++ ---/--- >>>/>>> ---/--- >>>/---",
    "review_reviewact": "+++/+++ ---/--- >>>/>>> ---/--- >>>/---",
    "games_void": "+++/+++ ---/--- >>>/>>> ---/--- >>>/---",
    "games_connection": "+++/+++ ---/--- >>>/>>> ---/--- >>>/---",
    "games_seek": "+++/+++ ---/--- >>>/>>> ---/--- >>>/---",
    "games_invitation": "+++/+++ ---/--- +++/+++ ---/--- +++/---",
    "accounts_sanction": "+++/+++ ---/--- +++/+++ ---/--- +++/---",
    "tournaments_tournament": "+++/+++ ---/--- +++/+++ ---/--- +++/---",
    "tournaments_entry": "+++/+++ ---/--- +++/+++ ---/--- +++/---",
    "tournaments_logitem": "+++/+++ ---/--- >>>/>>> ---/--- >>>/---",
    "tournaments_pairingtable": "+++/+++ ---/--- +++/+++ ---/--- +++/---",
    "accounts_user": "--+/--+ --+/--+ --+/--+ --+/--+ --+/--+",
}
ADMIN_PAGES = ("changelist", "add", "history", "delete", "change")
ADMIN_REST: dict[str, str] = {
    "admin:index": "LLLLL+++ LLLLL+++",
    "admin:login": "+++++>>> ++++++++",
    "admin:logout": ">>>>>sss >>>>>+++",
    "admin:password_change": "LLLLL+++ LLLLL+++",
    "admin:password_change_done": "LLLLL+++ LLLLLsss",
    "admin:autocomplete": "LLLLL--- LLLLLsss",
    "admin:jsi18n": "LLLLL+++ LLLLLsss",
    "admin:view_on_site": "LLLLL000 LLLLL000",
    "admin:app_list": "LLLLL+++ LLLLL+++",
    "admin:auth_user_password_change": "LLLLL--+ LLLLL--+",
    "admin:admin/(?P<url>.*)$": "LLLLL000 LLLLL000",
}


def addresses() -> dict[str, URLPattern]:
    """Every address by its name; what has no name by its own text."""
    return dict(_named(get_resolver(), (), ""))


def _named(resolver: URLResolver, spaces: tuple[str, ...], before: str) -> Any:
    for one in resolver.url_patterns:
        if isinstance(one, URLResolver):
            inside = (*spaces, one.namespace) if one.namespace else spaces
            yield from _named(one, inside, before + str(one.pattern))
        else:
            yield ":".join([*spaces, one.name or before + str(one.pattern)]), one


def admin_of(name: str) -> tuple[str, str]:
    """The model and the page of an address of the administration."""
    model, _, page = name.removeprefix("admin:").rpartition("_")
    return model, page


def known_addresses() -> set[str]:
    changed = {f"admin:{model}_{page}" for model in ADMIN for page in ADMIN_PAGES}
    short = {name for name in addresses() if name.startswith("admin:admin/") and "/<path:object_id>/" in name}
    theirs = {*tournaments.PAGES, *(name for name, _ in tournaments.DOORS), *review.PAGES, *review.DOORS}
    return {*PAGES, *ADMIN_REST, *changed, *short, *theirs}


def test_every_address_has_its_line() -> None:
    assert set(addresses()) ^ known_addresses() == set()


class Walk:
    """Somebody of every role, and what the addresses are filled with."""

    def __init__(self) -> None:
        player, other, partner, host = make_users(4)
        first, second = started(2).organiser, started(2).organiser
        referee, moderator = make_user(is_staff=True), make_user(is_staff=True)
        referee.groups.add(Group.objects.get(name=REFEREE))
        moderator.groups.add(Group.objects.get(name=MODERATOR))
        root = make_user(is_staff=True, is_superuser=True)
        people = (None, player, other, first, second, referee, moderator, root)
        self.people: dict[str, User | None] = dict(zip(WHO, people, strict=True))
        self.table = make_table(host=player)
        seat_user(self.table, 0, player)
        elsewhere = make_table(host=host)
        match = make_match([player, partner, host, None])
        pair = Pair.objects.create(first=player, second=partner, made_at=NOON)
        invitation = Invitation.objects.create(table=elsewhere, by=host, to=player, created_at=NOON)
        sanction = sanctions.impose(player, Scope.CHAT, reason_ar="س", reason_en="x", until=None, now=NOON)
        notice = Notice.objects.create(user=player, key="k", text_ar="س", text_en="x", at=NOON, url="/rules/")
        self.known: dict[str, Any] = {
            "name": player.username,
            "language": "ar",
            "ruleset": "kotchina",
            "uidb36": "1",
            "key": "x",
        }
        self.known |= {
            "pk": 1,
            "code": self.table.code,
            "object_id": player.pk,
            "content_type_id": "1",
            "url": "x",
        }
        self.known |= {"id": player.pk, "app_label": "games"}
        self.special: dict[str, dict[str, Any]] = {
            **{name: {"number": pair.pk} for name in ("pair", "pair_statistics")},
            **{name: {"number": invitation.pk} for name in ("invitation_accept", "invitation_decline")},
            **{
                name: {"code": match.code} for name in ("match", "match_pbn", "match_printed", "table_record")
            },
            "standing_appeal": {"number": sanction.pk},
            "notice": {"number": notice.pk},
            "account_end_session": {"number": 1},
            "picture": {"name": "0" * 32},
        }
        for model in admin.site._registry:
            row, kind = model._default_manager.order_by("pk").first(), model._meta
            for page in ADMIN_PAGES if row is not None else ():
                self.special[f"admin:{kind.app_label}_{kind.model_name}_{page}"] = {"object_id": row.pk}
        self.clients = {who: client_of(user) for who, user in self.people.items()}

    def address(self, name: str, pattern: URLPattern, **more: Any) -> str:
        known = self.known | self.special.get(name, {}) | more
        if pattern.name is None:
            return "/admin/x"
        names = pattern.pattern.regex.groupindex or pattern.pattern.converters
        return reverse(name, kwargs={key: known[key] for key in names})

    def row(self, method: str, place: str, who: tuple[str, ...] = WHO) -> str:
        return "".join(asked(self.clients[one], method, place) for one in who)


def client_of(user: User | None) -> Client:
    client = Client(raise_request_exception=False)
    if user is not None:
        client.force_login(user)
    return client


def asked(client: Client, method: str, place: str) -> str:
    """What is answered; whatever it did is undone."""
    mark, cookies = transaction.savepoint(), {name: one.value for name, one in client.cookies.items()}
    answer = getattr(client, method)(place)
    transaction.savepoint_rollback(mark)
    client.cookies = SimpleCookie(cookies)
    return outcome(answer)


def outcome(answer: Any) -> str:
    leads = answer.headers.get("Location", "")
    if leads.startswith(("/accounts/login/", "/admin/login/")):
        return "L"
    if leads.startswith(("/accounts/reauthenticate/", "/accounts/security/again/")):
        return "A"
    return STATUS.get(answer.status_code, f"[{answer.status_code}]")


@pytest.fixture
def walk(monkeypatch: pytest.MonkeyPatch, settings: Any) -> Walk:
    # Who is let in is decided before anything is drawn; thousands of whole pages would take minutes.
    monkeypatch.setattr(NodeList, "render", lambda self, context: SafeString(""))
    settings.LIMITS_ON_LOOPBACK = False
    return Walk()


def test_pages_and_forms_are_for_whom_they_are_for(walk: Walk) -> None:
    found = {}
    for name, pattern in addresses().items():
        if name in PAGES:
            place = walk.address(name, pattern)
            found[name] = f"{walk.row('get', place)} {walk.row('post', place)}"
    assert found == PAGES


STAFF = ("referee", "moderator", "superuser")
OTHERS = tuple(who for who in WHO if who not in STAFF)


def test_the_administration_is_for_the_staff(walk: Walk) -> None:
    table: dict[str, list[str]] = {}
    rest: dict[str, str] = {}
    for name, pattern in addresses().items():
        model, page = admin_of(name)
        if name in ADMIN_REST:
            place = walk.address(name, pattern)
            rest[name] = f"{walk.row('get', place)} {walk.row('post', place)}"
        elif name.startswith("admin:") and model in ADMIN and page in ADMIN_PAGES:
            place = walk.address(name, pattern)
            assert walk.row("get", place, OTHERS) == walk.row("post", place, OTHERS) == "L" * len(OTHERS), (
                name
            )
            table.setdefault(model, []).append(
                f"{walk.row('get', place, STAFF)}/{walk.row('post', place, STAFF)}"
            )
    assert {model: " ".join(rows) for model, rows in table.items()} == ADMIN
    assert rest == ADMIN_REST


def test_reviewers_are_strangers_to_a_tournament_and_organisers_to_reviews(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(NodeList, "render", lambda self, context: SafeString(""))
    known, people = tournaments.scene()
    moderator = make_user(is_staff=True)
    moderator.groups.add(Group.objects.get(name=MODERATOR))
    stranger, clients = tournaments.ROLES.index("stranger"), client_of(moderator)
    found = {
        name: tournaments.asked(clients, "get", tournaments.address(known, name), {})
        for name in tournaments.PAGES
    }
    assert found == {name: row[stranger] for name, row in tournaments.PAGES.items()}
    owner, case = client_of(people["owner"]), review.Scene()
    for name, (_, arguments) in (review.PAGES | review.DOORS).items():
        place = reverse(name, args=arguments(case))
        assert {owner.get(place).status_code, owner.post(place).status_code} <= {403, 405}, name
