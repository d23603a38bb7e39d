"""Bots by id: versions, options, refusals in sentences, bots of other distributions."""

import importlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import FrozenInstanceError
from types import SimpleNamespace

import pytest

from tapete.v1 import Game
from tapete_bots import registry
from tapete_bots.bot import Budget, Control
from tapete_bots.registry import (
    BotIdError,
    BotInfo,
    BotKind,
    InvalidOptionError,
    OptionInfo,
    RetiredBotError,
    UnknownBotError,
    UnknownOptionError,
    find_bot,
    list_bots,
    warm_up,
)
from tapete_bots.uniform import RandomBot
from tests.bots.guinote_situations import position_of, samples

# --- the public surface -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("module", "members"),
    [
        ("tapete_bots.bot", ["Answer", "Bot", "Budget", "Cancelled", "Candidate", "Control", "Report"]),
        (
            "tapete_bots.registry",
            [
                "BotIdError",
                "BotInfo",
                "BotKind",
                "DEFAULT_BOT",
                "InvalidOptionError",
                "OptionInfo",
                "RetiredBotError",
                "UnknownBotError",
                "UnknownOptionError",
                "find_bot",
                "list_bots",
                "warm_up",
            ],
        ),
        ("tapete_bots.uniform", ["RandomBot"]),
        ("tapete_bots.guinote.bots", ["HeuristicBot", "IsmctsBot", "warm_up"]),
        ("tapete_bots.gile.bots", ["HeuristicBot", "IsmctsBot", "rule_of_thumb", "warm_up"]),
        ("tapete_bots.gile.equilibrium.bot", ["EquilibriumBot", "is_inside", "warm_up"]),
        ("tapete_bots.gile.uniform", ["RandomBot"]),
    ],
)
def test_exported_members(module: str, members: list[str]) -> None:
    found = importlib.import_module(module)
    assert sorted(found.__all__) == members
    assert all(hasattr(found, name) for name in members)


def test_the_bots_and_their_options() -> None:
    found = {
        info.id: [
            option.name for option in info.options if not option.games or Game.GAME_GUINOTE in option.games
        ]
        for info in list_bots()
    }
    assert found == {
        "equilibrium@1": [],
        "heuristic@1": ["endgame"],
        "ismcts@1": [
            "iterations",
            "exploration",
            "prior",
            "patience",
            "points_share",
            "rollout",
            "endgame",
        ],
        "random@1": [],
    }
    assert list(found) == sorted(found)
    assert registry.DEFAULT_BOT == "ismcts"


def test_the_options_of_gile() -> None:
    found = {
        info.id: [
            option.name for option in info.options if not option.games or Game.GAME_GILE in option.games
        ]
        for info in list_bots()
    }
    assert found == {
        "equilibrium@1": [],
        "heuristic@1": ["style"],
        "ismcts@1": ["iterations", "exploration", "belief"],
        "random@1": [],
    }


def test_an_option_of_another_game_is_unknown() -> None:
    assert find_bot("heuristic?style=tight", Game.GAME_GILE).id == "heuristic@1?style=tight"
    assert find_bot("heuristic?endgame=exact", Game.GAME_GUINOTE).games == (Game.GAME_GUINOTE,)
    with pytest.raises(UnknownOptionError) as error:
        find_bot("heuristic?endgame=exact", Game.GAME_GILE)
    assert error.value.known == ("style",)
    with pytest.raises(UnknownOptionError):
        find_bot("heuristic?style=tight", Game.GAME_GUINOTE)
    # One name, two defaults.
    assert find_bot("ismcts?exploration=4", Game.GAME_GILE).id == "ismcts@1"
    assert find_bot("ismcts?exploration=4", Game.GAME_GUINOTE).id == "ismcts@1?exploration=4.0"


