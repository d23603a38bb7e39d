"""Corruptions of single fields and of scores; importing this module adds them to `CASES`."""

from tapete.v1 import GuinoteView
from tests.games.view_corruptions import UNKNOWN, case, early, late, two
from tests.games.view_games import card

# --- fields: presence, ranges, lists --------------------------------------------------------------

case("players absent", late(), lambda v: v.ClearField("players"), ("players", "MISSING_FIELD", "G2"))
case("three players", late(), lambda v: setattr(v, "players", 3), ("players", "OUT_OF_RANGE", "G2"))
case("seat absent", late(), lambda v: v.ClearField("seat"), ("seat", "MISSING_FIELD", "0 to 3"))
case("seat 4 of four", late(), lambda v: setattr(v, "seat", 4), ("seat", "OUT_OF_RANGE", "seat is 4"))
case("seat 2 of two", two(), lambda v: setattr(v, "seat", 2), ("seat", "OUT_OF_RANGE", "0 to 1"))
case("dealer absent", two(), lambda v: v.ClearField("dealer"), ("dealer", "MISSING_FIELD", "0 to 1"))
case("dealer 7", late(), lambda v: setattr(v, "dealer", 7), ("dealer", "OUT_OF_RANGE", "dealer is 7"))
case("muestra absent", two(), lambda v: v.ClearField("muestra"), ("muestra", "MISSING_FIELD", "G4"))
case(
    "muestra without suit",
    two(),
    lambda v: v.muestra.ClearField("suit"),
    ("muestra.suit", "MISSING_FIELD", "suit"),
)
case("muestra 8", late(), lambda v: setattr(v.muestra, "rank", 8), ("muestra.rank", "OUT_OF_RANGE", "G1"))
case(
    "fifth suit",
    late(),
    lambda v: setattr(v.tricks[2].cards[1], "suit", 5),
    ("tricks[2].cards[1].suit", "OUT_OF_RANGE", "suit is 5"),
)
case(
    "negative suit",
    late(),
    lambda v: setattr(v.hand[0], "suit", -1),
    ("hand[0].suit", "OUT_OF_RANGE", "suit is -1"),
)
case("rank 13", two(), lambda v: setattr(v.hand[4], "rank", 13), ("hand[4].rank", "OUT_OF_RANGE", "G1"))
case("rank absent", two(), lambda v: v.hand[1].ClearField("rank"), ("hand[1].rank", "OUT_OF_RANGE", "G1"))
case(
    "card without anything",
    late(),
    lambda v: v.tricks[0].cards[3].Clear(),
    ("tricks[0].cards[3].suit", "MISSING_FIELD", "suit"),
    ("tricks[0].cards[3].rank", "OUT_OF_RANGE", "G1"),
)
case("decision absent", late(), lambda v: v.ClearField("decision"), ("decision", "MISSING_FIELD", "decision"))
case(
    "decision 4",
    late(),
    lambda v: setattr(v, "decision", 4),
    ("decision", "OUT_OF_RANGE", "GUINOTE_DECISION_PLAY"),
)
case("malas 4", late(), lambda v: setattr(v.rules, "malas", 4), ("rules.malas", "OUT_OF_RANGE", "G24"))
case("malas -1", late(), lambda v: setattr(v.rules, "malas", -1), ("rules.malas", "OUT_OF_RANGE", "G24"))
case(
    "coto of no points",
    two(),
    lambda v: setattr(v.rules, "points_per_coto", 0),
    ("rules.points_per_coto", "OUT_OF_RANGE", "G26"),
)
case(
    "coto of 21 points",
    two(),
    lambda v: setattr(v.rules, "points_per_coto", 21),
    ("rules.points_per_coto", "OUT_OF_RANGE", "1 to 20 (G26)"),
)
case(
    "leader absent",
    late(),
    lambda v: v.tricks[3].ClearField("leader"),
    ("tricks[3].leader", "MISSING_FIELD", "0 to 3"),
)
case(
    "leader 4",
    late(),
    lambda v: setattr(v.tricks[6], "leader", 4),
    ("tricks[6].leader", "OUT_OF_RANGE", "0 to 3"),
)
case(
    "seat of a cante absent",
    two(),
    lambda v: v.cantes[1].ClearField("seat"),
    ("cantes[1].seat", "MISSING_FIELD", "0 to 1"),
)
case(
    "seat of a cante 2",
    two(),
    lambda v: setattr(v.cantes[1], "seat", 2),
    ("cantes[1].seat", "OUT_OF_RANGE", "0 to 1"),
)
case(
    "suit of a cante absent",
    late(),
    lambda v: v.cantes[0].ClearField("suit"),
    ("cantes[0].suit", "MISSING_FIELD", "suit"),
)
case(
    "suit of a cante 5",
    late(),
    lambda v: setattr(v.cantes[0], "suit", 5),
    ("cantes[0].suit", "OUT_OF_RANGE", "5"),
)
case(
    "moment of a cante absent",
    late(),
    lambda v: v.cantes[2].ClearField("after_tricks"),
    ("cantes[2].after_tricks", "MISSING_FIELD", "1 to 9"),
)
case(
    "cante before the first trick",
    late(),
    lambda v: setattr(v.cantes[0], "after_tricks", 0),
    ("cantes[0].after_tricks", "OUT_OF_RANGE", "1 to 9"),
)
case(
    "cante after the final trick",
    late(),
    lambda v: setattr(v.cantes[2], "after_tricks", 10),
    ("cantes[2].after_tricks", "OUT_OF_RANGE", "1 to 9"),
)
case(
    "seat of the swap absent",
    two(),
    lambda v: v.swap.ClearField("seat"),
    ("swap.seat", "MISSING_FIELD", "0 to 1"),
)
case(
    "seat of the swap 9",
    late(),
    lambda v: setattr(v.swap, "seat", 9),
    ("swap.seat", "OUT_OF_RANGE", "0 to 3"),
)
case(
    "moment of the swap absent",
    two(),
    lambda v: v.swap.ClearField("after_tricks"),
    ("swap.after_tricks", "MISSING_FIELD", "1 to 14"),
)
case(
    "swap in arrastre",
    late(),
    lambda v: setattr(v.swap, "after_tricks", 5),
    ("swap.after_tricks", "OUT_OF_RANGE", "1 to 4"),
)
case(
    "window of the swap absent",
    two(),
    lambda v: v.swap.ClearField("window"),
    ("swap.window", "MISSING_FIELD", "G17"),
)
case(
    "window of the swap 3",
    two(),
    lambda v: setattr(v.swap, "window", 3),
    ("swap.window", "OUT_OF_RANGE", "G17"),
)
case(
    "points carried by one side only",
    late(),
    lambda v: setattr(v.vueltas, "odd_side", 50),
    ("vueltas.even_side", "MISSING_FIELD", "G2"),
)
case(
    "coto of one side only",
    late(),
    lambda v: setattr(v.coto, "even_side", 1),
    ("coto.odd_side", "MISSING_FIELD", "G2"),
)
case("unknown field", late(), lambda v: v.MergeFromString(UNKNOWN), ("", "UNKNOWN_FIELD", "drop a rule"))
case(
    "unknown rule",
    two(),
    lambda v: v.rules.MergeFromString(UNKNOWN),
    ("rules", "UNKNOWN_FIELD", "drop a rule"),
)
case(
    "unknown field of a card",
    late(),
    lambda v: v.tricks[1].cards[3].MergeFromString(UNKNOWN),
    ("tricks[1].cards[3]", "UNKNOWN_FIELD", "does not know"),
)
case(
    "unknown fields in several places",
    two(),
    lambda v: [m.MergeFromString(UNKNOWN) for m in (v.muestra, v.hand[2], v.tricks[14], v.cantes[0], v.swap)],
    ("muestra", "UNKNOWN_FIELD", ""),
    ("hand[2]", "UNKNOWN_FIELD", ""),
    ("tricks[14]", "UNKNOWN_FIELD", ""),
    ("cantes[0]", "UNKNOWN_FIELD", ""),
    ("swap", "UNKNOWN_FIELD", ""),
)


