"""The bots by id: `name`, `name@version`, either with `?option=value&option=value`.

An id without a version is its newest. An id never changes its play without a new version; a retired
version is refused with the name of its successor. Bots of other distributions join through the
entry-point group `tapete.bots`, each entry a `BotKind`.

    BotIdError
      UnknownBotError
      RetiredBotError
      UnknownOptionError
      InvalidOptionError
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.metadata import entry_points
from urllib.parse import parse_qsl

from tapete.v1 import Game
from tapete_bots.bot import Bot

__all__ = [
    "DEFAULT_BOT",
    "BotIdError",
    "BotInfo",
    "BotKind",
    "InvalidOptionError",
    "OptionInfo",
    "RetiredBotError",
    "UnknownBotError",
    "UnknownOptionError",
    "find_bot",
    "list_bots",
    "warm_up",
]

DEFAULT_BOT = "ismcts"

# Python's own readers take more: underscores, signs, other scripts' digits.
_WHOLE = re.compile(r"[0-9]{1,18}")
_NUMBER = re.compile(r"[0-9]{1,18}(\.[0-9]{1,18})?")
_ID = re.compile(r"[a-z][a-z0-9_-]*@[0-9]{1,9}")

Value = int | float | str


class BotIdError(ValueError):
    """A text that names no bot."""


class UnknownBotError(BotIdError):
    """No bot has this id."""

    def __init__(self, bot: str, known: tuple[str, ...]) -> None:
        super().__init__(f"there is no bot {bot!r}; known: {', '.join(known)}")
        self.bot = bot
        self.known = known


class RetiredBotError(BotIdError):
    """This version of the bot is retired."""

    def __init__(self, bot: str, successor: str) -> None:
        super().__init__(f"bot {bot!r} is retired; its successor is {successor}")
        self.bot = bot
        self.successor = successor


class UnknownOptionError(BotIdError):
    """The bot has no such option."""

    def __init__(self, bot: str, option: str, known: tuple[str, ...]) -> None:
        names = ", ".join(known) if known else "none"
        super().__init__(f"bot {bot} has no option {option!r}; known: {names}")
        self.option = option
        self.known = known


class InvalidOptionError(BotIdError):
    """An option has a value that it cannot have."""

    def __init__(self, bot: str, option: str, value: str, expected: str) -> None:
        super().__init__(f"option {option} of bot {bot} cannot be {value!r}: expected {expected}")
        self.option = option
        self.value = value
        self.expected = expected


@dataclass(frozen=True)
class OptionInfo:
    """An option of a bot: a whole number, a number or one of some words, by the type of its default."""

    name: str
    summary: str
    default: Value
    minimum: float | None = None
    """Smallest number allowed, inclusive."""
    maximum: float | None = None
    """Largest number allowed, inclusive."""
    choices: tuple[str, ...] = ()
    """The words allowed; empty for numbers."""
    games: "tuple[Game.ValueType, ...]" = ()
    """The games in which it exists; empty for all games of the bot."""

    @property
    def expected(self) -> str:
        """What a value must be, in words."""
        if self.choices:
            return " or ".join(self.choices)
        if isinstance(self.default, int):
            return f"a whole number from {self.minimum:.0f} to {self.maximum:.0f}"
        return f"a number from {self.minimum:g} to {self.maximum:g}"

    def read(self, bot: str, text: str) -> Value:
        """Reads a value.

        Raises:
            InvalidOptionError: It is not a value of this option.
        """
        if self.choices:
            if text in self.choices:
                return text
            raise InvalidOptionError(bot, self.name, text, self.expected)
        if not (_WHOLE if isinstance(self.default, int) else _NUMBER).fullmatch(text):
            raise InvalidOptionError(bot, self.name, text, self.expected)
        value = int(text) if isinstance(self.default, int) else float(text)
        if self.minimum is None or self.maximum is None or not self.minimum <= value <= self.maximum:
            raise InvalidOptionError(bot, self.name, text, self.expected)
        return value


@dataclass(frozen=True)
class BotInfo:
    """What there is to know about a bot before it is made."""

    id: str
    """The versioned id, as `heuristic@1`."""
    summary: str
    games: "tuple[Game.ValueType, ...]"
    options: tuple[OptionInfo, ...] = ()


@dataclass(frozen=True)
class BotKind:
    """A bot that can be made: what the registry holds and what an entry point offers."""

    info: BotInfo
    make: "Callable[[Game.ValueType, str, Mapping[str, Value]], Bot]"
    """Makes the bot for one of its games, from its full id and the values of that game's options."""
    warm_up: Callable[[], None] | None = None
    """Compiles or loads what the bot needs, so that its first answer is not late."""

    @property
    def name(self) -> str:
        """The id without its version."""
        return self.info.id.partition("@")[0]


