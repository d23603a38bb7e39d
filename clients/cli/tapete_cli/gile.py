"""A person against bots: a sitting of Gilé in the terminal, line by line."""

from collections.abc import Callable

from rich.console import Console
from rich.text import Text

from tapete.v1 import ChooseMoveResponse, Game, GameView
from tapete_cli.deal import derive
from tapete_cli.drawing import dash, draw_hand
from tapete_cli.person import LeaveTable, MoveChooser, PlaySettings, Table, save_record, try_bot
from tapete_cli.screen import show_hint
from tapete_games.bits import members
from tapete_games.errors import IllegalMoveError
from tapete_games.gile import settle
from tapete_games.gile.deal import Deal, shuffled_pack
from tapete_games.gile.moves import (
    MoveError,
    amount_of,
    card_of,
    card_set,
    format_cards,
    format_move,
    kind_of,
    parse_move,
    sorted_hand,
)
from tapete_games.gile.record import record_of, write_record
from tapete_games.gile.rules import STARTING_STACK, Rules
from tapete_games.gile.sitting import Sitting
from tapete_games.gile.state import (
    BET,
    CALL,
    CHECK,
    DECIDE_DISCARD,
    DISCARD,
    FOLD,
    LAST_ONE_IN,
    RAISE,
    VOID,
)
from tapete_games.wire import read_game_move

__all__ = ["play"]

ME = 0
HELP = """\
  c checks or calls, f folds, bet 5 and raise 12 (b 5, r 12) stake so many
  chips of this round in all, a goes all in. When you may discard, type the
  numbers of the cards (1 3), or - to keep all. The names of moves do too:
  check, call, fold, bet 5, raise 12, discard 7O 2C.
  h asks for a hint, s shows the table, ? shows this, q quits.
  Cards: O oros, C copas, E espadas, B bastos; 1 as, 10 sota, 11 caballo,
  12 rey. The as counts 11, the 7 seven, all others ten; a hand scores its
  best sum of one suit: four of a suit make up to 41, three 31, two 21."""
_ROUNDS = ("First round, two cards", "Second round, four cards", "Last round")


def play(
    console: Console, bots: MoveChooser, settings: PlaySettings[Rules], read: Callable[[str], str] = input
) -> None:
    """Plays until one seat has all chips, the person has none, or leaves.

    Args:
        console: Where the table is drawn.
        bots: Who answers for the other seats, and gives hints.
        settings: Rules, seats and bots.
        read: Shows a prompt and returns a line; raises EOFError or KeyboardInterrupt when there is none.
    """
    stacks = (settings.stack or STARTING_STACK,) * settings.players
    dealer = derive(settings.seed, "dealer") % settings.players
    first = Deal(settings.rules, stacks, dealer, shuffled_pack(0))
    try_bot(bots, settings, GameView(gile=first.view()))
    sitting = Sitting(settings.rules, stacks, dealer)
    table = _Table(console, bots, settings, sitting, read)
    try:
        table.play_sitting()
    except LeaveTable:
        console.print(f"You leave the table with {sitting.stacks[ME]} chips. Goodbye.")
    finally:
        if any(deal.moves for deal in sitting.deals):
            save_record(console, settings, lambda names: write_record(record_of(sitting, names)))


def _name(seat: int) -> str:
    return "You" if seat == ME else f"Bot {seat}"


def _chips(count: int) -> str:
    return "1 chip" if count == 1 else f"{count} chips"


