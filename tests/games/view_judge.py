"""Judges views the slow way: builds a whole deal that explains a view, or finds that there is none.

Nothing here knows how `tapete_games.guinote.judge` works. The cards that a view shows are dealt to the seats
that need them, each in time for its first use; the hidden ones are matched to the hands that they do not
contradict; the naive oracle then plays the deal, trying every moment at which an announcement can be made.
"""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass
from itertools import permutations

from tapete.v1 import Card as WireCard
from tapete.v1 import GuinoteView
from tests.oracle.guinote import (
    Card,
    Deal,
    Move,
    Rules,
    full_pack,
    legal_cards,
    trick_winner,
)


@dataclass
class Story:
    """A view in the oracle's words."""

    rules: Rules
    players: int
    dealer: int
    seat: int
    muestra: Card
    hand: list[Card]
    tricks: list[tuple[int, list[Card]]]
    cantes: list[tuple[int, str, int]]
    swap: tuple[int, int, str] | None
    carried: tuple[int, int] | None
    decision: str

    @property
    def complete(self) -> int:
        """Number of complete tricks."""
        return sum(len(cards) == self.players for _, cards in self.tricks)

    @property
    def rounds(self) -> int:
        """Number of rounds of drawing in the whole deal (G4)."""
        return 4 if self.players == 4 else 14

    @property
    def drawn(self) -> int:
        """Number of rounds of drawing before the moment of the view."""
        before = self.decision == "SWAP" and self.is_between_tricks and self.complete <= self.rounds
        return min(self.complete, self.rounds) - (1 if before else 0)

    @property
    def is_between_tricks(self) -> bool:
        return bool(self.tricks) and len(self.tricks[-1][1]) == self.players

    @property
    def swap_card(self) -> Card:
        """The card that may be swapped (G16)."""
        return Card(2 if self.muestra.rank == 7 else 7, self.muestra.suit)

    def plays(self) -> Iterator[tuple[int, int, list[Card], int, Card]]:
        """Lists the plays: number of the trick, leader, the table before, seat, card."""
        for number, (leader, cards) in enumerate(self.tricks):
            for i, card in enumerate(cards):
                yield number, leader, cards[:i], (leader + i) % self.players, card

    def winner(self, number: int) -> int:
        """Tells the winner of a complete trick."""
        leader, cards = self.tricks[number]
        return trick_winner(cards, leader, self.players, self.muestra.suit)


def read_story(view: GuinoteView) -> Story | None:
    """Reads a view whose numbers are all in range; None if its lists are not even of possible lengths."""
    story = Story(
        rules=Rules(
            partner_relief=view.rules.partner_relief,
            swap_after_latest_trick_only=view.rules.swap_after_latest_trick_only,
            cante_per_member=view.rules.cante_per_member,
            no_tute=view.rules.no_tute,
        ),
        players=view.players,
        dealer=view.dealer,
        seat=view.seat,
        muestra=_card(view.muestra),
        hand=[_card(card) for card in view.hand],
        tricks=[(trick.leader, [_card(card) for card in trick.cards]) for trick in view.tricks],
        cantes=[(cante.seat, "?OCEB"[cante.suit], cante.after_tricks) for cante in view.cantes],
        swap=(view.swap.seat, view.swap.after_tricks, "?ab"[view.swap.window])
        if view.HasField("swap")
        else None,
        carried=(view.vueltas.even_side, view.vueltas.odd_side) if view.HasField("vueltas") else None,
        decision=("?", "SWAP", "DECLARE", "PLAY")[view.decision],
    )
    sizes = [len(cards) for _, cards in story.tricks]
    if len(set(story.hand)) != len(story.hand):
        return None
    if len(sizes) > 40 // story.players or any(size != story.players for size in sizes[:-1]):
        return None
    return None if sizes and not 1 <= sizes[-1] <= story.players else story


def _card(card: WireCard) -> Card:
    return Card(card.rank, "?OCEB"[card.suit])


def is_explained(view: GuinoteView) -> bool:
    """Tells whether some deal of the hidden cards explains the view."""
    story = read_story(view)
    if story is None:
        return False
    pack = deal_for(story)
    return pack is not None and can_happen(story, pack)


# --- a deal for the story -------------------------------------------------------------------------


