"""The groups that the roles are."""

from django.contrib.auth.models import Group, Permission

from review.roles import ROLES

# What a reviewer who is also staff finds in the administration: to read, never to change.
READ = {
    "games": (
        "table",
        "seat",
        "deal",
        "event",
        "report",
        "chatline",
        "connection",
        "void",
        "seek",
        "invitation",
    ),
    "tournaments": ("tournament", "entry", "logitem", "pairingtable"),
    "accounts": ("sanction",),
    "review": ("case", "reviewact"),
}


def make_groups() -> None:
    """The three groups, each with leave to read in the administration. Run after every migration; twice is once."""
    readable = Permission.objects.none()
    for app, models in READ.items():
        names = [f"view_{model}" for model in models]
        readable |= Permission.objects.filter(content_type__app_label=app, codename__in=names)
    wanted = list(readable)
    for name in ROLES:
        group, _ = Group.objects.get_or_create(name=name)
        group.permissions.add(*wanted)
