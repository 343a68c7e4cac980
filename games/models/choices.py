"""What the columns of a table may say."""

from django.db import models
from django.utils.translation import gettext_lazy as _

WHOLE_DEAL = -1  # as a delay: spectators see a deal once it is over


class Ruleset(models.TextChoices):
    KOTCHINA = "kotchina", _("Kotchina")
    CLASSIC = "classic", _("Classic")
    EGYPTIAN = "egyptian", _("Egyptian")
    KINGS = "kings", _("Kings of Cards")


class Phase(models.TextChoices):
    WAITING = "waiting", _("waiting for players")
    DEAL = "deal", _("dealing")
    AUCTION = "auction", _("auction")
    TRUMP = "trump", _("naming trump")
    PLAY = "play", _("play")
    OVER = "over", _("over")


class Visibility(models.TextChoices):
    PUBLIC = "public", _("public")
    LINK = "link", _("by link only")


class SeatKind(models.TextChoices):
    PLAYER = "player", _("player")
    BOT = "bot", _("bot")
    OPEN = "open", _("open")


class EventKind(models.TextChoices):
    SIT = "sit", _("seat taken")
    LEAVE = "leave", _("seat left")
    START = "start", _("match started")
    DEAL = "deal", _("cards dealt")
    ACT = "act", _("action")
    SUB = "sub", _("bot sits in")
    REST = "rest", _("bot stands up")
    BACK = "back", _("player came back")
    YIELD = "yield", _("side resigned")
    CLOSE = "close", _("table closed")
    PAUSE = "pause", _("match paused")
    RESUME = "resume", _("match resumed")
    LAST = "last", _("last deal announced")


class ResultKind(models.TextChoices):
    TARGET = "target", _("target reached")
    ROUND_CAP = "round-cap", _("round cap")
    DRAW = "draw", _("draw")
    NO_RESULT = "no-result", _("no result")
    RESIGNED = "resigned", _("resigned")


class Absence(models.TextChoices):
    """What happens to a seat whose owner is away."""

    VOTE = "vote", _("a bot sits in, unless the others decide otherwise")
    BOT = "bot", _("a bot sits in")
    CLOCK = "clock", _("the clock plays")


class Room(models.TextChoices):
    TABLE = "table", _("players")
    WATCHERS = "watch", _("spectators")


class ReportReason(models.TextChoices):
    WORDS = "words", _("rude or unwanted words")
    LEFT = "left", _("left or stalled on purpose")
    COLLUSION = "collusion", _("partners who tell each other their cards")
    NAME = "name", _("an offensive name")
    OTHER = "other", _("something else")
