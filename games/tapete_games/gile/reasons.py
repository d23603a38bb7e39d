"""Why a move is illegal, in words: from the engine's codes to reasons and sentences."""

import numpy as np

from tapete.v1 import ErrorReason
from tapete_games.gile import engine, state
from tapete_games.gile.moves import amount_of, format_cards, kind_of
from tapete_games.gile.state import DISCARD, MAX_RAISES, RAISE

__all__ = ["explain", "limits_allowing", "reason_of"]

_ACTION = ErrorReason.ERROR_REASON_ILLEGAL_ACTION
_CLOSED = ErrorReason.ERROR_REASON_WINDOW_CLOSED
_REASONS = {
    state.NOT_ASKED_TO_BET: _CLOSED,
    state.NOT_ASKED_TO_DISCARD: _CLOSED,
    state.NOT_HELD: ErrorReason.ERROR_REASON_CARD_NOT_HELD,
    state.DEAL_OVER: ErrorReason.ERROR_REASON_DEAL_OVER,
}
_SENTENCES = {
    state.NOT_ASKED_TO_BET: "discards are asked for, not a bet (L9)",
    state.NOT_ASKED_TO_DISCARD: "a bet is asked for, not discards (L9)",
    state.NOTHING_TO_FOLD_TO: "there is nothing to call: a seat that does not bet checks (L13)",
    state.NOTHING_TO_CALL: "there is nothing to call (L14)",
    state.NOTHING_TO_RAISE: "nobody has bet in this round: the first one bets (L14)",
    state.NOT_REOPENED: (
        "the seat has bet, called or raised already, and there was no full raise after it: it may call or "
        "fold (L15)"
    ),
    state.NOBODY_TO_ANSWER: "no other seat still in has the chips to answer a raise (L13)",
    state.RAISES_USED: f"with a fixed limit there are {MAX_RAISES} raises a round (L15)",
    state.DEAL_OVER: "the deal is over (L11, L12)",
}


def reason_of(code: int) -> "ErrorReason.ValueType":
    """Returns the machine-readable reason of an engine's code other than LEGAL."""
    return _REASONS.get(code, _ACTION)


def explain(code: int, s: np.record, hand: int, move: int) -> str:
    """Returns the clause that says why a move is illegal, with its numbers and the number of the rule.

    Args:
        code: The engine's code, other than LEGAL.
        s: STATE or VIEW before the move.
        hand: Cards in the hand of the seat in turn.
        move: The move.
    """
    if code in _SENTENCES:
        return _SENTENCES[code]
    to_call = s.level - s.staked[s.turn]
    if code == state.BET_TO_CALL:
        return f"there are {to_call} to call: call, raise or fold (L14)"
    if code == state.ALREADY_BET:
        return f"there is a bet to {s.level} already: a higher one is a raise (L14)"
    if code == state.NOT_HELD:
        return f"{format_cards(amount_of(move) & ~hand)} is not in the hand of the seat (L9)"
    total, all_in = amount_of(move), s.staked[s.turn] + s.chips[s.turn]
    if code == state.NOT_ENOUGH_CHIPS:
        most = f"{all_in} in this round at most (L6)"
        if total > all_in:
            return f"{total} is more than the seat has: {most}"
        return f"the seat cannot go above the {s.level} to call: it has {most}"
    least = engine.least_total(s)
    if code == state.TOO_SMALL:
        what = f"a raise by {s.step} to {least}" if kind_of(move) == RAISE else f"a bet of {least}"
        return f"{total} is below {what}, the least here short of all in (L14, L15)"
    return f"{total} is above {engine.greatest_total(s)}, the most that the limit allows here (L15)"


def limits_allowing(s: np.record, hand: int, move: int) -> list[str]:
    """Lists the limits under which an illegal bet or raise would be legal now, as `GILE_LIMIT_NONE`.

    Args:
        s: STATE or VIEW before the move; left as it is.
        hand: Cards in the hand of the seat in turn.
        move: The move.
    """
    if kind_of(move) == DISCARD:
        return []
    limit, step = int(s.limit), int(s.step)
    names = []
    try:
        # A fixed limit is left out: under it, other bets would have gone before.
        for other, name in ((state.LIMIT_NONE, "GILE_LIMIT_NONE"), (state.LIMIT_POT, "GILE_LIMIT_POT")):
            s.limit = other
            if not s.level:
                # The least bet of a fixed limit is doubled in the last round.
                s.step = s.minimum_bet
            if engine.why_illegal(s, hand, move) == state.LEGAL:
                names.append(name)
    finally:
        s.limit, s.step = limit, step
    return names
