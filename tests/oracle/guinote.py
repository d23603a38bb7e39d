"""Plays Guiñote slowly and plainly, straight from the rules page: the twin that the kernel is compared with.

Rule numbers (G1 to G27) are those of the rules page. Cards are `(printed rank, suit letter)`, hands are sets,
and nothing is remembered that can be worked out again. The module imports nothing of the project.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, TypeAlias

SUITS = ("O", "C", "E", "B")
STRENGTH_HIGH_TO_LOW = (1, 3, 12, 10, 11, 7, 6, 5, 4, 2)  # printed ranks (G1): the sota beats the caballo
POINTS_BY_RANK = {1: 11, 3: 10, 12: 4, 10: 3, 11: 2, 7: 0, 6: 0, 5: 0, 4: 0, 2: 0}  # G1
REY, SOTA = 12, 10
POINTS_TO_WIN = 101


class Card(NamedTuple):
    """A card by its printed rank and suit letter (G1); equal to the bare tuple."""

    rank: int
    suit: str


Move: TypeAlias = tuple[str | Card, ...]
"""`("play", card)`, `("sing", suit)`, `("swap",)`, `("tute",)` or `("pass",)`."""
Carried: TypeAlias = tuple[int, int]
Decision: TypeAlias = Literal["SWAP", "DECLARE", "PLAY", "OVER"]


@dataclass(frozen=True)
class Rules:
    """The switches and settings of the rules page, at their defaults."""

    fixed_rotation: bool = False  # G5: dealer+1 deals next
    partner_relief: bool = False  # G14: no duty to beat or to trump a partner who is winning
    swap_after_latest_trick_only: bool = False  # G16: any trick of the side will not do
    cante_per_member: bool = False  # G20: a trick won gives each member of the side one
    no_tute: bool = False  # G22
    malas: Literal["THIRTY", "OFF", "CARDS_ONLY_LOSES"] = "THIRTY"  # G24
    points_per_coto: int = 3  # G26


def parse_card(text: str) -> Card:
    """Reads a card such as `12E` (G1).

    >>> parse_card("12E")
    Card(rank=12, suit='E')
    """
    if text[:-1] not in [str(rank) for rank in POINTS_BY_RANK] or text[-1:] not in SUITS:
        raise ValueError(f"{text!r} is not a card: write a rank (1-7, 10-12) and a suit (O, C, E, B).")
    return Card(int(text[:-1]), text[-1])


def format_card(card: Card) -> str:
    """Writes a card as `parse_card` reads it."""
    return f"{card[0]}{card[1]}"


def format_move(move: Move) -> str:
    """Writes a move for a message, such as `play 12E`."""
    return " ".join(format_card(part) if isinstance(part, Card) else str(part) for part in move)


def full_pack() -> list[Card]:
    """Lists the 40 cards (G1), by suit and from the strongest down."""
    return [Card(rank, suit) for suit in SUITS for rank in STRENGTH_HIGH_TO_LOW]


def side_of(seat: int) -> int:
    """Tells the side of a seat (G2): {0,2} against {1,3}, or 0 against 1."""
    return seat % 2


def beats(card: Card, other: Card, trump: str) -> bool:
    """Tells whether `card`, played later, takes the trick from `other`, the best card until then (G6)."""
    if card.suit == other.suit:
        return STRENGTH_HIGH_TO_LOW.index(card.rank) < STRENGTH_HIGH_TO_LOW.index(other.rank)
    return card.suit == trump


def winning_card(cards: Sequence[Card], trump: str) -> Card:
    """Finds the card that is winning a trick, complete or not (G6)."""
    best = cards[0]
    for card in cards[1:]:
        if beats(card, best, trump):
            best = card
    return best


def trick_winner(cards: Sequence[Card], leader: int, players: int, trump: str) -> int:
    """Tells the seat that is winning a trick (G6), its cards given in the order played."""
    return (leader + list(cards).index(winning_card(cards, trump))) % players


def trick_points(cards: Iterable[Card]) -> int:
    """Adds up the points of the cards (G1), without the last ten."""
    return sum(POINTS_BY_RANK[card.rank] for card in cards)


def legal_cards(
    hand: set[Card], table: list[Card], leader: int, trump: str, arrastre: bool, rules: Rules, players: int
) -> set[Card]:
    """Lists the cards of `hand` that may be played on `table`, led by `leader` (G7, G10 to G15)."""
    # G7: anything while the stock lasts. G15: the leader may play any card.
    if not arrastre or not table:
        return set(hand)
    best = winning_card(table, trump)
    followers = {card for card in hand if card.suit == table[0].suit}
    # G14, switch: only with four players has anybody a partner.
    seat = (leader + len(table)) % players
    is_partner_winning = side_of(trick_winner(table, leader, players, trump)) == side_of(seat)
    if rules.partner_relief and is_partner_winning:
        return followers or set(hand)
    if followers:
        # G10, and G11 by itself: no card of a plain suit beats a trump, so any follower will do then.
        return {card for card in followers if beats(card, best, trump)} or followers
    # G12: a void hand can beat what lies there with a trump only. G13: without a useful one it is free.
    return {card for card in hand if beats(card, best, trump)} or set(hand)


def first_deal_winner(
    points: Sequence[int], card_points: Sequence[int], last_ten: Sequence[int], final_side: int, malas: str
) -> int | None:
    """Tells the side that wins the point at the end of its first deal (G24), or None for vueltas.

    `points` holds everything each side has, `card_points` cards alone, `last_ten` 10 for `final_side`, which
    won the final trick, and 0 for the other.
    """
    reached = [side for side in (0, 1) if points[side] >= POINTS_TO_WIN]
    if malas == "CARDS_ONLY_LOSES":
        for side in reached:
            if card_points[side] < 30:
                return 1 - side
    minimum = 30 if malas == "THIRTY" else 0
    qualified = [side for side in reached if card_points[side] + last_ten[side] >= minimum]
    if len(qualified) == 2:
        return final_side
    return qualified[0] if qualified else None


class Deal:
    """One distribution of cards and its play to the end; every attribute without underscore may be read."""

    def __init__(
        self, rules: Rules, players: int, dealer: int, pack: list[Card], carried: Carried | None = None
    ) -> None:
        """Deals the pack of 40 cards, given in dealing order.

        That order: three cards to each seat from the mano (dealer+1) on, three more to each (G3), the muestra
        (G4), then the stock, next to draw first. `carried` is what each side brings into a deal of vueltas;
        None in a point's first deal.
        """
        cards = [Card(*card) for card in pack]
        if players not in (2, 4) or not 0 <= dealer < players:
            raise ValueError(f"{players} players with dealer {dealer}: 2 or 4 play, and one of them deals.")
        if len(cards) != 40 or set(cards) != set(full_pack()):
            raise ValueError("The pack must hold each of the 40 cards once.")
        self.rules, self.players, self.dealer = rules, players, dealer
        self.is_vueltas = carried is not None
        self.carried = list(carried or (0, 0))
        mano = (dealer + 1) % players
        self.hands: list[set[Card]] = [set() for _ in range(players)]
        for seat in self._seats_from(mano) * 2:
            self.hands[seat].update(cards[:3])
            cards = cards[3:]
        self.turned_up = cards[0]
        self.muestra: Card | None = self.turned_up  # the card now under the stock, None once drawn
        self.muestra_drawn_by: int | None = None
        self.stock = cards[1:]  # without the muestra, next to draw first
        self.trump = self.turned_up.suit
        # G16: the 2 stands in when the 7 itself is turned up.
        self.swap_card = Card(2 if self.turned_up.rank == 7 else 7, self.trump)

        self.leader = mano  # of the trick on the table, or of the next one
        self.table: list[Card] = []  # the trick under way, in the order played
        self.tricks: list[tuple[int, list[Card]]] = []  # complete ones: leader, cards in the order played
        self.cantes: list[tuple[int, str, int]] = []  # seat, suit, number of tricks complete
        self.swap: tuple[int, int, str] | None = None  # seat, number of tricks complete, window (G17)
        self.tute: tuple[int, int] | None = None  # seat, number of tricks complete
        self.card_points, self.last_ten, self.tricks_won = [0, 0], [0, 0], [0, 0]
        self.latest_winner: int | None = None
        self.decision: Decision = "PLAY"
        self.asked: int | None = mano
        self._to_declare: list[int] = []
        self._winner: int | None = None

    @property
    def points(self) -> list[int]:
        """Each side's points: carried, cards, last ten and cantes."""
        totals = [self.carried[side] + self.card_points[side] + self.last_ten[side] for side in (0, 1)]
        for seat, suit, _ in self.cantes:
            totals[side_of(seat)] += 40 if suit == self.trump else 20  # G19
        return totals

    def winner(self) -> int | None:
        """Tells the side that won the point, or None when the deal ended without (vueltas)."""
        if self.decision != "OVER":
            raise ValueError(f"The deal is not over: seat {self.asked} is asked to {self.decision}.")
        return self._winner

    def next_dealer(self) -> int:
        """Tells who deals next (G5)."""
        if self.decision != "OVER" or self.latest_winner is None:
            raise ValueError("Nobody deals next before the deal is over.")
        return (self.dealer + 1) % self.players if self.rules.fixed_rotation else self.latest_winner

    def legal_moves(self) -> set[Move]:
        """Lists the moves of the seat asked; none once the deal is over."""
        if self.asked is None:
            return set()
        if self.decision == "SWAP":
            return {("swap",), ("pass",)}
        if self.decision == "DECLARE":
            return self._announcements(self.asked) | {("pass",)}
        # G7: the stock lasts for as long as the muestra lies under it.
        hand, arrastre = self.hands[self.asked], self.muestra is None
        cards = legal_cards(hand, self.table, self.leader, self.trump, arrastre, self.rules, self.players)
        moves: set[Move] = {("play", card) for card in cards}
        if self._may_swap(self.asked):
            moves.add(("swap",))
        return moves | self._announcements(self.asked)

    def apply(self, move: Move) -> None:
        """Makes a move of the seat asked; refuses an illegal one with a ValueError and no change (G27)."""
        chosen = [legal for legal in self.legal_moves() if legal == move]
        if not chosen or self.asked is None:
            raise ValueError(self._refusal(move))
        match chosen[0]:
            case ("play", Card() as card):
                self._play(self.asked, card)
            case ("sing", str() as suit):
                self._sing(self.asked, suit)
            case ("swap",):
                self._swap(self.asked)
            case ("tute",):
                # G22: the point is won at once, in vueltas or not.
                self.tute = (self.asked, len(self.tricks))
                self._end(side_of(self.asked))
            case _ if self.decision == "SWAP":
                self._draw_and_ask()
            case _:
                self._to_declare.pop(0)
                self._ask_declarations()

    def _seats_from(self, first: int) -> list[int]:
        return [(first + step) % self.players for step in range(self.players)]

    def _refusal(self, move: Move) -> str:
        if self.asked is None:
            return f"{format_move(move)} is not legal: the deal is over."
        legal = ", ".join(sorted(format_move(legal) for legal in self.legal_moves()))
        return f"{format_move(move)} is not legal for seat {self.asked} at {self.decision}; legal: {legal}."

    def _may_swap(self, seat: int) -> bool:
        # G16: one swap a deal, with the muestra under the stock, by the holder of the right card...
        if self.swap is not None or self.muestra is None or self.swap_card not in self.hands[seat]:
            return False
        # ...whose side has won a trick of this deal, or with the switch the latest one.
        if self.rules.swap_after_latest_trick_only:
            return self.latest_winner is not None and side_of(self.latest_winner) == side_of(seat)
        return self.tricks_won[side_of(seat)] > 0

    def _announcements(self, seat: int) -> set[Move]:
        """Lists the cantes and the tute that `seat` may announce now (G19 to G22)."""
        moves: set[Move] = set()
        hand = self.hands[seat]
        # G21: not before the first trick, during one or after the last. G19, G22: its side won that trick.
        if self.latest_winner is None or self.table or not hand:
            return moves
        if side_of(self.latest_winner) != side_of(seat):
            return moves
        sung = [suit for _, suit, _ in self.cantes]
        if not self._has_used_cante(seat):
            # G19: both cards in this hand, each suit once a deal.
            for suit in SUITS:
                if Card(REY, suit) in hand and Card(SOTA, suit) in hand and suit not in sung:
                    moves.add(("sing", suit))
        for rank in (REY, SOTA):
            if not self.rules.no_tute and all(Card(rank, suit) in hand for suit in SUITS):
                moves.add(("tute",))
        return moves

    def _has_used_cante(self, seat: int) -> bool:
        # G20: one a side for the trick just won; with the switch one for each member.
        singers = [singer for singer, _, after_tricks in self.cantes if after_tricks == len(self.tricks)]
        return seat in singers if self.rules.cante_per_member else bool(singers)

    def _play(self, seat: int, card: Card) -> None:
        self.hands[seat].remove(card)
        self.table.append(card)
        if len(self.table) == self.players:
            self._take_trick()
        else:
            self.asked = (seat + 1) % self.players

    def _take_trick(self) -> None:
        winner = trick_winner(self.table, self.leader, self.players, self.trump)
        self.tricks.append((self.leader, self.table))
        self.tricks_won[side_of(winner)] += 1
        self.card_points[side_of(winner)] += trick_points(self.table)
        self.latest_winner = self.leader = winner  # G9
        self.table = []
        is_final = not any(self.hands)
        if is_final:
            self.last_ten[side_of(winner)] = 10  # G23
        swappers = [seat for seat in range(self.players) if self._may_swap(seat)]
        if self._end_if_reached():  # G25: before any window, with the last ten
            return
        if is_final:
            totals, side, malas = self.points, side_of(winner), self.rules.malas
            outcome = first_deal_winner(totals, self.card_points, self.last_ten, side, malas)
            self._end(None if self.is_vueltas else outcome)
        elif swappers:  # G17, window (a): a draw follows, for the muestra is still there
            self.decision, self.asked = "SWAP", swappers[0]
        else:
            self._draw_and_ask()

    def _draw_and_ask(self) -> None:
        # G8: the winner first; the muestra comes when the rest of the stock has gone.
        for seat in self._seats_from(self.leader):
            if self.stock:
                self.hands[seat].add(self.stock.pop(0))
            elif self.muestra is not None:
                self.hands[seat].add(self.muestra)
                self.muestra, self.muestra_drawn_by = None, seat
        # G21: the leader first, then the partner; a rival in line would have nothing to announce.
        self._to_declare = self._seats_from(self.leader)
        self._ask_declarations()

    def _ask_declarations(self) -> None:
        """Asks the first seat in line that has something to announce; when there is none the leader plays."""
        while self._to_declare and not self._announcements(self._to_declare[0]):
            self._to_declare.pop(0)
        if self._to_declare:
            self.decision, self.asked = "DECLARE", self._to_declare[0]
        else:
            self.decision, self.asked = "PLAY", self.leader

    def _sing(self, seat: int, suit: str) -> None:
        self.cantes.append((seat, suit, len(self.tricks)))
        # G25: a cante can win the point. G22: the singer may still have a tute, so it is asked again.
        if not self._end_if_reached() and self.decision == "DECLARE":
            self._ask_declarations()

    def _swap(self, seat: int) -> None:
        assert self.muestra is not None
        could_announce = self._announcements(seat)
        self.hands[seat].remove(self.swap_card)
        self.hands[seat].add(self.muestra)
        self.muestra = self.swap_card
        self.swap = (seat, len(self.tricks), "a" if self.decision == "SWAP" else "b")
        if self.decision == "SWAP":
            self._draw_and_ask()
        elif self._announcements(seat) - could_announce:
            # G21: a leader whose swap completed something is asked again, and nobody else is.
            self._to_declare = [seat]
            self._ask_declarations()

    def _end_if_reached(self) -> bool:
        # G25: only in vueltas does reaching 101 end the deal.
        reached = [side for side in (0, 1) if self.points[side] >= POINTS_TO_WIN]
        if self.is_vueltas and reached:
            self._end(reached[0])
        return self.decision == "OVER"

    def _end(self, winner: int | None) -> None:
        self.decision, self.asked, self._winner = "OVER", None, winner


