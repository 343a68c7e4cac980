"""Pairs one round with swisspair: reads an event on standard input, prints the seconds it took.

Run by bench/tournament.py with the directory that swisspair was installed in.
"""

import json
import sys
from collections import defaultdict
from time import perf_counter

sys.path.insert(0, sys.argv[1])

from swisspair import Player, create_matches

event = json.load(sys.stdin)
met: dict[str, set[str]] = defaultdict(set)
for pairs in event["history"]:
    for first, second in pairs:
        met[first].add(second)
        met[second].add(first)
ranked = sorted(event["points"], key=lambda entrant: -event["points"][entrant])
players = [
    Player(entrant, event["points"][entrant], rank, cannot_be_paired_against_ids=met[entrant])
    for rank, entrant in enumerate(ranked, 1)
]
began = perf_counter()
create_matches(players)
print(perf_counter() - began)
