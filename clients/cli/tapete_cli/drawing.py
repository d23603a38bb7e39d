"""Cards drawn in a terminal."""

from collections.abc import Sequence

from rich.console import Console
from rich.text import Text

from tapete_cli.screen import is_utf
from tapete_games.cards import Card

__all__ = ["dash", "draw_hand", "suit_name"]

_SUITS = ("oros", "copas", "espadas", "bastos")
_COLOURS = ("yellow", "red", "blue", "green")
_ROUNDED = ("╭────╮", "│", "╰────╯")
_PLAIN = ("+----+", "|", "+----+")


def suit_name(suit: int) -> str:
    """Returns the name of a suit."""
    return _SUITS[suit]


def dash(console: Console) -> str:
    """Returns what lines across a console are drawn of."""
    return "─" if is_utf(console) else "-"


def draw_hand(
    console: Console, cards: Sequence[Card], labels: Sequence[str | None], star: int | None = None
) -> None:
    """Draws cards side by side, and below each its label.

    Args:
        console: Where to.
        cards: The cards.
        labels: What stands below each; a card with None is drawn faintly.
        star: Suit whose cards carry a star, as trumps do.
    """
    top, side, bottom = _ROUNDED if is_utf(console) else _PLAIN
    rows = [Text("  ") for _ in range(5)]
    for card, label in zip(cards, labels, strict=True):
        face = _COLOURS[card.suit] if label is not None else "dim"
        edge = "default" if label is not None else "dim"
        mark = "*" if card.suit == star else " "
        rows[0].append(top, edge)
        for row, text in ((rows[1], f"{card.rank:>3} "), (rows[2], f"{card.suit.letter:>3}{mark}")):
            row.append(side, edge).append(text, f"bold {face}" if label is not None else face).append(
                side, edge
            )
        rows[3].append(bottom, edge)
        rows[4].append((label or "").center(6), "bold")
        for row in rows:
            row.append(" ")
    for row in rows if any(labels) else rows[:4]:
        row.rstrip()
        console.print(row, no_wrap=True, overflow="ignore", crop=False)