class Match:
    """Points played until a side wins the coto (G26)."""

    def __init__(self, rules: Rules, players: int, dealer: int) -> None:
        """Starts a match whose first dealer was drawn by the caller (G5)."""
        self.rules, self.players, self.dealer = rules, players, dealer
        self.coto_points = [0, 0]
        self.is_vueltas = False
        self.carried: Carried = (0, 0)

    @property
    def winner(self) -> int | None:
        """The side that has won the coto (G26), or None."""
        return next((side for side in (0, 1) if self.coto_points[side] >= self.rules.points_per_coto), None)

    def new_deal(self, pack: list[Card]) -> Deal:
        """Deals the next hand of the match, in vueltas with the points carried over (G25)."""
        if self.winner is not None:
            raise ValueError(f"The match is over: side {self.winner} has won the coto.")
        return Deal(self.rules, self.players, self.dealer, pack, self.carried if self.is_vueltas else None)

    def finish(self, deal: Deal) -> None:
        """Takes a deal that is over into account (G5, G25, G26)."""
        winner = deal.winner()
        self.dealer = deal.next_dealer()
        self.is_vueltas = winner is None
        self.carried = (deal.points[0], deal.points[1]) if winner is None else (0, 0)
        if winner is not None:
            self.coto_points[winner] += 1
