"""`tapete play`: a person against bots, through standard input and through a terminal."""

import fcntl
import io
import os
import pty
import re
import select
import subprocess
import termios
import time
from pathlib import Path

import pytest
from rich.console import Console

from tapete_cli.guinote import play
from tapete_cli.in_process import InProcessClient
from tapete_cli.person import PlaySettings
from tapete_games.guinote.record import read_record, replay
from tapete_games.guinote.rules import Malas, Rules
from tests.clients.command import ENVIRONMENT, PROGRAM, tapete
from tests.clients.snapshots import check_snapshot


class Person:
    """Answers prompts: from a list, then always with the first choice."""

    def __init__(self, *lines: str, last: str | None = "1") -> None:
        self.lines = list(lines)
        self.last = last
        self.prompts: list[str] = []

    def __call__(self, prompt: str) -> str:
        self.prompts.append(prompt)
        if self.lines:
            return self.lines.pop(0)
        if self.last is None or len(self.prompts) > 2000:
            raise EOFError
        return self.last


DEFAULT = Rules()
SHORT = Rules(points_per_coto=1)


def sit_down(
    person: Person, *, seed: int = 1, players: int = 4, rules: Rules = DEFAULT, **options: object
) -> str:
    console = Console(file=io.StringIO(), width=80, color_system=None)
    settings = PlaySettings(rules=rules, players=players, seed=seed, **{"bot": "random", **options})  # type: ignore[arg-type]
    with InProcessClient() as bots:
        play(console, bots, settings, person)
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


@pytest.mark.parametrize("players", [2, 4])
def test_a_whole_coto_to_its_end(players: int, tmp_path: Path) -> None:
    record = tmp_path / "match.txt"
    text = sit_down(Person(), players=players, seed=11, record=record)
    assert re.search(r"(You|They) win the coto, 3 to [012]\.", text)
    match = replay(read_record(record.read_text()))
    assert match.winner is not None
    assert len(match.deals) == text.count("Deal ")
    assert f"{max(match.coto)} to {min(match.coto)}" in text


def test_other_rules_reach_the_table() -> None:
    rules = Rules(no_tute=True, malas=Malas.OFF, points_per_coto=1, fixed_rotation=True)
    text = sit_down(Person(), rules=rules, seed=3)
    assert "coto to 1" in text
    assert re.search(r"win the coto, 1 to 0", text)


def test_illegal_and_unknown_input_is_explained_and_asked_again() -> None:
    person = Person("", "99", "8O", "sing O", "swap", "p", "tute", "1o", "2o", "12b", "?", "s", "h", "q")
    text = sit_down(person, seed=2)
    check_snapshot("play_input", text)
    assert "it is not the moment" in text
    assert "Hint of random@1" in text


def test_the_transcript_of_a_deal_is_fixed() -> None:
    """One deal against the frozen yardstick: cards drawn, legal ones numbered, windows asked."""
    text = sit_down(Person(*["1"] * 12, "q"), seed=6, players=2, bot="random")
    check_snapshot("play_deal", text)


@pytest.mark.parametrize(
    ("offer", "deed"),
    [
        (r"  1 swap your \w+ for the muestra, \w+", r"You swap the \w+ for the \w+\."),
        (r"  1 sing (oros|copas|espadas|bastos), [24]0 points", r"You sing \w+: [24]0 points\."),
    ],
)
def test_windows_are_asked(offer: str, deed: str) -> None:
    for seed in range(20, 60):
        person = Person()
        text = sit_down(person, seed=seed, players=2, rules=SHORT)
        if re.search(offer, text):
            break
    else:
        raise AssertionError(f"{offer} was never offered")
    assert re.search(deed, text)
    assert "Your choice (1-2, h hint, s score, ? help, q quit): " in person.prompts


def test_only_legal_cards_have_a_number() -> None:
    text = sit_down(Person(), seed=11, players=2, rules=SHORT)
    arrastre = text[text.index("arrastre") :]
    hands = re.findall(r"((?:  ╭.*\n)(?:.*\n){3})([ \d]+)\n", arrastre)
    assert any(len(numbers.split()) < hand.count("╭") for hand, numbers in hands)
    for hand, numbers in hands:
        assert 1 <= len(numbers.split()) <= hand.count("╭")


def test_nothing_hidden_is_shown() -> None:
    """No card is named before it is played, shown by a swap, or in the person's own hand."""
    text = sit_down(Person(), seed=11, players=2, rules=SHORT)
    assert "pass\n" not in "\n".join(line for line in text.splitlines() if line.startswith("  Rival"))


@pytest.mark.parametrize("ending", ["q\n", "quit\n", ""])
def test_leaving_is_clean(ending: str) -> None:
    done = tapete("play", "--bot", "random", "--seed", "1", stdin=f"1\n{ending}")
    assert done.code == 0
    assert done.out.endswith("You leave the table. Goodbye.\n")
    assert done.err == ""