def test_infos_are_complete() -> None:
    for info in list_bots():
        expected = (Game.GAME_GILE,) if info.id == "equilibrium@1" else (Game.GAME_GUINOTE, Game.GAME_GILE)
        assert info.games == expected
        assert info.summary.endswith(".")
        for option in info.options:
            assert option.summary
            # the default is one of the values allowed
            assert option.read(info.id, str(option.default)) == option.default
            assert bool(option.choices) != (option.minimum is not None and option.maximum is not None)
        with pytest.raises(FrozenInstanceError):
            info.id = "other@1"  # type: ignore[misc]


# --- ids ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "bot_id"),
    [
        ("", "ismcts@1"),
        ("random", "random@1"),
        ("random@1", "random@1"),
        ("heuristic", "heuristic@1"),
        ("heuristic?endgame=exact", "heuristic@1?endgame=exact"),
        ("heuristic@1?endgame=off", "heuristic@1"),
        ("ismcts", "ismcts@1"),
        ("ismcts@1", "ismcts@1"),
        ("ismcts?iterations=500", "ismcts@1?iterations=500"),
        ("ismcts@1?iterations=20000", "ismcts@1"),
        ("ismcts?exploration=0.70", "ismcts@1?exploration=0.7"),
        ("ismcts?exploration=1", "ismcts@1?exploration=1.0"),
        # in the order of the options
        ("ismcts?endgame=off&iterations=9", "ismcts@1?iterations=9&endgame=off"),
        (
            "ismcts?rollout=random&prior=0&exploration=10",
            "ismcts@1?exploration=10.0&prior=0.0&rollout=random",
        ),
        # the ends of the ranges
        ("ismcts?iterations=1&patience=1000000", "ismcts@1?iterations=1&patience=1000000"),
        ("ismcts?iterations=10000000&points_share=1", "ismcts@1?iterations=10000000&points_share=1.0"),
        # as browsers escape it
        ("ismcts?rollout=%72andom", "ismcts@1?rollout=random"),
    ],
)
def test_ids_are_normalised(text: str, bot_id: str) -> None:
    bot = find_bot(text)
    assert bot.id == bot_id
    assert bot.games == (Game.GAME_GUINOTE,)
    # a normalised id is its own
    assert find_bot(bot.id).id == bot_id


def test_the_same_text_gives_the_same_bot() -> None:
    assert find_bot("ismcts?iterations=7") is find_bot("ismcts?iterations=7")
    assert find_bot("") is find_bot("")


def test_options_change_the_play() -> None:
    """Each option of the search reaches it: with some position its answer differs from the default's."""
    positions = [position_of(deal) for deal in samples(60, 0.2)]

    def answers(text: str) -> list[object]:
        bot = find_bot(text)
        return [bot.choose(position, Budget(), 0, Control()) for position in positions]

    base = "ismcts?iterations=40"
    default = answers(base)
    for option in (
        "exploration=2",
        "prior=0.1",
        "patience=5",
        "points_share=0.1",
        "rollout=random",
        "endgame=off",
    ):
        assert answers(f"{base}&{option}") != default, option
    assert answers("ismcts?iterations=41") != default
    assert answers("heuristic?endgame=exact") != answers("heuristic")


# --- refusals -----------------------------------------------------------------------------------

KNOWN_BOTS = "equilibrium@1, heuristic@1, ismcts@1, random@1"
SEARCH_OPTIONS = "iterations, exploration, prior, patience, points_share, rollout, endgame"