# Kernels are compiled or loaded when their module is imported: only when a bot is made.
def _make_random(game: "Game.ValueType", bot_id: str, _: Mapping[str, Value]) -> Bot:
    if game == Game.GAME_GILE:
        from tapete_bots.gile.uniform import RandomBot as GileRandomBot  # noqa: PLC0415

        return GileRandomBot(bot_id)
    from tapete_bots.uniform import RandomBot  # noqa: PLC0415

    return RandomBot(bot_id)


def _make_heuristic(game: "Game.ValueType", bot_id: str, options: Mapping[str, Value]) -> Bot:
    if game == Game.GAME_GILE:
        from tapete_bots.gile.bots import HeuristicBot as GileHeuristicBot  # noqa: PLC0415

        return GileHeuristicBot(bot_id, options)
    from tapete_bots.guinote.bots import HeuristicBot  # noqa: PLC0415

    return HeuristicBot(bot_id, options)


def _make_ismcts(game: "Game.ValueType", bot_id: str, options: Mapping[str, Value]) -> Bot:
    if game == Game.GAME_GILE:
        from tapete_bots.gile.bots import IsmctsBot as GileIsmctsBot  # noqa: PLC0415

        return GileIsmctsBot(bot_id, options)
    from tapete_bots.guinote.bots import IsmctsBot  # noqa: PLC0415

    return IsmctsBot(bot_id, options)


def _make_equilibrium(_: "Game.ValueType", bot_id: str, __: Mapping[str, Value]) -> Bot:
    from tapete_bots.gile.equilibrium.bot import EquilibriumBot  # noqa: PLC0415

    return EquilibriumBot(bot_id)


def _warm_up() -> None:
    from tapete_bots.gile import bots as gile  # noqa: PLC0415
    from tapete_bots.guinote import bots as guinote  # noqa: PLC0415

    guinote.warm_up()
    gile.warm_up()


def _warm_up_equilibrium() -> None:
    from tapete_bots.gile.equilibrium import bot  # noqa: PLC0415

    bot.warm_up()


_GUINOTE = (Game.GAME_GUINOTE,)
_GILE = (Game.GAME_GILE,)
_BOTH = (Game.GAME_GUINOTE, Game.GAME_GILE)
_BUILT_IN = (
    BotKind(
        BotInfo(
            "equilibrium@1",
            "Gilé between two seats: a strategy computed in advance that no opponent beats by much. With "
            "more seats, or rules that it was not made for, it plays as the heuristic and says so.",
            _GILE,
        ),
        _make_equilibrium,
        _warm_up_equilibrium,
    ),
    BotKind(
        BotInfo(
            "heuristic@1",
            "A sound club player. Guiñote: sings, swaps, counts what was played, loads the partner's trick. "
            "Gilé: bets by pot odds and what the unseen cards leave, in one of five styles.",
            _BOTH,
            (
                OptionInfo(
                    "endgame",
                    "how two players play once the stock is gone: exact solves it, off leaves it to the "
                    "bot's own way",
                    "off",
                    choices=("exact", "off"),
                    games=_GUINOTE,
                ),
                OptionInfo(
                    "style",
                    "how it bets: station calls much and bets little",
                    "balanced",
                    choices=("balanced", "tight", "loose", "aggressive", "station"),
                    games=_GILE,
                ),
            ),
        ),
        _make_heuristic,
        _warm_up,
    ),
    BotKind(
        BotInfo(
            "ismcts@1",
            "Information set Monte Carlo tree search. Guiñote: with an exact second phase for two players. "
            "Gilé: against a model of the other seats, whose hands are sampled by what they did.",
            _BOTH,
            (
                OptionInfo(
                    "iterations", "search iterations when the request has no budget", 20_000, 1, 10_000_000
                ),
                OptionInfo(
                    "exploration", "exploration constant of the search", 0.5, 0.0, 10.0, games=_GUINOTE
                ),
                OptionInfo("exploration", "exploration constant of the search", 4.0, 0.0, 100.0, games=_GILE),
                OptionInfo(
                    "prior",
                    "share of the exploration that goes to the move of the rules",
                    0.5,
                    0.0,
                    1.0,
                    games=_GUINOTE,
                ),
                OptionInfo(
                    "patience",
                    "visits of a move before the node behind it is opened",
                    1,
                    1,
                    1_000_000,
                    games=_GUINOTE,
                ),
                OptionInfo(
                    "points_share",
                    "share of the difference of points in the utility",
                    0.9,
                    0.0,
                    1.0,
                    games=_GUINOTE,
                ),
                OptionInfo(
                    "rollout",
                    "who plays the rollouts and sets the prior: the rules of thumb, or nobody",
                    "rules",
                    choices=("rules", "random"),
                    games=_GUINOTE,
                ),
                OptionInfo(
                    "endgame",
                    "how two players play once the stock is gone: solved exactly, or searched",
                    "exact",
                    choices=("exact", "off"),
                    games=_GUINOTE,
                ),
                OptionInfo(
                    "belief",
                    "what the hands of the others are sampled by: what they did, or nothing",
                    "weighted",
                    choices=("weighted", "uniform"),
                    games=_GILE,
                ),
            ),
        ),
        _make_ismcts,
        _warm_up,
    ),
    BotKind(
        BotInfo(
            "random@1", "Any legal move, all equally likely; in Gilé any action and any of four sizes.", _BOTH
        ),
        _make_random,
    ),
)
# A retired version and its successor.
_RETIRED: dict[str, str] = {}


