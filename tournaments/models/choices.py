"""What the columns of a tournament may say."""

from django.db import models
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy


class Format(models.TextChoices):
    SINGLE_ELIMINATION = "single_elimination", _("Single elimination")
    DOUBLE_ELIMINATION = "double_elimination", _("Double elimination")
    ROUND_ROBIN = "round_robin", _("Round robin")
    SWISS = "swiss", _("Swiss")
    STAGES = "stages", _("In stages")


class State(models.TextChoices):
    DRAFT = "draft", _("draft")
    PUBLISHED = "published", _("announced")
    OPEN = "open", _("registration open")
    READY = "ready", _("about to start")
    RUNNING = "running", _("running")
    FINISHED = "finished", _("finished")
    CERTIFIED = "certified", _("certified")
    ARCHIVED = "archived", _("archived")
    CANCELLED = "cancelled", _("cancelled")


class CancelReason(models.TextChoices):
    ORGANISER = "organiser", _("called off by the organiser")
    TOO_FEW = "too-few", _("fewer than two pairs had entered when it was due")


class Access(models.TextChoices):
    """Who may enter."""

    OPEN = "open", _("everybody")
    CODE = "code", _("who knows the code")
    INVITATION = "invited", _("who is invited")


class Seeding(models.TextChoices):
    LOT = "lot", _("by a lot that is published")
    RATING = "rating", _("by rating")
    HAND = "hand", _("by hand")


class Pace(models.TextChoices):
    """When a pairing may be played: its round's time, where it has one, holds in both."""

    FREE = "free", _("as soon as both sides are free")
    ROUNDS = "rounds", _("round by round")


class LatePolicy(models.TextChoices):
    FORFEIT = "forfeit", _("the pair forfeits the match")
    REFEREE = "referee", _("a referee decides")


class LimitPolicy(models.TextChoices):
    DEAL = "deal", _("the deal in play is finished, then the points decide")
    NOW = "now", _("the points of the finished deals decide")


class TableState(models.TextChoices):
    OPEN = "open", _("its result is awaited")
    HELD = "held", _("played, its result waits to be confirmed")
    RECORDED = "recorded", _("its result is in the log")
    VOID = "void", _("no longer counts")


class Role(models.TextChoices):
    """What an official may do; the owner may do everything."""

    ORGANISER = "organiser", _("organiser")
    REFEREE = "referee", pgettext_lazy("role", "referee")
    SCOREKEEPER = "scorekeeper", _("scorekeeper")
    VIEWER = "viewer", _("viewer")


class ObjectionState(models.TextChoices):
    OPEN = "open", pgettext_lazy("objection", "open")
    UPHELD = "upheld", pgettext_lazy("objection", "upheld")
    DISMISSED = "dismissed", pgettext_lazy("objection", "dismissed")
    WITHDRAWN = "withdrawn", pgettext_lazy("objection", "withdrawn")