def test_the_seed_is_shown_and_gives_the_same_game() -> None:
    first = tapete("play", "--bot", "random", stdin="1\n1\nq\n")
    found = re.search(r"Seed (\d+)\.", first.out)
    assert found is not None
    assert tapete("play", "--bot", "random", "--seed", found[1], stdin="1\n1\nq\n") == first


def test_a_server_can_play_the_bots(server: str) -> None:
    arguments = ["play", "--seed", "9", "--iterations", "50", "--players", "2"]
    lines = "h\n" + "1\n" * 8 + "q\n"
    assert tapete(*arguments, "--server", server, stdin=lines) == tapete(*arguments, stdin=lines)


def test_an_unknown_bot_is_told_before_the_game_goes_on() -> None:
    done = tapete("play", "--bot", "nobody", "--seed", "1", stdin="1\n" * 5)
    assert done.code == 2
    assert "nobody" in done.err
    assert done.out == ""


def test_a_record_never_overwrites_a_file(tmp_path: Path) -> None:
    record = tmp_path / "match.txt"
    record.write_text("precious")
    done = tapete("play", "--bot", "random", "--record", record, stdin="1\nq\n")
    assert (done.code, done.out) == (2, "")
    assert "exists already" in done.err
    assert record.read_text() == "precious"
    assert list(tmp_path.iterdir()) == [record]


def test_a_record_is_made_once_a_move_was_made(tmp_path: Path) -> None:
    record = tmp_path / "match.txt"
    assert tapete("play", "--bot", "nobody", "--record", record).code == 2
    assert tapete("play", "--bot", "random", "--players", "2", "--seed", "2", "--record", record).code == 0
    unmoved = not list(tmp_path.iterdir())
    sit_down(Person("1", "q"), seed=6, players=2, record=record)
    assert unmoved
    assert list(tmp_path.iterdir()) == [record]
    assert replay(read_record(record.read_text())).deals


def test_a_file_that_appears_during_the_match_stays(tmp_path: Path) -> None:
    record = tmp_path / "match.txt"
    person = Person("1", "q")

    def read(prompt: str) -> str:
        record.write_text("precious")
        return person(prompt)

    text = sit_down(read, seed=6, players=2, record=record)  # type: ignore[arg-type]
    assert record.read_text() == "precious"
    (beside,) = set(tmp_path.iterdir()) - {record}
    assert beside.name in text.replace("\n", "")
    assert replay(read_record(beside.read_text())).deals


@pytest.mark.long
def test_a_deal_at_a_terminal() -> None:
    """A pseudo-terminal, as a person has it: colours, prompts, a hint, to the end of the deal, Ctrl-C."""
    main, side = pty.openpty()
    environment = {**os.environ, **ENVIRONMENT, "TERM": "xterm-256color"}
    environment.pop("NO_COLOR")
    process = subprocess.Popen(
        [*PROGRAM, "play", "--seed", "6", "--players", "2", "--bot", "heuristic"],
        stdin=side,
        stdout=side,
        stderr=side,
        env=environment,
        start_new_session=True,
        # Ctrl-C reaches the program only through a terminal of its own.
        preexec_fn=_take_terminal,  # noqa: PLW1509
    )
    os.close(side)
    screen = Screen(main)
    try:
        screen.wait_for("Your ")
        screen.type("h\r")
        screen.wait_for("Hint of heuristic@1")
        while "Enter for the next deal" not in screen.text:
            screen.wait_for("q quit): ", "Enter for the next deal")
            if "Enter for the next deal" not in screen.text:
                screen.type("1\r")
        assert "Coto: you " in screen.text
        assert "\x1b[" in screen.text
        # A signal that comes in the moment before the prompt's read blocks is seen at the next key only:
        # that is Python's own, and a person presses again.
        for _ in range(10):
            screen.type("\x03")
            if screen.shows("You leave the table. Goodbye.", 3):
                break
        screen.wait_for("You leave the table. Goodbye.")
        assert process.wait(10) == 0
    finally:
        process.kill()
        process.wait()
        os.close(main)


def _take_terminal() -> None:
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


class Screen:
    """What a terminal has shown."""

    def __init__(self, terminal: int) -> None:
        self._terminal = terminal
        self.text = ""
        self._seen = 0

    def type(self, keys: str) -> None:
        os.write(self._terminal, keys.encode())

    def shows(self, word: str, seconds: float) -> bool:
        """Tells whether a word stands there within some seconds."""
        end = time.monotonic() + seconds
        while word not in self.text and time.monotonic() < end:
            if select.select([self._terminal], [], [], 0.2)[0]:
                self.text += os.read(self._terminal, 65536).decode()
        return word in self.text

    def wait_for(self, *words: str) -> None:
        """Reads on until one of the words stands in what was not yet waited for."""
        end = time.monotonic() + 60
        while True:
            places = [
                self.text.find(word, self._seen) + len(word)
                for word in words
                if word in self.text[self._seen :]
            ]
            if places:
                self._seen = min(places)
                return
            if time.monotonic() > end:
                raise AssertionError(f"{words} did not appear in:\n{self.text[-2000:]}")
            if select.select([self._terminal], [], [], 1)[0]:
                self.text += os.read(self._terminal, 65536).decode()
