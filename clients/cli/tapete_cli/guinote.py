"""A person against bots: a whole coto of Guiñote in the terminal, line by line."""

from collections.abc import Callable

from rich.console import Console
from rich.text import Text

from tapete.v1 import ChooseMoveResponse, Game, GameView
from tapete_cli.deal import derive
from tapete_cli.drawing import dash, draw_hand, suit_name
from tapete_cli.guinote_table import HELP, ME, name_of, option_text, result_lines, score_line
from tapete_cli.person import LeaveTable, MoveChooser, PlaySettings, Table, save_record, try_bot
from tapete_cli.screen import show_hint
from tapete_games.errors import IllegalMoveError
from tapete_games.guinote.deal import Deal, shuffled_pack
from tapete_games.guinote.match import Match
from tapete_games.guinote.moves import MoveError, card_of, format_move, parse_move, sorted_hand
from tapete_games.guinote.reasons import explain
from tapete_games.guinote.record import record_of, write_record
from tapete_games.guinote.rules import Rules
from tapete_games.guinote.state import DECIDE_PLAY, PASS, SING, SWAP, TUTE
from tapete_games.wire import read_game_move

__all__ = ["play"]


def play(
    console: Console, bots: MoveChooser, settings: PlaySettings[Rules], read: Callable[[str], str] = input
) -> None:
    """Plays until the coto is won or the person leaves.

    Args:
        console: Where the table is drawn.
        bots: Who answers for the other seats, and gives hints.
        settings: Rules, seats and bots.
        read: Shows a prompt and returns a line; raises EOFError or KeyboardInterrupt when there is none.
    """
    first = Deal(settings.rules, settings.players, 0, shuffled_pack(0))
    try_bot(bots, settings, GameView(guinote=first.view()))
    match = Match(settings.rules, settings.players, derive(settings.seed, "dealer") % settings.players)
    table = _Table(console, bots, settings, match, read)
    try:
        table.play_match()
    except LeaveTable:
        console.print("You leave the table. Goodbye.")
    finally:
        if any(deal.moves for deal in match.deals):
            seed = settings.seed
            save_record(console, settings, lambda names: write_record(record_of(match, names, seed)))