class _Table(Table[Rules]):
    """One sitting at one table."""

    def __init__(
        self,
        console: Console,
        bots: MoveChooser,
        settings: PlaySettings[Rules],
        sitting: Sitting,
        read: Callable[[str], str],
    ) -> None:
        super().__init__(console, bots, settings, read)
        self._sitting = sitting
        self._heading = ""

    def play_sitting(self) -> None:
        settings, sitting, console = self._settings, self._sitting, self._console
        rivals = "one bot" if settings.players == 2 else f"{settings.players - 1} bots"
        console.print(f"[bold]Gilé[/], you against {rivals}, {_chips(sitting.stacks[ME])} each.", end=" ")
        console.print(f"Seed {settings.seed}.")
        console.print(HELP, markup=False)
        while not sitting.is_over and sitting.stacks[ME]:
            number = len(sitting.deals)
            pack = shuffled_pack(derive(settings.seed, "pack", number))
            self._play_deal(sitting.new_deal(pack, derive(settings.seed, "stock", number)))
        outcome = "You have won all the chips." if sitting.stacks[ME] else "You have no chips left."
        console.print(f"\n[bold]{outcome}[/]")

    def _play_deal(self, deal: Deal) -> None:
        console, sitting = self._console, self._sitting
        self._heading = ""
        verb = "deal" if deal.dealer == ME else "deals"
        title = f"Deal {len(sitting.deals)}: {_name(deal.dealer)} {verb}, ante {deal.rules.ante}"
        console.rule(title, characters=dash(console))
        self._show_table(deal)
        while not deal.is_over:
            self._show_heading(deal)
            if deal.asked == ME:
                self._ask_person(deal)
            else:
                self._make(deal, read_game_move(self._answer(deal).move, Game.GAME_GILE))
        console.print()
        self._show_result(deal)
        sitting.finish(deal)
        if not sitting.is_over and sitting.stacks[ME]:
            self.line("Enter for the next deal, q to leave: ")

    def _answer(self, deal: Deal) -> ChooseMoveResponse:
        return self.answer(GameView(gile=deal.view()), len(self._sitting.deals), len(deal.moves))

    # --- what the table shows ---

    def _show_table(self, deal: Deal) -> None:
        parts = [
            f"{_name(seat)} {chips}"
            for seat, (stack, chips) in enumerate(zip(deal.stacks, deal.chips, strict=True))
            if stack
        ]
        self._console.print(f"  Chips: {', '.join(parts)}; pot {deal.state.pot}.")

    def _show_heading(self, deal: Deal) -> None:
        """Heads a round, once."""
        heading = "Discards" if deal.decision == DECIDE_DISCARD else _ROUNDS[deal.state.stage]
        if deal.state.voids and deal.state.stage == 0:
            heading += f", after {deal.state.voids} void"
        if heading != self._heading:
            self._heading = heading
            self._console.print(f"\n[bold]{heading}[/]: pot {deal.state.pot}")

    def _show_result(self, deal: Deal) -> None:
        console = self._console
        if deal.ended == VOID:
            console.print(f"  {deal.rules.void_deals} void deals in a row: the antes go back.")
            return
        returns = deal.returns
        assert returns is not None, "the deal is over"
        if deal.ended != LAST_ONE_IN:
            for seat in members(deal.state.playing):
                hand = deal.hand(seat)
                verb = "have" if seat == ME else "has"
                console.print(f"  {_name(seat)} {verb} {format_cards(hand)}: {settle.score(hand)} points.")
        for seat, won in enumerate(returns):
            if won > 0:
                console.print(f"  [bold]{_name(seat)}[/] {'win' if seat == ME else 'wins'} {_chips(won)}.")
        if returns[ME] < 0:
            console.print(f"  You lose {_chips(-returns[ME])}.")

    # --- the person ---

    def _ask_person(self, deal: Deal) -> None:
        hand = [card_of(card) for card in sorted_hand(deal.hand(ME))]
        is_discard = deal.decision == DECIDE_DISCARD
        labels = [str(i) if is_discard else "" for i in range(1, len(hand) + 1)]
        draw_hand(self._console, hand, labels)
        while True:
            move = self._read_move(deal)
            try:
                self._make(deal, move)
            except IllegalMoveError as error:
                sentence = str(error).partition(": ")[2].partition(". ")[0]
                self._console.print(f"  {sentence}.", markup=False)
            else:
                return

    def _read_move(self, deal: Deal) -> int:
        """Reads until the line is a move; hints and the like are answered on the way."""
        prompt = _prompt(deal)
        while True:
            text = self.line(prompt)
            match text.lower():
                case "":
                    continue
                case "h" | "hint":
                    show_hint(self._console, self._answer(deal))
                case "s" | "score":
                    self._show_table(deal)
                case "?" | "help":
                    self._console.print(HELP, markup=False)
                case _:
                    move = _typed(text, deal)
                    if move is not None:
                        return move
                    self._console.print(f"  {text!r} is no choice here; ? explains.", markup=False)

    def _make(self, deal: Deal, move: int) -> None:
        """Makes a move of the seat that is asked and says so."""
        seat = deal.asked
        to_call = int(deal.state.level - deal.state.staked[seat])
        behind = int(deal.state.chips[seat])
        held = deal.hand(seat)
        deal.play(move)
        self._console.print(_deed(seat, move, to_call, behind))
        if seat == ME and kind_of(move) == DISCARD and amount_of(move):
            new = deal.hand(ME) & ~held
            self._console.print(f"  You are served {format_cards(new)}.")


