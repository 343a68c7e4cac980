"""What a pairing's name says: "W2.1", "2:G3R1.4", "P3"."""

import re
from dataclasses import dataclass

_NAME = re.compile(
    r"(?:(?P<stage>\d+):)?(?:G(?P<group>\d+)(?=R))?(?P<part>R|W|L|GF|PO|P)(?P<round>\d+)(?:\.(?P<number>\d+))?"
)


@dataclass(frozen=True, slots=True)
class Name:
    """A pairing's name, taken apart. `part`: R, W, L, GF, P (third place) or PO; `number` None where it has none.

    `stage` is 0 in a tournament without stages, `group` 0 in a format without groups.
    """

    stage: int
    group: int
    part: str
    round: int
    number: int | None

    @property
    def key(self) -> str:
        """The name of the round: the pairing's without group and number; groups play their rounds together."""
        return f"{self.stage}:{self.part}{self.round}" if self.stage else f"{self.part}{self.round}"


def read_name(pairing: str) -> Name:
    """The parts of a pairing's name.

    Raises:
        ValueError: it is none.
    """
    found = _NAME.fullmatch(pairing)
    if found is None:
        raise ValueError(f"{pairing!r} is no pairing's name")
    number = found["number"]
    return Name(
        int(found["stage"] or 0),
        int(found["group"] or 0),
        found["part"],
        int(found["round"]),
        None if number is None else int(number),
    )


def round_key(pairing: str) -> str:
    """The round a pairing belongs to: "R2" of "R2.1" and "G3R2.4", "2:W1" of "2:W1.3", "P3" and "GF2" as they are."""
    return read_name(pairing).key