def needs(story: Story) -> list[dict[Card, int]] | None:
    """Says which cards each seat must get, and by which round of drawing; None if two must have the same."""
    wanted: list[dict[Card, int]] = [{} for _ in range(story.players)]
    swapped_by = story.swap[0] if story.swap else None
    left_under = story.swap_card if story.swap else story.muestra
    last_drawer = None
    if story.drawn == story.rounds:
        last_drawer = (story.winner(story.rounds - 1) + story.players - 1) % story.players

    def want(seat: int, card: Card, by: int) -> None:
        if card == story.muestra and seat == swapped_by:
            return
        if card == left_under and seat == last_drawer:
            return
        wanted[seat][card] = min(by, wanted[seat].get(card, by), story.rounds)

    for number, _, _, seat, card in story.plays():
        want(seat, card, number)
    for seat, suit, after in story.cantes:
        for rank in (10, 12):
            want(seat, Card(rank, suit), after)
    for card in story.hand:
        want(story.seat, card, story.drawn)
    if story.swap:
        seat, after, window = story.swap
        by = after - 1 if window == "a" else after
        wanted[seat][story.swap_card] = min(by, wanted[seat].get(story.swap_card, by), story.rounds)
    cards = [card for seat in wanted for card in seat]
    if len(set(cards)) != len(cards) or story.muestra in cards:
        return None
    return wanted


def deal_for(story: Story) -> list[Card] | None:
    """Builds a pack, in dealing order, that gives every seat in time what it needs; None if none does."""
    wanted = needs(story)
    if wanted is None:
        return None
    n, drawn = story.players, story.drawn
    last_drawer = None
    if drawn == story.rounds:
        last_drawer = (story.winner(story.rounds - 1) + n - 1) % n
    # Each seat's places: six dealt (round 0), then one a round; the last card of all is the muestra.
    times = [
        [0] * 6 + [r for r in range(1, drawn + 1) if (q, r) != (last_drawer, story.rounds)] for q in range(n)
    ]
    places: list[list[Card | None]] = [[None] * len(times[q]) for q in range(n)]
    for q in range(n):
        due = sorted(wanted[q].items(), key=lambda item: item[1])
        if len(due) > len(times[q]):
            return None
        for place, (card, by) in enumerate(due):
            if times[q][place] > by:
                return None
            places[q][place] = card
    used = {card for seat in places for card in seat if card} | {story.muestra}
    hidden = [card for card in full_pack() if card not in used]
    holes = [(q, place) for q in range(n) for place, card in enumerate(places[q]) if card is None]
    filling = match(holes, hidden, story)
    if filling is None:
        return None
    for (q, place), card in filling.items():
        places[q][place] = card
    rest = [card for card in hidden if card not in filling.values()]
    return assemble(story, places, rest)


def match(
    holes: list[tuple[int, int]], hidden: list[Card], story: Story
) -> dict[tuple[int, int], Card] | None:
    """Gives each hole a hidden card that its seat's plays in arrastre allow, by augmenting paths."""
    fits = {seat: [card for card in hidden if can_have_kept(story, seat, card)] for seat, _ in holes}
    owner: dict[Card, tuple[int, int]] = {}

    def place(hole: tuple[int, int], tried: set[Card]) -> bool:
        for card in fits[hole[0]]:
            if card not in tried:
                tried.add(card)
                if card not in owner or place(owner[card], tried):
                    owner[card] = hole
                    return True
        return False

    if not all(place(hole, set()) for hole in holes):
        return None
    return {hole: card for card, hole in owner.items()}


def can_have_kept(story: Story, seat: int, kept: Card) -> bool:
    """Tells whether what a seat played allows a card to have been in its hand all through the arrastre."""
    for number, leader, table, player, card in story.plays():
        if player == seat and number >= story.rounds:
            hand = {card, kept}
            if card not in legal_cards(
                hand, table, leader, story.muestra.suit, True, story.rules, story.players
            ):
                return False
    return True


def assemble(story: Story, places: list[list[Card | None]], rest: list[Card]) -> list[Card]:
    """Puts the seats' cards in the order in which they are dealt and drawn, and `rest` after them."""
    n = story.players
    mano = (story.dealer + 1) % n
    order = [(mano + i) % n for i in range(n)]
    pack: list[Card | None] = []
    for half in (0, 3):
        for q in order:
            pack += places[q][half : half + 3]
    pack.append(story.muestra)
    for r in range(1, story.drawn + 1):
        winner = story.winner(r - 1)
        for i in range(n):
            q = (winner + i) % n
            if 5 + r < len(places[q]):
                pack.append(places[q][5 + r])
    cards = [card for card in pack if card is not None]
    assert len(cards) == len(pack)
    return cards + rest


# --- the story told by the oracle ----------------------------------------------------------------


def can_happen(story: Story, pack: list[Card]) -> bool:
    """Tells whether the oracle, dealt this pack, can come to the moment of the story in some way."""
    deal = Deal(story.rules, story.players, story.dealer, pack, story.carried)
    return _can_go_on(story, deal, None, deal.hands)


