"""What the parts of a record must look like, and the error of a record that does not hold."""

from collections.abc import Mapping
from typing import Any


class RecordError(ValueError):
    """A record that does not hold. `deal`, `action` (from 0), `seat`: where, if that means anything."""

    def __init__(
        self,
        code: str,
        message: str,
        *,
        deal: int | None = None,
        action: int | None = None,
        seat: int | None = None,
    ) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.deal = deal
        self.action = action
        self.seat = seat

    def as_dict(self) -> dict[str, Any]:
        """The `error` object that `replay` prints."""
        where = {"deal": self.deal, "action": self.action, "seat": self.seat}
        present = {name: value for name, value in where.items() if value is not None}
        return {"code": self.code, **present, "message": self.message}


def required(holder: Mapping[str, Any], key: str, deal: int | None = None) -> Any:
    """The value under `key`. Raises: RecordError `malformed` where it is missing."""
    if key not in holder:
        raise RecordError("malformed", f"{key} is missing", deal=deal)
    return holder[key]


def require(holds: bool, message: str, deal: int | None = None) -> None:
    """Raises: RecordError `malformed` with `message`, unless it `holds`."""
    if not holds:
        raise RecordError("malformed", message, deal=deal)


def is_int(value: object) -> bool:
    """Whether it is a whole number; JSON's true is none."""
    return isinstance(value, int) and not isinstance(value, bool)


def is_time(value: object) -> bool:
    """Whether it can be milliseconds."""
    return isinstance(value, int | float) and not isinstance(value, bool) and value >= 0


def is_text(value: object) -> bool:
    """Whether it is a text that UTF-8 can carry: JSON can smuggle in half a surrogate pair."""
    return isinstance(value, str) and value.encode(errors="replace").decode() == value


def short(value: object) -> str:
    """The start of `value`, to be quoted in a message."""
    return repr(value)[:40]
