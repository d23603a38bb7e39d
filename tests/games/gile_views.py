"""Views of Gilé from random deals, and changed ones."""

import random
from functools import cache

from tapete.v1 import GileView
from tapete_games.gile import Deal, shuffled_pack
from tests.games.gile_comparison import choose, random_table

__all__ = ["changed_view", "deals", "views"]


def deals(count: int, first: int = 0) -> list[Deal]:
    """Random deals, not begun."""
    found = []
    for seed in range(first, first + count):
        rules, stacks, dealer = random_table(random.Random(seed))
        found.append(Deal(rules, stacks, dealer, shuffled_pack(seed), seed))
    return found


def views(count: int, first: int = 0) -> list[GileView]:
    """Views of random moments of random deals."""
    found = []
    for seed, deal in enumerate(deals(count, first)):
        rng = random.Random(seed)
        mood = rng.choice(["quiet", "even"])
        while not deal.is_over:
            if rng.random() < 0.3:
                found.append(deal.view())
            deal.play(choose(deal, rng, mood))
    return found


@cache
def _true_views() -> list[GileView]:
    return views(60, 1_000)


def changed_view(number: int, changes: list[tuple[int, int]]) -> GileView:
    """Takes a true view and changes it: in each place a number, or an entry of a list out or doubled."""
    view = GileView()
    view.CopyFrom(_true_views()[number % len(_true_views())])
    for place, value in changes:
        change(view, place, value)
    return view


def change(message: object, place: int, value: int) -> None:
    """Changes one of the fields of a message, or of a message in it."""
    fields = message.ListFields()  # type: ignore[attr-defined]
    if not fields:
        return
    field, content = fields[place % len(fields)]
    rest = place // len(fields)
    if field.is_repeated:
        if rest % 3 == 0:
            del content[rest // 3 % len(content)]
        elif rest % 3 == 1 or field.message_type is None:
            content.append(content[rest // 3 % len(content)])
        else:
            change(content[rest // 3 % len(content)], rest // 3, value)
    elif field.message_type is not None:
        change(content, rest, value)
    else:
        setattr(message, field.name, bool(value & 1) if isinstance(content, bool) else value % 2**31)
