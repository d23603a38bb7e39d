"""Views of biased deals, and small random changes to them: most become impossible, some stay possible."""

import random
from collections.abc import Iterator

from tapete.v1 import Card, GuinoteDecision, GuinoteSwapWindow, GuinoteView, Suit
from tapete_games.guinote.state import DECIDE_PLAY
from tapete_games.guinote.view import WIRE_CARDS
from tests.games.guinote_biased import scenario

DECISIONS = [GuinoteDecision.ValueType(number) for number in (1, 2, 3)]
WINDOWS = [GuinoteSwapWindow.ValueType(number) for number in (1, 2)]
SUITS = [Suit.ValueType(number) for number in (1, 2, 3, 4)]
SWITCHES = ("partner_relief", "swap_after_latest_trick_only", "cante_per_member", "no_tute")


def views_of(seed: int, chance: float = 1.0) -> Iterator[GuinoteView]:
    """Plays the deal of a seed and lists its views: of any seat in the windows, else of the seat in turn."""
    rng = random.Random(~seed)
    play = scenario(seed)
    deal = play.deal
    while not deal.is_over:
        if rng.random() < chance:
            yield deal.view(None if deal.decision == DECIDE_PLAY else rng.randrange(deal.players))
        deal.play(play.choose(rng))


def mutate(view: GuinoteView, rng: random.Random) -> GuinoteView:
    """Makes a copy of a view with one or two changes; all numbers stay in range, not all lists."""
    mutant = GuinoteView()
    mutant.CopyFrom(view)
    for _ in range(rng.choice((1, 1, 1, 2))):
        rng.choice(MUTATIONS)(mutant, rng)
    return mutant


def _cards(view: GuinoteView) -> list[Card]:
    return [*(card for trick in view.tricks for card in trick.cards), *view.hand]


def _exchange_cards(view: GuinoteView, rng: random.Random) -> None:
    cards = _cards(view)
    one, two = rng.choice(cards), rng.choice(cards)
    kept = Card(suit=one.suit, rank=one.rank)
    one.CopyFrom(two)
    two.CopyFrom(kept)


def _exchange_late_cards(view: GuinoteView, rng: random.Random) -> None:
    late = [card for trick in view.tricks[-4:] for card in trick.cards]
    if len(late) > 1:
        one, two = rng.sample(late, 2)
        kept = Card(suit=one.suit, rank=one.rank)
        one.CopyFrom(two)
        two.CopyFrom(kept)


def _change_card(view: GuinoteView, rng: random.Random) -> None:
    rng.choice(_cards(view)).CopyFrom(rng.choice(WIRE_CARDS))


def _reveal_hidden_card(view: GuinoteView, rng: random.Random) -> None:
    seen = {(card.suit, card.rank) for card in [*_cards(view), view.muestra]}
    hidden = [card for card in WIRE_CARDS if (card.suit, card.rank) not in seen]
    if hidden:
        rng.choice(_cards(view)).CopyFrom(rng.choice(hidden))


def show_voids(view: GuinoteView, rng: random.Random) -> None:
    """Lets other seats fail to follow in a late trick, with hidden cards that do not win it."""
    if not view.tricks:
        return
    trick = rng.choice(view.tricks[-4:])
    led, trump = trick.cards[0].suit, view.muestra.suit
    for i, card in enumerate(trick.cards):
        if i == 0 or (trick.leader + i) % view.players == view.seat or rng.random() < 0.3:
            continue
        seen = {(card.suit, card.rank) for card in [*_cards(view), view.muestra]}
        hidden = [other for other in WIRE_CARDS if (other.suit, other.rank) not in seen]
        losing = [other for other in hidden if other.suit not in (led, trump)]
        if losing and card.rank not in (1, 3):
            card.CopyFrom(rng.choice(losing))


def _change_muestra(view: GuinoteView, rng: random.Random) -> None:
    view.muestra.CopyFrom(rng.choice(WIRE_CARDS))


def _change_leader(view: GuinoteView, rng: random.Random) -> None:
    if view.tricks:
        rng.choice(view.tricks).leader = rng.randrange(view.players)


def _change_seat(view: GuinoteView, rng: random.Random) -> None:
    view.seat = rng.randrange(view.players)


def _change_dealer(view: GuinoteView, rng: random.Random) -> None:
    view.dealer = rng.randrange(view.players)


def _change_decision(view: GuinoteView, rng: random.Random) -> None:
    view.decision = rng.choice(DECISIONS)


