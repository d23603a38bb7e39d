"""How much of a deadline is kept back for replying.

Between the end of the thinking and the reply on the wire lie the rest of a bot's slice, the wake-up of
the event loop and the call's turn on it. All three grow with load, so they are measured at each answer.
A long deadline can spare more: a share of it is kept before anything was measured.
"""

__all__ = ["ReplyMargin"]

_KEPT = 0.98
_HEADROOM = 1.25
# A bot that ignores its deadline must not take the time of all others.
_MOST = 0.1
# Share of a call's time that is kept at least, and its limit in seconds.
_SHARE = 0.02
_SHARE_MOST = 0.1
# grpc's core rounds the time that it sends up: to 10 ms from 1 s on, to 100 ms from 10 s on, to 1 s from
# 100 s on. The deadline seen here is so much later, at most, than the caller's.
_ROUNDING = ((100.0, 1.0), (10.0, 0.1), (1.0, 0.01))
# A miss tells that the margin was too small, not by how much.
_AFTER_MISS = 2.0


class ReplyMargin:
    """The seconds between the thinking's deadline and the call's, from the delays of late."""

    def __init__(self, least: float) -> None:
        """Starts with nothing learnt; `least` seconds are kept whatever the time."""
        self._least = least
        self._peak = 0.0

    def observe(self, delay: float) -> None:
        """Takes in the seconds by which a reply came after the moment it was due."""
        # A peak that fades: half of it is forgotten after 34 calls.
        self._peak = min(max(delay, self._peak * _KEPT), _MOST)

    def miss(self, delay: float) -> None:
        """Takes in that a caller had to leave `delay` seconds after the end of the thinking."""
        self.observe(_AFTER_MISS * delay)

    def seconds(self, time: float) -> float:
        """The margin now, for a call that arrived `time` seconds (or infinity) before its deadline."""
        rounding = next((step for least, step in _ROUNDING if time >= least), 0.0)
        return max(self._least, min(_SHARE * time, _SHARE_MOST)) + rounding + _HEADROOM * self._peak