@cache
def _kinds() -> dict[str, BotKind]:
    """The bots by versioned id, in order of their ids, the newest version of each first."""
    kinds = {kind.info.id: kind for kind in _BUILT_IN}
    for entry in entry_points(group="tapete.bots"):
        kind = entry.load()
        if not _ID.fullmatch(kind.info.id):
            raise ValueError(
                f"{entry.value} offers a bot with the id {kind.info.id!r}: expected name@version"
            )
        kinds.setdefault(kind.info.id, kind)

    def order(bot_id: str) -> tuple[str, int]:
        name, _, version = bot_id.partition("@")
        return name, -int(version)

    return {bot_id: kinds[bot_id] for bot_id in sorted(kinds, key=order)}


def list_bots() -> tuple[BotInfo, ...]:
    """Lists the bots in order of their ids, the newest version of each first."""
    return tuple(kind.info for kind in _kinds().values())


def _find_kind(text: str) -> BotKind:
    kinds = _kinds()
    if text in kinds:
        return kinds[text]
    if text in _RETIRED:
        raise RetiredBotError(text, _RETIRED[text])
    for kind in kinds.values():
        if kind.name == text:
            return kind
    raise UnknownBotError(text, tuple(kinds))


@lru_cache(256)
def _make(text: str, game: "Game.ValueType") -> Bot:
    name, mark, query = text.partition("?")
    kind = _find_kind(name)
    if game not in kind.info.games:
        game = kind.info.games[0]
    options = {
        option.name: option for option in kind.info.options if not option.games or game in option.games
    }
    given: dict[str, Value] = {}
    try:
        pairs = parse_qsl(query, keep_blank_values=True, strict_parsing=True) if mark else []
    except ValueError:
        raise InvalidOptionError(kind.info.id, query, "", "option=value, more of them behind &") from None
    for key, value in pairs:
        if key not in options:
            raise UnknownOptionError(kind.info.id, key, tuple(options))
        if key in given:
            raise InvalidOptionError(kind.info.id, key, value, "to be given once")
        given[key] = options[key].read(kind.info.id, value)
    changed = [
        f"{key}={given[key]}"
        for key, option in options.items()
        if given.get(key, option.default) != option.default
    ]
    bot_id = kind.info.id + ("?" + "&".join(changed) if changed else "")
    return kind.make(game, bot_id, {key: given.get(key, option.default) for key, option in options.items()})


def find_bot(text: str, game: "Game.ValueType" = Game.GAME_UNSPECIFIED) -> Bot:
    """Finds a bot by its id; the same bot object is given again for the same text and game.

    Args:
        text: Id with or without version and options; empty for DEFAULT_BOT.
        game: The game that it is to play. For GAME_UNSPECIFIED, and for a game that it does not play, the
            first of its games: `Bot.games` tells.

    Raises:
        UnknownBotError: No bot has this id.
        RetiredBotError: The version is retired.
        UnknownOptionError: The bot has no such option in that game.
        InvalidOptionError: An option has a value outside its range.
    """
    return _make(text or DEFAULT_BOT, game)


def warm_up() -> None:
    """Compiles every kernel of every bot, or loads it from the cache: seconds when cold."""
    for work in {kind.warm_up for kind in _kinds().values() if kind.warm_up}:
        work()