class _Table(Table[Rules]):
    """One match at one table."""

    def __init__(
        self,
        console: Console,
        bots: MoveChooser,
        settings: PlaySettings[Rules],
        match: Match,
        read: Callable[[str], str],
    ) -> None:
        super().__init__(console, bots, settings, read)
        self._match = match
        self._trick_shown = -1
        self._cards_seen = 0

    def play_match(self) -> None:
        settings, match, console = self._settings, self._match, self._console
        seats = "you against one bot" if settings.players == 2 else "you and a bot against two bots"
        console.print(
            f"[bold]Guiñote[/], {seats}, coto to {settings.rules.points_per_coto}. Seed {settings.seed}."
        )
        console.print(HELP, markup=False)
        while match.winner is None:
            self._play_deal(match.new_deal(shuffled_pack(derive(settings.seed, "pack", len(match.deals)))))
        who = "You win" if match.winner == ME else "They win"
        console.print(f"\n[bold]{who} the coto, {max(match.coto)} to {min(match.coto)}.[/]")

    def _play_deal(self, deal: Deal) -> None:
        console, match = self._console, self._match
        self._trick_shown, self._cards_seen = -1, deal.hand(ME)
        kind = "vueltas, " if deal.vueltas else ""
        dealer = name_of(deal.dealer, deal.players)
        verb = "deal" if deal.dealer == ME else "deals"
        console.rule(f"Deal {len(match.deals)}: {kind}{dealer} {verb}", characters=dash(console))
        muestra = card_of(deal.muestra)
        console.print(f"  The muestra is [bold]{muestra}[/]: {suit_name(muestra.suit)} are trumps.")
        while not deal.is_over:
            if deal.asked == ME:
                self._ask_person(deal)
            else:
                self._ask_bot(deal)
        match.finish(deal)
        console.print()
        for line in result_lines(deal):
            console.print(f"  {line}")
        console.print(f"  Coto: you {match.coto[0]}, they {match.coto[1]}, to {deal.rules.points_per_coto}.")
        if match.winner is None:
            self.line("Enter for the next deal, q to leave: ")

    def _ask_bot(self, deal: Deal) -> None:
        self._make(deal, self._choose(deal))

    def _choose(self, deal: Deal) -> int:
        answer = self._answer(deal)
        return read_game_move(answer.move, Game.GAME_GUINOTE)

    def _answer(self, deal: Deal) -> ChooseMoveResponse:
        return self.answer(GameView(guinote=deal.view()), len(self._match.deals), len(deal.moves))

    def _ask_person(self, deal: Deal) -> None:
        console, legal = self._console, deal.legal_moves()
        self._show_trick(deal)
        hand = sorted_hand(deal.hand(ME))
        cards = [card for card in hand if card in legal]
        others = [move for move in legal if move >= SING]
        choices = dict(enumerate([*cards, *others], start=1))
        self._show_new_cards(deal)
        numbers = {card: str(number) for number, card in choices.items() if card < SING}
        draw_hand(console, [card_of(card) for card in hand], [*map(numbers.get, hand)], deal.state.trump)
        for number, move in choices.items():
            if move >= SING:
                console.print(f"  [bold]{number}[/] {option_text(move, deal)}")
        while True:
            move = self._read_move(deal, choices)
            try:
                self._make(deal, move)
            except IllegalMoveError as error:
                console.print(f"  {format_move(move)}: {explain(error.code)}.", markup=False)
            else:
                return

    def _read_move(self, deal: Deal, choices: dict[int, int]) -> int:
        """Reads until the line is a move; hints and the like are answered on the way."""
        what = "Your card" if deal.decision == DECIDE_PLAY else "Your choice"
        while True:
            numbers = f"1-{len(choices)}" if len(choices) > 1 else "1"
            text = self.line(f"{what} ({numbers}, h hint, s score, ? help, q quit): ")
            match text.lower():
                case "":
                    continue
                case "h" | "hint":
                    show_hint(self._console, self._answer(deal))
                case "s" | "score":
                    self._console.print(f"  {score_line(deal)}")
                case "?" | "help":
                    self._console.print(HELP, markup=False)
                case "p" if PASS in choices.values():
                    return PASS
                case number if number.isdecimal() and len(number) < 9 and int(number) in choices:
                    return choices[int(number)]
                case _:
                    try:
                        return parse_move(_in_notation(text))
                    except MoveError:
                        self._console.print(f"  {text!r} is no choice here; ? explains.", markup=False)

    def _make(self, deal: Deal, move: int) -> None:
        """Makes a move of the seat that is asked and says so, as far as the table may know."""
        seat, tricks = deal.asked, int(deal.state.tricks)
        text = _deed(deal, seat, move)
        if move < SING:
            self._show_trick(deal)
        deal.play(move)
        if text:
            self._console.print(text)
        if int(deal.state.tricks) > tricks:
            self._show_taken(deal)

    def _show_trick(self, deal: Deal) -> None:
        """Heads a trick, once."""
        tricks = int(deal.state.tricks)
        if deal.decision != DECIDE_PLAY or self._trick_shown == tricks:
            return
        self._trick_shown = tricks
        stock = int(deal.state.stock_size)
        left = f"{stock} to draw, muestra {format_move(deal.state.muestra)}" if stock else "arrastre"
        points = f"you {deal.points[0]}, they {deal.points[1]}"
        self._console.print(
            f"\n[bold]Trick {tricks + 1}[/]: {left}, {suit_name(deal.state.trump)} are trumps; {points}"
        )

    def _show_taken(self, deal: Deal) -> None:
        seat = int(deal.state.latest_winner)
        taken = sum(_POINTS[card_of(card).rank] for card in deal.history.tricks[-1].cards)
        who = name_of(seat, deal.players)
        verb = "take" if seat == ME else "takes"
        self._console.print(f"  [bold]{who}[/] {verb} the trick, {taken} points.")

    def _show_new_cards(self, deal: Deal) -> None:
        hand = deal.hand(ME)
        new = hand & ~self._cards_seen
        self._cards_seen |= hand
        if new:
            self._console.print(f"  New in your hand: {' '.join(map(format_move, sorted_hand(new)))}")


_POINTS = {1: 11, 3: 10, 12: 4, 10: 3, 11: 2, 2: 0, 4: 0, 5: 0, 6: 0, 7: 0}


def _in_notation(text: str) -> str:
    """Puts a move typed in any case into notation."""
    words = text.split()
    if len(words) == 2:
        return f"{words[0].lower()} {words[1].upper()}"
    return text.upper() if text[:1].isdecimal() else text.lower()


def _deed(deal: Deal, seat: int, move: int) -> Text | None:
    """Says what a seat does; None for a pass, which nobody sees."""
    if move == PASS:
        return None
    name = name_of(seat, deal.players)
    plural = "" if seat == ME else "s"
    if move < SING:
        return Text.assemble("  ", (f"{name:<8}", "dim"), (format_move(move), "bold"))
    if move == SWAP:
        cards = f"{format_move(deal.state.swap_card)} for the {format_move(deal.state.muestra)}"
        return Text(f"  {name} swap{plural} the {cards}.", "bold")
    if move == TUTE:
        return Text(f"  {name} announce{plural} a tute.", "bold")
    points = 40 if move - SING == deal.state.trump else 20
    return Text(f"  {name} sing{plural} {suit_name(move - SING)}: {points} points.", "bold")
