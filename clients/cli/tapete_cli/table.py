"""The table in a terminal: hands, names of seats, scores."""

from collections.abc import Sequence

from rich.console import Console
from rich.text import Text

from tapete_cli.screen import is_utf
from tapete_games.guinote.deal import Deal
from tapete_games.guinote.moves import card_of, format_move
from tapete_games.guinote.state import LAST_TEN, MINIMUM_MALAS, POINT, SING, SWAP, TUTE

__all__ = ["HELP", "draw_hand", "name_of", "option_text", "result_lines", "score_line", "suit_name"]

ME = 0
"""Seat of the person."""

_NAMES = {2: ("You", "Rival"), 4: ("You", "Right", "Partner", "Left")}
_SUITS = ("oros", "copas", "espadas", "bastos")
_COLOURS = ("yellow", "red", "blue", "green")
_ROUNDED = ("╭────╮", "│", "╰────╯")
_PLAIN = ("+----+", "|", "+----+")

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


def suit_name(suit: int) -> str:
    """Returns the name of a suit."""
    return _SUITS[suit]


def draw_hand(console: Console, cards: Sequence[int], numbers: dict[int, int], trump: int) -> None:
    """Draws cards side by side, and below each its number.

    Args:
        console: Where to.
        cards: Codes of the cards.
        numbers: Number of each card that may be played; the others are drawn faintly and without one.
        trump: Suit of trumps, whose cards carry a star.
    """
    top, side, bottom = _ROUNDED if is_utf(console) else _PLAIN
    rows = [Text("  ") for _ in range(5)]
    for code in cards:
        card = card_of(code)
        face = _COLOURS[card.suit] if code in numbers else "dim"
        edge = "default" if code in numbers else "dim"
        star = "*" if card.suit == trump else " "
        number = str(numbers.get(code, ""))
        rows[0].append(top, edge)
        for row, text in ((rows[1], f"{card.rank:>3} "), (rows[2], f"{card.suit.letter:>3}{star}")):
            row.append(side, edge).append(text, f"bold {face}" if code in numbers else face).append(
                side, edge
            )
        rows[3].append(bottom, edge)
        rows[4].append(number.center(6), "bold")
        for row in rows:
            row.append(" ")
    for row in rows if numbers else rows[:4]:
        row.rstrip()
        console.print(row, no_wrap=True, overflow="ignore", crop=False)


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
