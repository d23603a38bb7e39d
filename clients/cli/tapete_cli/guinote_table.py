"""A table of Guiñote in a terminal: names of seats, choices, scores."""

from tapete_cli.drawing import suit_name
from tapete_games.guinote.deal import Deal
from tapete_games.guinote.moves import format_move
from tapete_games.guinote.state import LAST_TEN, MINIMUM_MALAS, POINT, SING, SWAP, TUTE

__all__ = ["HELP", "ME", "name_of", "option_text", "result_lines", "score_line"]

ME = 0
"""Seat of the person."""

_NAMES = {2: ("You", "Rival"), 4: ("You", "Right", "Partner", "Left")}

HELP = """\
  A number plays the card above it, or makes the choice it stands before.
  So do the names of moves: 12E, sing O, swap, tute, pass.
  h asks for a hint, s shows the score, ? shows this, q quits.
  Cards: O oros, C copas, E espadas, B bastos; 1 as, 10 sota, 11 caballo,
  12 rey; * is a trump. From high to low: 1 3 12 10 11 7 6 5 4 2.
  Points: 1 = 11, 3 = 10, 12 = 4, 10 = 3, 11 = 2; the last trick 10 more.
  Only a card with a number may be played: once the stock is gone, follow
  suit, beat what lies there, or trump, if you can."""


def name_of(seat: int, players: int) -> str:
    """Returns what the person calls a seat."""
    return _NAMES[players][seat]


def option_text(move: int, deal: Deal) -> str:
    """Says what a move other than a card play does."""
    if SING <= move < SWAP:
        suit = move - SING
        return f"sing {suit_name(suit)}, {40 if suit == deal.state.trump else 20} points"
    if move == SWAP:
        given, gained = format_move(deal.state.swap_card), format_move(deal.state.muestra)
        return f"swap your {given} for the muestra, {gained}"
    return "announce a tute, which wins the point" if move == TUTE else "pass"


def score_line(deal: Deal) -> str:
    """Says how the deal and the coto stand."""
    mine, theirs = deal.points
    return (
        f"Points: you {mine}, they {theirs}. "
        f"Coto: you {deal.coto[0]}, they {deal.coto[1]}, to {deal.rules.points_per_coto}."
    )


def result_lines(deal: Deal) -> list[str]:
    """Says how a deal that is over ended, and why."""
    lines = [f"{who}: {_count(deal, side)}" for side, who in enumerate(("You", "They"))]
    lines.append(_verdict(deal))
    return lines


def _count(deal: Deal, side: int) -> str:
    sung = sum(40 if c.suit == deal.state.trump else 20 for c in deal.history.cantes if c.seat % 2 == side)
    parts = [f"{deal.state.card_points[side]} in cards"]
    if _is_complete(deal) and deal.state.latest_winner % 2 == side:
        parts.append(f"{LAST_TEN} for the last trick")
    if sung:
        parts.append(f"{sung} sung")
    if deal.vueltas:
        parts.insert(0, f"{deal.vueltas[side]} carried over")
    return f"{deal.points[side]} points ({', '.join(parts)})"


def _is_complete(deal: Deal) -> bool:
    return int(deal.state.tricks) * deal.players == 40


def _verdict(deal: Deal) -> str:
    mine, theirs = deal.points
    if deal.winner is None:
        return f"Neither side reaches {POINT}: vueltas, with {mine} to {theirs} carried over."
    who = "You win" if deal.winner == ME else "They win"
    return f"{who} the point: {_why(deal)}."


def _why(deal: Deal) -> str:
    seat = deal.history.tute_seat
    if seat is not None:
        return f"{'a tute of yours' if seat % 2 == ME else 'a tute of theirs'}"
    if deal.vueltas:
        return f"first at {POINT}"
    assert deal.winner is not None
    if min(deal.points) >= POINT:
        last = deal.state.latest_winner % 2
        if last == deal.winner and deal.state.card_points[1 - deal.winner] + LAST_TEN >= MINIMUM_MALAS:
            return f"both sides have {POINT}, and the last trick decides"
    if deal.points[deal.winner] < POINT or min(deal.points) >= POINT:
        return f"the other side has fewer than {MINIMUM_MALAS} points in cards"
    return f"{POINT} or more"
