"""What the columns of a case and of an act may say."""

from django.db import models
from django.utils.translation import gettext_lazy as _


class CaseKind(models.TextChoices):
    REPORT = "report", _("report")
    OBJECTION = "objection", _("objection")
    APPEAL = "appeal", _("appeal")
    HINT = "hint", _("hint")


class Outcome(models.TextChoices):
    UPHELD = "upheld", _("found to be so")
    DISMISSED = "dismissed", _("nothing found")
    ELSEWHERE = "elsewhere", _("answered by the tournament's officials")
    WITHDRAWN = "withdrawn", _("withdrawn")


class ActKind(models.TextChoices):
    CLAIM = "claim", _("case taken")
    RELEASE = "release", _("case given back")
    CLOSE = "close", _("case closed")
    OPEN = "open", _("case opened from a hint")
    WARN = "warn", _("warning")
    MUTE = "mute", _("chat ban")
    BAN_PLAY = "ban-play", _("ban from play")
    BAN_TOURNAMENTS = "ban-tournaments", _("ban from tournaments")
    BAN_ALL = "ban-all", _("ban from the whole site")
    LIFT = "lift", _("sanction lifted")
    APPEAL = "appeal", _("appeal answered")
    OBJECTION = "objection", _("objection answered")
    VOID = "void", _("match declared void")
    RESTORE = "restore", _("match restored")
    ANNUL = "annul", _("result changed through the tournament")