def _can_go_on(story: Story, deal: Deal, latest: Move | None, hands_before: list[set[Card]]) -> bool:
    """Tells whether the oracle stands at the moment of the story, or can come to it from here."""
    while True:
        played = sum(len(cards) for _, cards in deal.tricks) + len(deal.table)
        is_told = played == sum(len(cards) for _, cards in story.tricks)
        if is_told and _is_the_moment(story, deal, latest, hands_before):
            return True
        moves = _continuations(story, deal, played)
        if len(moves) != 1:
            break
        latest, hands_before = moves[0], deepcopy(deal.hands)
        deal.apply(latest)
    for move in moves:
        branch = deepcopy(deal)
        branch.apply(move)
        if _can_go_on(story, branch, move, deal.hands):
            return True
    return False


def _continuations(story: Story, deal: Deal, played: int) -> list[Move]:
    """Lists what the story can do next: what it tells of the seat asked, or a pass."""
    legal, seat, done = deal.legal_moves(), deal.asked, len(deal.tricks)
    moves: list[Move] = []
    if seat is None:
        return moves
    window = "a" if deal.decision == "SWAP" else "b"
    if story.swap == (seat, done, window) and deal.swap is None:
        moves.append(("swap",))
    sung = len(deal.cantes)
    if sung < len(story.cantes) and story.cantes[sung][::2] == (seat, done):
        moves.append(("sing", story.cantes[sung][1]))
    moves.append(("pass",))
    plays = list(story.plays())
    if played < len(plays):
        number, _, _, player, card = plays[played]
        if (number, player) == (done, seat):
            moves.append(("play", card))
    return [move for move in moves if move in legal]


def _is_the_moment(story: Story, deal: Deal, latest: Move | None, hands_before: list[set[Card]]) -> bool:
    """Tells whether the oracle stands where the view says that it was asked."""
    if deal.decision == "OVER" or deal.cantes != story.cantes or deal.swap != story.swap:
        return False
    hand = deal.hands[story.seat]
    if story.decision == "PLAY":
        return deal.decision == "PLAY" and deal.asked == story.seat and hand == set(story.hand)
    if deal.table or not deal.tricks:
        return False
    if story.decision == "DECLARE":
        return deal.decision != "SWAP" and hand == set(story.hand)
    # The oracle draws at once where nobody may swap, or after the swap: look at the hands before that.
    if len(deal.tricks) > story.rounds or any(after == len(deal.tricks) for _, _, after in story.cantes):
        return False
    if story.swap and story.swap[1:] == (len(deal.tricks), "b"):
        return False
    hand = set(hands_before[story.seat])
    if latest == ("swap",) and story.swap and story.swap[0] == story.seat:
        hand = hand - {story.swap_card} | {story.muestra}
    elif latest and latest[0] == "play" and latest[1] in hand:
        hand.remove(Card(*latest[1]))
    return latest is not None and latest[0] in {"play", "swap"} and hand == set(story.hand)


# --- the same by brute force -----------------------------------------------------------------------


def hidden_hands(story: Story) -> tuple[dict[int, int], list[Card]]:
    """Returns, in arrastre, the room for hidden cards in each other hand, and the hidden cards."""
    played = {card for _, _, _, _, card in story.plays()}
    shown: list[set[Card]] = [set() for _ in range(story.players)]
    for seat, suit, _ in story.cantes:
        shown[seat] |= {Card(10, suit), Card(12, suit)}
    if story.swap:
        shown[story.swap[0]].add(story.muestra)
    last_drawer = (story.winner(story.rounds - 1) + story.players - 1) % story.players
    shown[last_drawer].add(story.swap_card if story.swap else story.muestra)
    seen = played.union(story.hand, *shown)
    room = {}
    for seat in range(story.players):
        plays = sum(player == seat and number >= story.rounds for number, _, _, player, _ in story.plays())
        if seat != story.seat:
            room[seat] = 6 - plays - len(shown[seat] - played)
    return room, [card for card in full_pack() if card not in seen]


def can_hide(story: Story) -> bool:
    """Tells whether the hidden cards of a small ending fit the other hands, by trying every way."""
    room, hidden = hidden_hands(story)
    places = [seat for seat, size in room.items() for _ in range(size)]
    assert len(places) == len(hidden)
    fits = {(seat, card) for seat in room for card in hidden if can_have_kept(story, seat, card)}
    return any(
        all(pair in fits for pair in zip(places, cards, strict=True)) for cards in permutations(hidden)
    )