def _prompt(deal: Deal) -> str:
    """Says what the person may do."""
    if deal.decision == DECIDE_DISCARD:
        return "Discard (numbers, - none, h hint, ? help, q quit): "
    legal = deal.legal_moves()
    words = []
    to_call = int(deal.state.level - deal.state.staked[ME])
    if FOLD in legal:
        words += ["f fold", f"c call {min(to_call, int(deal.state.chips[ME]))}"]
    else:
        words.append("c check")
    bets = [move for move in legal if kind_of(move) in (BET, RAISE)]
    if bets:
        word = "bet" if kind_of(bets[0]) == BET else "raise"
        least, greatest = amount_of(bets[0]), amount_of(bets[-1])
        words.append(f"{word} {least}" if least == greatest else f"{word} {least}-{greatest}")
    return f"Your move ({', '.join(words)}, h hint, ? help, q quit): "


def _typed(text: str, deal: Deal) -> int | None:
    """Reads what was typed; None if it is no move."""
    words = text.lower().split()
    legal = deal.legal_moves()
    if deal.decision == DECIDE_DISCARD:
        hand = sorted_hand(deal.hand(ME))
        if words == ["-"]:
            return DISCARD
        if all(word.isdecimal() and len(word) == 1 and 1 <= int(word) <= len(hand) for word in words):
            return DISCARD | card_set(hand[int(word) - 1] for word in words)
        text = " ".join([words[0], *text.upper().split()[1:]])
        return _parsed(f"discard{text[1:]}" if words[0] == "d" else text)
    stays = next(move for move in legal if move in (CHECK, CALL))
    match words:
        case ["c"]:
            return stays
        case ["f"]:
            return FOLD
        case ["a"]:
            bets = [move for move in legal if kind_of(move) in (BET, RAISE)]
            return bets[-1] if bets else stays
        case ["b" | "r" | "bet" | "raise", amount]:
            return _parsed(f"{'raise' if deal.state.level else 'bet'} {amount}")
    return _parsed(" ".join(words))


def _parsed(text: str) -> int | None:
    try:
        return parse_move(text)
    except MoveError:
        return None


def _deed(seat: int, move: int, to_call: int, behind: int) -> Text:
    """Says what a seat does; others see no more of discards than their number."""
    kind, amount = kind_of(move), amount_of(move)
    s = "" if seat == ME else "s"
    if kind == DISCARD:
        count = amount.bit_count()
        what = f"discard{s} {count or 'nothing'}"
    elif kind == CALL:
        what = f"call{s} {min(to_call, behind)}"
        what += ", all in" if to_call >= behind else ""
    elif kind in (BET, RAISE):
        what = f"bet{s} {amount}" if kind == BET else f"raise{s} to {amount}"
    else:
        what = format_move(move) + s
    return Text.assemble("  ", (f"{_name(seat):<8}", "dim"), (what, "bold"))
