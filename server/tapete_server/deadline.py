"""How much of a deadline is kept back for replying.

Between the end of the thinking and the reply on the wire lie the rest of a bot's slice, the wake-up of
the event loop and the call's turn on it. All three grow with load, so they are measured at each answer.
"""

__all__ = ["ReplyMargin"]

_KEPT = 0.98
_HEADROOM = 1.25
# A bot that ignores its deadline must not take the time of all others.
_MOST = 0.1


class ReplyMargin:
    """The seconds between the thinking's deadline and the call's, from the delays of late."""

    def __init__(self, least: float) -> None:
        """Starts with `least` seconds."""
        self._least = least
        self._peak = 0.0

    def observe(self, delay: float) -> None:
        """Takes in the seconds by which a reply came after the moment it was due."""
        # A peak that fades: half of it is forgotten after 34 calls.
        self._peak = min(max(delay, self._peak * _KEPT), _MOST)

    @property
    def seconds(self) -> float:
        """The margin now."""
        return self._least + _HEADROOM * self._peak
