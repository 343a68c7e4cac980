"""What the players of a casual table decide about who is away."""

from games.live.state import TableState

CHOICES = ("wait", "bot", "close")


def decision(state: TableState) -> str | None:
    """What most of those at a casual table want done about who is away: wait, bot or close; None: not said."""
    if state.terms.absence != "vote":
        return None
    wanted = [state.votes.get("absence", {}).get(str(seat)) for seat in state.present()]
    return next((choice for choice in CHOICES if 2 * wanted.count(choice) > len(wanted)), None)
