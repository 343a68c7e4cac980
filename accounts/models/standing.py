"""How strong and how reliable players are: pairs, ratings, what they did with their matches, sanctions.

Matches belong to another app: they are named by the number and the code of their table.
"""

from typing import ClassVar

from django.db import models
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from accounts.models.people import User


class Pair(models.Model):
    """Two players who play together; `first` is the one whose account is older."""

    first = models.ForeignKey(User, models.PROTECT, related_name="+", verbose_name=_("player"))
    second = models.ForeignKey(User, models.PROTECT, related_name="+", verbose_name=_("partner"))
    made_at = models.DateTimeField(_("made"))

    class Meta:
        verbose_name = _("pair")
        verbose_name_plural = _("pairs")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["first", "second"], name="one_row_a_pair"),
            models.CheckConstraint(condition=models.Q(first__lt=models.F("second")), name="pair_in_order"),
        ]
        indexes: ClassVar = [models.Index(fields=["second"], name="pair_second")]

    def __str__(self) -> str:
        return f"{self.first} + {self.second}"

    def get_absolute_url(self) -> str:
        return reverse("pair", args=[self.pk])


class Rating(models.Model):
    """How strong a player or a pair is in one ruleset at one speed: a mean and how uncertain it is."""

    user = models.ForeignKey(
        User, models.CASCADE, null=True, blank=True, related_name="ratings", verbose_name=_("player")
    )
    pair = models.ForeignKey(
        Pair, models.CASCADE, null=True, blank=True, related_name="ratings", verbose_name=_("pair")
    )
    ruleset = models.CharField(_("ruleset"), max_length=10)
    speed = models.CharField(_("speed"), max_length=10)
    mu = models.FloatField(_("mean"))
    sigma = models.FloatField(_("uncertainty"))
    # What is shown, and what boards sort by: see `games/strength.py`.
    points = models.IntegerField(_("rating"))
    least = models.IntegerField(_("at least"), default=0)
    matches = models.PositiveIntegerField(_("matches"), default=0)
    last_at = models.DateTimeField(_("last match"))
    # Until when it is known well enough without a further match; empty: it is not yet.
    known_until = models.DateTimeField(_("known until"), null=True, blank=True)

    class Meta:
        verbose_name = _("rating")
        verbose_name_plural = _("ratings")
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["user", "ruleset", "speed"], name="one_rating_a_player", condition=models.Q(pair=None)
            ),
            models.UniqueConstraint(
                fields=["pair", "ruleset", "speed"], name="one_rating_a_pair", condition=models.Q(user=None)
            ),
            models.CheckConstraint(
                condition=models.Q(user=None, pair__isnull=False) | models.Q(user__isnull=False, pair=None),
                name="rating_of_one",
            ),
        ]
        indexes: ClassVar = [
            models.Index(
                fields=["ruleset", "speed", "-least", "id"],
                name="rating_players",
                condition=models.Q(pair=None, known_until__isnull=False),
            ),
            models.Index(
                fields=["ruleset", "speed", "-least", "id"],
                name="rating_pairs",
                condition=models.Q(user=None, known_until__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user or self.pair} {self.points}"


class RatingChange(models.Model):
    """What one match did to one rating."""

    rating = models.ForeignKey(Rating, models.CASCADE, related_name="changes", verbose_name=_("rating"))
    table_number = models.BigIntegerField(db_index=True)
    table_code = models.CharField(_("table"), max_length=12)
    at = models.DateTimeField(_("at"))
    mu = models.FloatField(_("mean"))
    sigma = models.FloatField(_("uncertainty"))
    points = models.IntegerField(_("rating"))
    # How much the shown number moved.
    change = models.IntegerField(_("change"))

    class Meta:
        verbose_name = _("change of a rating")
        verbose_name_plural = _("changes of ratings")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["rating", "table_number"], name="one_change_a_match"),
        ]
        indexes: ClassVar = [models.Index(fields=["rating", "-at"], name="rating_history")]

    def __str__(self) -> str:
        return f"{self.rating} {self.table_code}"