@pytest.mark.parametrize(
    ("text", "error", "sentence"),
    [
        ("nobody", UnknownBotError, f"there is no bot 'nobody'; known: {KNOWN_BOTS}"),
        ("ismcts@2", UnknownBotError, f"there is no bot 'ismcts@2'; known: {KNOWN_BOTS}"),
        ("ISMCTS", UnknownBotError, f"there is no bot 'ISMCTS'; known: {KNOWN_BOTS}"),
        ("@1", UnknownBotError, f"there is no bot '@1'; known: {KNOWN_BOTS}"),
        ("?iterations=5", UnknownBotError, f"there is no bot ''; known: {KNOWN_BOTS}"),
        (
            "ismcts?speed=5",
            UnknownOptionError,
            f"bot ismcts@1 has no option 'speed'; known: {SEARCH_OPTIONS}",
        ),
        (
            "ismcts?Iterations=5",
            UnknownOptionError,
            f"bot ismcts@1 has no option 'Iterations'; known: {SEARCH_OPTIONS}",
        ),
        ("heuristic?x=", UnknownOptionError, "bot heuristic@1 has no option 'x'; known: endgame"),
        ("random?x=1", UnknownOptionError, "bot random@1 has no option 'x'; known: none"),
        (
            "ismcts?iterations=0",
            InvalidOptionError,
            "option iterations of bot ismcts@1 cannot be '0': expected a whole number from 1 to 10000000",
        ),
        (
            "ismcts?patience=1000001",
            InvalidOptionError,
            "option patience of bot ismcts@1 cannot be '1000001': expected a whole number from 1 to 1000000",
        ),
        (
            "ismcts?iterations=1e3",
            InvalidOptionError,
            "option iterations of bot ismcts@1 cannot be '1e3': expected a whole number from 1 to 10000000",
        ),
        (
            "ismcts?iterations=1_0",
            InvalidOptionError,
            "option iterations of bot ismcts@1 cannot be '1_0': expected a whole number from 1 to 10000000",
        ),
        (
            "ismcts?exploration=-0.0",
            InvalidOptionError,
            "option exploration of bot ismcts@1 cannot be '-0.0': expected a number from 0 to 10",
        ),
        (
            "ismcts?exploration=nan",
            InvalidOptionError,
            "option exploration of bot ismcts@1 cannot be 'nan': expected a number from 0 to 10",
        ),
        (
            "ismcts?exploration=-0.1",
            InvalidOptionError,
            "option exploration of bot ismcts@1 cannot be '-0.1': expected a number from 0 to 10",
        ),
        (
            "ismcts?exploration=inf",
            InvalidOptionError,
            "option exploration of bot ismcts@1 cannot be 'inf': expected a number from 0 to 10",
        ),
        (
            "ismcts?rollout=fast",
            InvalidOptionError,
            "option rollout of bot ismcts@1 cannot be 'fast': expected rules or random",
        ),
        (
            "ismcts?rollout=",
            InvalidOptionError,
            "option rollout of bot ismcts@1 cannot be '': expected rules or random",
        ),
        (
            "heuristic?endgame=Exact",
            InvalidOptionError,
            "option endgame of bot heuristic@1 cannot be 'Exact': expected exact or off",
        ),
        (
            "ismcts?iterations=5&iterations=6",
            InvalidOptionError,
            "option iterations of bot ismcts@1 cannot be '6': expected to be given once",
        ),
    ],
)
def test_refusals_are_sentences(text: str, error: type[BotIdError], sentence: str) -> None:
    with pytest.raises(BotIdError) as caught:
        find_bot(text)
    assert type(caught.value) is error
    assert str(caught.value) == sentence
    assert isinstance(caught.value, ValueError)


@pytest.mark.parametrize("query", ["iterations", "iterations=5&", "&", "=5&exploration"])
def test_what_is_not_option_and_value_is_refused(query: str) -> None:
    with pytest.raises(InvalidOptionError, match="option=value, more of them behind &"):
        find_bot(f"ismcts?{query}")


def test_errors_carry_what_they_name() -> None:
    with pytest.raises(UnknownBotError) as unknown:
        find_bot("nobody@3")
    assert (unknown.value.bot, unknown.value.known) == (
        "nobody@3",
        ("equilibrium@1", "heuristic@1", "ismcts@1", "random@1"),
    )
    with pytest.raises(UnknownOptionError) as option:
        find_bot("heuristic?speed=1")
    assert (option.value.option, option.value.known) == ("speed", ("endgame",))
    with pytest.raises(InvalidOptionError) as invalid:
        find_bot("ismcts?prior=2")
    assert (invalid.value.option, invalid.value.value, invalid.value.expected) == (
        "prior",
        "2",
        "a number from 0 to 1",
    )