def draw_two(view: GuinoteView) -> None:
    view.hand.extend([card("11O"), card("1B")])


case("seven cards", two(), draw_two, ("hand", "TOO_MANY", "at most 6 (G3)"))
case(
    "eleven tricks",
    late(),
    lambda v: v.tricks.extend([v.tricks[0]] * 4),
    ("tricks", "TOO_MANY", "at most 10"),
    ...,
)
case(
    "twenty-one tricks",
    two(),
    lambda v: v.tricks.extend([v.tricks[0]] * 6),
    ("tricks", "TOO_MANY", "at most 20"),
    ...,
)
case(
    "five cantes",
    late(),
    lambda v: v.cantes.extend([v.cantes[2]] * 2),
    ("cantes", "TOO_MANY", "one a suit (G19)"),
)

# --- scores ---------------------------------------------------------------------------------------


def carry(view: GuinoteView, even: int, odd: int) -> None:
    view.vueltas.even_side, view.vueltas.odd_side = even, odd


def win_points(view: GuinoteView, even: int, odd: int) -> None:
    view.coto.even_side, view.coto.odd_side = even, odd


case("101 carried", early(), lambda v: carry(v, 101, 29), ("vueltas.even_side", "IMPOSSIBLE_SCORE", "G25"))
case(
    "140 carried", early(), lambda v: carry(v, 70, 70), ("vueltas", "IMPOSSIBLE_SCORE", "130, 150, 170, 190")
)
case("nothing carried", early(), lambda v: carry(v, 0, 0), ("vueltas", "IMPOSSIBLE_SCORE", "add up to 0"))
case("coto won", late(), lambda v: win_points(v, 0, 3), ("coto.odd_side", "IMPOSSIBLE_SCORE", "G26"))


def short_coto(view: GuinoteView) -> None:
    view.rules.points_per_coto = 1
    win_points(view, 1, 0)


case("short coto won", late(), short_coto, ("coto.even_side", "IMPOSSIBLE_SCORE", "at 1 the coto is won"))
