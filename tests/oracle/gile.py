"""Gilé restated as plainly as possible from docs/rules.md (L1 to L17): lists, sets and loops, no bit tricks.

Cards are (rank, suit) with suits 0 to 3 for oros, copas, espadas, bastos. The order of the pack, and the
order of all cards for each renewal of the stock, are given from outside.
"""

from itertools import combinations

Card = tuple[int, int]

RANKS = (1, 12, 11, 10, 7, 3, 2)
PACK = [(rank, suit) for suit in range(4) for rank in RANKS]


def points(card: Card) -> int:
    """L1."""
    return {1: 11, 7: 7}.get(card[0], 10)


def score(hand: list[Card]) -> int:
    """L2."""
    return max(sum(points(card) for card in hand if card[1] == suit) for suit in range(4))


def best_suit(hand: list[Card]) -> int:
    """The suit of the counted combination; L17: of two equal ones the better, oros before bastos."""
    return min(
        suit for suit in range(4) if sum(points(card) for card in hand if card[1] == suit) == score(hand)
    )


class GileOracle:
    """One deal."""

    def __init__(
        self,
        stacks: list[int],
        dealer: int,
        pack: list[Card],
        renewal_orders: list[list[Card]],
        *,
        limit: str = "NONE",
        suit_rank: bool = False,
        ante: int = 1,
        minimum_bet: int = 1,
        void_deals: int = 3,
    ) -> None:
        self.start = list(stacks)
        self.seats = len(stacks)
        self.dealer = dealer
        self.stock = list(pack)
        self.renewal_orders = renewal_orders
        self.limit = limit
        self.suit_rank = suit_rank
        self.minimum_bet = minimum_bet
        self.void_limit = void_deals
        # L6: everybody pays the ante, or what there is.
        self.paid = [min(ante, stack) for stack in stacks]
        self.chips = [stack - paid for stack, paid in zip(stacks, self.paid, strict=True)]
        self.playing = [stack > 0 for stack in stacks]
        self.order = self._order()
        self.hands: list[list[Card]] = [[] for _ in stacks]
        self.discards: list[list[Card]] = [[] for _ in stacks]
        self.served = [False] * self.seats
        self.set_aside: list[Card] = []
        self.folded_hands: dict[int, list[Card]] = {}
        self.voids = 0
        self.renewals = 0
        self.ended = ""
        self.decision = ""
        self.turn = -1
        self.round = 0
        self.events: set[str] = set()
        if any(0 < stack < ante for stack in stacks):
            self.events.add("short ante")
        self._deal_two()
        self._open_round(1)

    def _order(self) -> list[int]:
        """L5: playing order from the mano on, the dealer last; seats without chips are not dealt in (L6)."""
        seats = [(self.dealer + i) % self.seats for i in range(1, self.seats + 1)]
        return [seat for seat in seats if self.start[seat] > 0]

    # --- cards ---

    def _card(self, seat: int) -> None:
        """Serves a card to a seat; L10."""
        if not self.stock:
            pool = list(self.set_aside)
            self.set_aside = []
            if self.folded_hands:
                self.events.add("renewed with folded hands")
            if self.renewals:
                self.events.add("renewed twice")
            for hand in self.folded_hands.values():
                pool += hand
            self.folded_hands = {}
            for other in range(self.seats):
                if other != seat:
                    pool += self.discards[other]
                    self.discards[other] = []
            self.stock = [card for card in self.renewal_orders[self.renewals] if card in pool]
            self.renewals += 1
            self.events.add("renewed in drawing" if self.decision == "discard" else "renewed in dealing")
        self.hands[seat].append(self.stock.pop(0))

    def _deal_two(self) -> None:
        for seat in self.order:
            if self.playing[seat]:
                self._card(seat)
                self._card(seat)

    # --- betting rounds ---

    def _in(self) -> list[int]:
        return [seat for seat in self.order if self.playing[seat]]

    def _able(self) -> list[int]:
        return [seat for seat in self._in() if self.chips[seat] > 0]

    def _open_round(self, number: int) -> None:
        self.round = number
        self.staked = [0] * self.seats
        self.spoken = [False] * self.seats
        self.may_raise = [True] * self.seats
        self.raises = 0
        self.has_bet = False
        unit = self.minimum_bet
        if self.limit == "FIXED" and number == 3:
            unit = 2 * self.minimum_bet
        self.unit = unit
        self.last_full = unit
        if len(self._able()) < 2:
            # L13: skipped; L7: that is no void deal.
            self.events.add("skipped first round" if number == 1 else "skipped later round")
            self._close_round(skipped=True)
        else:
            self.decision = "bet"
            self.turn = self._able()[0]

    def level(self) -> int:
        return max(self.staked)

    def _close_round(self, *, skipped: bool = False) -> None:
        if self.round == 1:
            if not skipped and not self.has_bet:
                self._void()
                return
            self._deal_two()
            self._open_round(2)
        elif self.round == 2:
            self.decision = "discard"
            self.turn = self._in()[0]
        else:
            self._showdown()

    def _void(self) -> None:
        """L7."""
        self.voids += 1
        self.events.add("void deal")
        for seat in range(self.seats):
            self.set_aside += self.hands[seat]
            self.hands[seat] = []
        if self.voids == self.void_limit:
            self.chips = list(self.start)
            self.ended, self.decision = "void", ""
            if self.voids == 3:
                self.events.add("ended by three void deals")
            return
        self._deal_two()
        self._open_round(1)

    # --- what is legal ---

    def legal(self) -> dict[str, object]:
        """Names what may be done: for bets and raises (least, greatest) totals, for discards all sets."""
        if self.decision == "":
            return {}
        if self.decision == "discard":
            hand = self.hands[self.turn]
            return {"discard": [set(cut) for size in range(5) for cut in combinations(hand, size)]}
        seat = self.turn
        to_call = self.level() - self.staked[seat]
        all_in = self.staked[seat] + self.chips[seat]
        found: dict[str, object] = {}
        if to_call == 0:
            found["check"] = True
        else:
            found["fold"] = True
            found["call"] = True
        if not self.has_bet:
            found["bet"] = self._range(self.unit, all_in, seat)
        elif all_in > self.level():
            # L13: somebody must have chips for more than the bet.
            if not any(
                other != seat and self.staked[other] + self.chips[other] > self.level()
                for other in self._able()
            ):
                self.events.add("nobody could answer")
            elif self.limit == "FIXED" and self.raises == 3:
                self.events.add("three raises")
            elif not self.may_raise[seat]:
                self.events.add("not reopened")
            else:
                found["raise"] = self._range(self.level() + self.last_full, all_in, seat)
        return found

    def _range(self, least: int, all_in: int, seat: int) -> tuple[int, int]:
        if self.limit == "NONE":
            most = all_in
        elif self.limit == "FIXED":
            most = least
        else:
            pot_after_calling = sum(self.paid) + self.level() - self.staked[seat]
            most = max(least, self.level() + pot_after_calling)
        return min(least, all_in), min(most, all_in)

    # --- acting ---

    def play(self, kind: str, argument: object = None) -> None:
        seat = self.turn
        if kind == "discard":
            assert isinstance(argument, set)
            self._discard(seat, argument)
            return
        self.spoken[seat] = True
        if kind == "fold":
            self.playing[seat] = False
            self.folded_hands[seat] = self.hands[seat]
            if len(self._in()) == 1:
                # L12
                self.chips[self._in()[0]] += sum(self.paid)
                self.ended, self.decision = "one left", ""
                return
        elif kind == "call":
            self.may_raise[seat] = False
            self._pay(seat, min(self.level() - self.staked[seat], self.chips[seat]))
        elif kind in ("bet", "raise"):
            assert isinstance(argument, int)
            by = argument - self.level()
            if by >= self.last_full:
                # A full bet or raise opens the raising to all others again.
                self.may_raise = [True] * self.seats
                self.last_full = by
            else:
                self.events.add("short all-in")
            self.may_raise[seat] = False
            self.raises += kind == "raise"
            self.has_bet = True
            self._pay(seat, argument - self.staked[seat])
        if self.chips[seat] == 0:
            self.events.add("all-in")
        waiting = [
            other for other in self._able() if self.staked[other] < self.level() or not self.spoken[other]
        ]
        if not waiting:
            self._close_round()
            return
        # Anticlockwise from the seat that acted.
        after = [(seat + i) % self.seats for i in range(1, self.seats + 1)]
        self.turn = next(other for other in after if other in waiting)

    def _pay(self, seat: int, amount: int) -> None:
        self.chips[seat] -= amount
        self.staked[seat] += amount
        self.paid[seat] += amount

    def _discard(self, seat: int, cards: set[Card]) -> None:
        """L9."""
        self.hands[seat] = [card for card in self.hands[seat] if card not in cards]
        self.discards[seat] = list(cards)
        self.served[seat] = True
        for _ in cards:
            self._card(seat)
        waiting = [other for other in self._in() if not self.served[other]]
        if waiting:
            self.turn = waiting[0]
        else:
            self._open_round(3)

    # --- the end ---

    def pots(self) -> list[tuple[int, list[int]]]:
        """L15: chips and seats that may win them, one pot for each amount that some seat has paid in all."""
        found = []
        below = 0
        for top in sorted(set(self.paid) - {0}):
            chips = sum(min(paid, top) - min(paid, below) for paid in self.paid)
            found.append((chips, [seat for seat in self._in() if self.paid[seat] >= top]))
            below = top
        return found

    def _winner(self, seats: list[int]) -> int:
        """L16, L17: who wins a pot, of seats in playing order from the mano on."""
        scores = {seat: score(self.hands[seat]) for seat in seats}
        tied = [seat for seat in seats if scores[seat] == max(scores.values())]
        if len(tied) == 1:
            return tied[0]
        if self.suit_rank:
            suits = {seat: best_suit(self.hands[seat]) for seat in tied}
            equal = [seat for seat in tied if suits[seat] == min(suits.values())]
            self.events.add("tie by suit" if len(equal) == 1 else "tie in one suit")
            return equal[0]
        if self.dealer in tied:
            self.events.add("tie to the dealer")
            return self.dealer
        self.events.add("tie to the mano" if tied[0] == self.order[0] else "tie by order")
        return tied[0]

    def _showdown(self) -> None:
        pots = self.pots()
        if len({tuple(seats) for _, seats in pots if len(seats) > 1}) > 1:
            self.events.add("side pot")
        if sum(paid == max(self.paid) for paid in self.paid) == 1:
            self.events.add("returned excess")
        for chips, seats in pots:
            self.chips[self._winner(seats)] += chips
        self.ended, self.decision = "showdown", ""

    def returns(self) -> list[int]:
        return [chips - start for chips, start in zip(self.chips, self.start, strict=True)]