# --- versions and other distributions -----------------------------------------------------------


def make_random(game: Game.ValueType, bot_id: str, _: Mapping[str, registry.Value]) -> RandomBot:
    return RandomBot(bot_id)


def kind_of(bot_id: str, *options: OptionInfo) -> BotKind:
    return BotKind(BotInfo(bot_id, "Of a test.", (Game.GAME_GUINOTE,), options), make_random)


Install = Callable[..., None]


@pytest.fixture
def install(monkeypatch: pytest.MonkeyPatch) -> Iterator[Install]:
    """Installs bots as entry points, and retired ones, for one test."""

    def forget() -> None:
        registry._kinds.cache_clear()
        registry._make.cache_clear()

    def put(*kinds: BotKind, retired: Mapping[str, str] | None = None) -> None:
        def entries(group: str) -> list[SimpleNamespace]:
            assert group == "tapete.bots"
            return [SimpleNamespace(load=lambda kind=kind: kind) for kind in kinds]

        monkeypatch.setattr(registry, "entry_points", entries)
        monkeypatch.setattr(registry, "_RETIRED", dict(retired or {}))
        forget()

    yield put
    monkeypatch.undo()
    forget()


def test_an_unversioned_id_is_the_newest_version(install: Install) -> None:
    install(kind_of("random@2"), kind_of("random@10"), kind_of("ismcts@0"))
    assert find_bot("random").id == "random@10"
    assert find_bot("random@2").id == "random@2"
    assert find_bot("random@1").id == "random@1"
    assert find_bot("").id == "ismcts@1"
    ids = [info.id for info in list_bots()]
    assert ids == [
        "equilibrium@1",
        "heuristic@1",
        "ismcts@1",
        "ismcts@0",
        "random@10",
        "random@2",
        "random@1",
    ]


def test_a_bot_of_another_distribution_is_found_with_its_options(install: Install) -> None:
    install(kind_of("guest@1", OptionInfo("courage", "how bold it is", 0.5, 0.0, 1.0)))
    assert find_bot("guest?courage=1").id == "guest@1?courage=1.0"
    assert "guest@1" in [info.id for info in list_bots()]
    with pytest.raises(UnknownBotError, match=r"known: equilibrium@1, guest@1, heuristic@1, ismcts@1"):
        find_bot("stranger")
    with pytest.raises(UnknownOptionError, match=r"bot guest@1 has no option 'fear'; known: courage"):
        find_bot("guest?fear=1")


def test_a_built_in_bot_is_not_replaced(install: Install) -> None:
    install(kind_of("heuristic@1", OptionInfo("other", "of another bot", 1, 0, 2)))
    assert find_bot("heuristic?endgame=exact").id == "heuristic@1?endgame=exact"


@pytest.mark.parametrize("text", ["random@0", "random@0?x=1"])
def test_a_retired_version_names_its_successor(install: Install, text: str) -> None:
    install(retired={"random@0": "random@1"})
    with pytest.raises(RetiredBotError) as caught:
        find_bot(text)
    assert str(caught.value) == "bot 'random@0' is retired; its successor is random@1"
    assert (caught.value.bot, caught.value.successor) == ("random@0", "random@1")
    assert isinstance(caught.value, BotIdError)
    assert find_bot("random").id == "random@1"


def test_warm_up_does_the_work_of_each_kind_once(install: Install) -> None:
    done: list[str] = []
    warm = BotKind(kind_of("guest@1").info, make_random, lambda: done.append("warm"))
    install(warm)
    warm_up()
    assert done == ["warm"]
    # and what it compiled answers
    bot = find_bot("ismcts")
    deal = next(samples(1, 0.2))
    assert bot.choose(position_of(deal), Budget(1), 0, Control()).move in deal.legal_moves()