def _change_rules(view: GuinoteView, rng: random.Random) -> None:
    switch = rng.choice(SWITCHES)
    setattr(view.rules, switch, not getattr(view.rules, switch))


def _change_cante(view: GuinoteView, rng: random.Random) -> None:
    if view.cantes:
        cante = rng.choice(view.cantes)
        match rng.randrange(3):
            case 0:
                cante.seat = rng.randrange(view.players)
            case 1:
                cante.suit = rng.choice(SUITS)
            case _:
                cante.after_tricks = max(1, cante.after_tricks + rng.choice((-1, 1)))


def _add_cante(view: GuinoteView, rng: random.Random) -> None:
    after = rng.randint(1, max(len(view.tricks), 1))
    place = sum(cante.after_tricks <= after for cante in view.cantes)
    others = list(view.cantes)
    del view.cantes[:]
    view.cantes.extend(others[:place])
    view.cantes.add(seat=rng.randrange(view.players), suit=rng.choice(SUITS), after_tricks=after)
    view.cantes.extend(others[place:])
    del view.cantes[4:]


def _add_cante_of_own(view: GuinoteView, rng: random.Random) -> None:
    """Adds a cante of some card seen lately, by the seat that may have it: more often possible."""
    cards = [card for card in _cards(view)[-10:] if card.rank in (10, 12)]
    if cards and view.tricks and len(view.cantes) < 4:
        seat = rng.choice((view.seat, (view.seat + 2) % view.players))
        view.cantes.add(seat=seat, suit=rng.choice(cards).suit, after_tricks=len(view.tricks))


def _remove_cante(view: GuinoteView, rng: random.Random) -> None:
    if view.cantes:
        del view.cantes[rng.randrange(len(view.cantes))]


def _reorder_cantes(view: GuinoteView, rng: random.Random) -> None:
    others = list(view.cantes)
    rng.shuffle(others)
    del view.cantes[:]
    view.cantes.extend(others)


def _change_swap(view: GuinoteView, rng: random.Random) -> None:
    if view.HasField("swap"):
        match rng.randrange(4):
            case 0:
                view.swap.seat = rng.randrange(view.players)
            case 1:
                view.swap.after_tricks = max(1, view.swap.after_tricks + rng.choice((-1, 1)))
            case 2:
                view.swap.window = rng.choice(WINDOWS)
            case _:
                view.ClearField("swap")


def _add_swap(view: GuinoteView, rng: random.Random) -> None:
    view.swap.seat = rng.randrange(view.players)
    view.swap.after_tricks = rng.randint(1, max(1, min(len(view.tricks), 4 if view.players == 4 else 14)))
    view.swap.window = rng.choice(WINDOWS)


def _remove_latest_card(view: GuinoteView, rng: random.Random) -> None:
    if view.tricks:
        del view.tricks[-1].cards[-1:]
        if not view.tricks[-1].cards:
            del view.tricks[-1]


def _play_on(view: GuinoteView, rng: random.Random) -> None:
    """Plays a card of the hand, or a hidden one, and asks the next seat."""
    card = rng.choice([*view.hand, *WIRE_CARDS])
    if view.tricks and len(view.tricks[-1].cards) < view.players:
        view.tricks[-1].cards.append(card)
    else:
        view.tricks.add(leader=view.seat, cards=[card])


def _change_hand(view: GuinoteView, rng: random.Random) -> None:
    if view.hand and rng.random() < 0.5:
        del view.hand[rng.randrange(len(view.hand))]
    else:
        view.hand.append(rng.choice(WIRE_CARDS))


def _change_score(view: GuinoteView, rng: random.Random) -> None:
    if view.HasField("vueltas") and rng.random() < 0.5:
        view.ClearField("vueltas")
    else:
        total = rng.choice((130, 150, 170, 190))
        view.vueltas.even_side = rng.randint(total - 100, 100)
        view.vueltas.odd_side = total - view.vueltas.even_side


MUTATIONS = (
    _exchange_cards,
    _exchange_late_cards,
    _exchange_late_cards,
    _change_card,
    _reveal_hidden_card,
    _reveal_hidden_card,
    show_voids,
    show_voids,
    show_voids,
    _change_muestra,
    _change_leader,
    _change_seat,
    _change_dealer,
    _change_decision,
    _change_rules,
    _change_cante,
    _change_cante,
    _add_cante,
    _add_cante_of_own,
    _remove_cante,
    _reorder_cantes,
    _change_swap,
    _change_swap,
    _add_swap,
    _remove_latest_card,
    _play_on,
    _change_hand,
    _change_score,
)
