"""What is stored of people: accounts, what they are told, whom they know, how strong and reliable they are."""

from accounts.models.notices import Notice, NoticeChoice, NoticeKind, PushAddress
from accounts.models.people import EMAIL_TAKEN, TAKEN, AskedBy, CardStyle, DataFile, Digits, User, UserManager
from accounts.models.social import Block, Follow, Mute, NameChange
from accounts.models.standing import (
    Attendance,
    Conduct,
    Interruption,
    Pair,
    Rating,
    RatingChange,
    Reckoned,
    Sanction,
    Scope,
    SeasonRating,
)

__all__ = [
    "EMAIL_TAKEN",
    "TAKEN",
    "AskedBy",
    "Attendance",
    "Block",
    "CardStyle",
    "Conduct",
    "DataFile",
    "Digits",
    "Follow",
    "Interruption",
    "Mute",
    "NameChange",
    "Notice",
    "NoticeChoice",
    "NoticeKind",
    "Pair",
    "PushAddress",
    "Rating",
    "RatingChange",
    "Reckoned",
    "Sanction",
    "Scope",
    "SeasonRating",
    "User",
    "UserManager",
]