class SeasonRating(models.Model):
    """What one rating did in one season, a quarter of a year: `2026-4`; as it stood after its last match there."""

    rating = models.ForeignKey(Rating, models.CASCADE, related_name="seasons", verbose_name=_("rating"))
    season = models.CharField(_("season"), max_length=6)
    # As of the rating, to find the best of a season.
    ruleset = models.CharField(_("ruleset"), max_length=10)
    speed = models.CharField(_("speed"), max_length=10)
    is_pair = models.BooleanField(_("pair"))
    mu = models.FloatField(_("mean"))
    sigma = models.FloatField(_("uncertainty"))
    points = models.IntegerField(_("rating"))
    least = models.IntegerField(_("at least"))
    # How much the shown number moved in the season.
    gained = models.IntegerField(_("gained"))
    matches = models.PositiveIntegerField(_("matches"))
    last_at = models.DateTimeField(_("last match"))
    # Played often enough in it, and known well enough, to stand on its boards.
    listed = models.BooleanField(_("listed"), default=False)

    class Meta:
        verbose_name = _("rating of a season")
        verbose_name_plural = _("ratings of seasons")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["rating", "season"], name="one_row_a_season"),
        ]
        indexes: ClassVar = [
            models.Index(
                fields=["season", "ruleset", "speed", "is_pair", "-least", "rating"],
                name="season_board",
                condition=models.Q(listed=True),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.rating_id} {self.season}"


class Reckoned(models.Model):
    """A finished match that pairs, ratings and the memory of reliability have taken in."""

    table_number = models.BigIntegerField(primary_key=True)
    # When it ended: ratings take matches in this order.
    at = models.DateTimeField(_("at"))
    # A bit a seat: somebody else played too much of it.
    lent = models.PositiveSmallIntegerField(default=0)
    # Something about it has changed: what follows from it is to be made anew.
    stale = models.BooleanField(default=False)

    class Meta:
        verbose_name = _("match that was taken in")
        verbose_name_plural = _("matches that were taken in")
        indexes: ClassVar = [
            models.Index(fields=["at", "table_number"], name="reckoned_order"),
            models.Index(fields=["at"], name="reckoned_stale", condition=models.Q(stale=True)),
        ]

    def __str__(self) -> str:
        return str(self.table_number)


class Interruption(models.Model):
    """A moment when the site was not served, or only half: what players did then is not held against them."""

    at = models.DateTimeField(_("at"), db_index=True)

    class Meta:
        verbose_name = _("interruption")
        verbose_name_plural = _("interruptions")

    def __str__(self) -> str:
        return f"{self.at:%F %T}"


class Conduct(models.TextChoices):
    """What a player did with a match that they sat down to."""

    PLAYED = "played", _("played")
    ABSENT = "absent", _("did not come")
    LEFT = "left", _("left in the middle")
    STALLED = "stalled", _("let the clock play")


class Attendance(models.Model):
    """What one player did with one match: the memory of reliability."""

    user = models.ForeignKey(User, models.CASCADE, related_name="attendances", verbose_name=_("player"))
    table_number = models.BigIntegerField()
    table_code = models.CharField(_("table"), max_length=12)
    conduct = models.CharField(_("conduct"), max_length=8, choices=Conduct.choices)
    at = models.DateTimeField(_("at"))

    class Meta:
        verbose_name = _("attendance")
        verbose_name_plural = _("attendances")
        ordering: ClassVar = ["-at", "-pk"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["user", "table_number"], name="one_attendance_a_match"),
        ]
        indexes: ClassVar = [models.Index(fields=["user", "-at"], name="attendance_last")]

    def __str__(self) -> str:
        return f"{self.user} {self.table_code} {self.conduct}"


class Scope(models.TextChoices):
    """What a sanction keeps a player from; a warning from nothing."""

    WARNING = "warning", _("warning")
    CHAT = "chat", _("chat")
    PLAY = "play", _("play")
    TOURNAMENTS = "tournaments", _("tournaments")
    ALL = "all", _("the whole site")


class Sanction(models.Model):
    """A warning or a ban, by a reviewer or by rule (`by` is empty); in force until `until`, or for good."""

    user = models.ForeignKey(User, models.CASCADE, related_name="sanctions", verbose_name=_("player"))
    scope = models.CharField(_("from"), max_length=11, choices=Scope.choices)
    # Why, in both languages, as the player reads it.
    reason_ar = models.CharField(_("reason"), max_length=500)
    reason_en = models.CharField(_("reason"), max_length=500)
    by = models.ForeignKey(
        User, models.SET_NULL, null=True, blank=True, related_name="+", verbose_name=_("by")
    )
    at = models.DateTimeField(_("from"))
    until = models.DateTimeField(_("until"), null=True, blank=True)
    lifted_at = models.DateTimeField(_("lifted"), null=True, blank=True)
    lifted_by = models.ForeignKey(
        User, models.SET_NULL, null=True, blank=True, related_name="+", verbose_name=_("lifted by")
    )
    # What the player says against it, once, and what came of that.
    appeal = models.CharField(_("appeal"), max_length=1000, blank=True, default="")
    appealed_at = models.DateTimeField(_("appealed"), null=True, blank=True)
    answer = models.CharField(_("answer"), max_length=1000, blank=True, default="")
    answered_at = models.DateTimeField(_("answered"), null=True, blank=True)
    # A sanction by rule is made once for its cause.
    cause = models.CharField(max_length=60, null=True, blank=True, unique=True)

    class Meta:
        verbose_name = _("sanction")
        verbose_name_plural = _("sanctions")
        ordering: ClassVar = ["-at", "-pk"]
        indexes: ClassVar = [
            models.Index(
                fields=["user"], name="sanction_standing", condition=models.Q(lifted_at__isnull=True)
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user} {self.scope}"
