"""The `tapete` command: what it prints, its exit codes; help and error texts are snapshots."""

import json
import re
import signal
import socket
import subprocess
import time
from datetime import timedelta
from pathlib import Path

import pytest
import typer
from google.protobuf.json_format import Parse

from tapete.v1 import (
    ChooseMoveRequest,
    ChooseMoveResponse,
    GameView,
    ListBotsResponse,
    ListLegalMovesResponse,
)
from tapete_cli.in_process import NOTE, InProcessClient
from tapete_cli.messages import read_view
from tapete_server.core import BotCore, Reply
from tests.clients.command import GUINOTE, PROGRAM, Done, program, tapete
from tests.clients.snapshots import check_snapshot

DECLARE = GUINOTE / "declare.json"
VIEWS = sorted(GUINOTE.glob("*.json"))


def wrong_view(tmp_path: Path) -> Path:
    """A view with three faults that the server finds."""
    data = json.loads(DECLARE.read_text())
    data["guinote"]["hand"][2]["rank"] = 9
    data["guinote"]["seat"] = 4
    del data["guinote"]["dealer"]
    path = tmp_path / "wrong.json"
    path.write_text(json.dumps(data))
    return path


def shown(done: Done, *arguments: object) -> str:
    """Shows a command with all it printed."""
    words = " ".join(Path(str(a)).name if "/" in str(a) else str(a) for a in arguments)
    text = f"$ tapete {words}\n{done.out}"
    if done.err:
        text += f"--- standard error\n{done.err}"
    return f"{text}--- exit code {done.code}\n"


@pytest.mark.skipif(not typer.__version__.startswith("0.29."), reason="the snapshots are typer 0.29's")
@pytest.mark.parametrize("command", ["", "serve", "bots", "move", "legal", "deal", "play", "tournament"])
def test_help(command: str) -> None:
    arguments = [command, "--help"] if command else ["--help"]
    done = tapete(*arguments)
    assert done.code == 0
    check_snapshot(f"help_{command or 'tapete'}", shown(done, *arguments))


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("no_such_file", ["move", "missing.json"]),
        ("unknown_bot", ["move", DECLARE, "--bot", "ismtcs"]),
        ("unknown_bot_option", ["move", DECLARE, "--bot", "random?speed=5"]),
        ("bot_option_out_of_range", ["move", DECLARE, "--bot", "ismcts?iterations=0"]),
        ("record_cannot_be_written", ["play", "--record", "no/such/folder/match.txt"]),
        ("server_is_no_address", ["bots", "--server", "localhost"]),
        ("three_players", ["deal", "--players", "3"]),
        ("too_many_plies", ["deal", "--seed", "7", "--plies", "100"]),
        ("impossible_vueltas", ["deal", "--vueltas", "101-60"]),
        ("impossible_vueltas_total", ["deal", "--vueltas", "0-0"]),
        ("record_exists", ["play", "--record", "README.md"]),
        ("server_is_a_url", ["bots", "--server", "http://localhost:50051"]),
    ],
)
def test_usage_errors(name: str, arguments: list[str | Path]) -> None:
    done = tapete(*arguments)
    assert done.code == 2
    assert done.out == ""
    # What typer says before our own words changes with its version.
    said = done.err[done.err.index("Error: ") :]
    check_snapshot(f"error_{name}", shown(Done(done.code, "", said), *arguments))


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (["shuffle"], "shuffle"),
        (["move"], "VIEW"),
        (["move", DECLARE, "--iteration", "5"], "--iteration"),
        (["move", DECLARE, "--iterations", "-1"], "--iterations"),
        (["deal", "--game", "mus"], "mus"),
        (["play", "--malas", "forty"], "forty"),
        (["serve", "--port", "65536"], "--port"),
    ],
)
def test_usage_errors_in_the_librarys_words(arguments: list[str | Path], word: str) -> None:
    done = tapete(*arguments)
    assert (done.code, done.out) == (2, "")
    assert word in done.err.splitlines()[-1]


def test_a_refused_view_is_a_table_of_its_faults(tmp_path: Path) -> None:
    path = wrong_view(tmp_path)
    done = tapete("legal", path)
    assert done.code == 3
    assert done.out == ""
    check_snapshot("error_refused_view", shown(done, "legal", path))
    assert tapete("move", path) == done


def test_a_view_of_the_wrong_form_is_a_table_too() -> None:
    done = tapete("move", "-", stdin='{"mustra": {"suit": "OROS"}, "hand": [{"suit": "OROS", "rank": "1"}]}')
    assert done.code == 3
    check_snapshot("error_malformed_view", shown(done, "move", "-"))


def test_all_faults_are_counted(server: str, tmp_path: Path) -> None:
    data = json.loads(DECLARE.read_text())
    data["guinote"]["tricks"] = [{"leader": 9, "cards": [{"suit": "SUIT_OROS", "rank": 8}] * 4}] * 8
    path = tmp_path / "many.json"
    path.write_text(json.dumps(data))
    done = tapete("legal", path)
    found = re.match(r"Error: the request is refused for (\d+) faults, (\d+) shown\.", done.err)
    assert found is not None
    assert int(found[1]) > 20 >= int(found[2])
    assert tapete("legal", path, "--server", server) == done
    error = json.loads(tapete("legal", path, "--json").err)["error"]
    assert (error["violation_count"], len(error["violations"])) == (int(found[1]), int(found[2]))


@pytest.mark.parametrize("vueltas", ["9" * 5_000 + "-70", "80", "80-60", "-80-70", "100-100", "８0-70"])
def test_points_that_no_deal_carries_are_refused(vueltas: str) -> None:
    done = tapete("deal", "--vueltas", vueltas)
    assert (done.code, done.out) == (2, "")
    assert "'--vueltas'" in done.err


@pytest.mark.parametrize("vueltas", ["30-100", "80-70", "90-80", "95-95"])
def test_points_that_a_deal_can_carry_make_a_view_that_is_accepted(vueltas: str) -> None:
    assert tapete("legal", "-", stdin=tapete("deal", "--vueltas", vueltas).out).code == 0


@pytest.mark.parametrize(
    "address", ["https://a:1", "a:", ":1", "a:0", "a:65536", "a/b:1", "a b:1", "u@a:1", "a:" + "1" * 5_000]
)
def test_what_is_no_address_is_refused(address: str) -> None:
    done = tapete("bots", "--server", address)
    assert done.code == 2
    assert "is not HOST:PORT" in done.err


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full, which is Linux's")
@pytest.mark.parametrize("arguments", [f"legal {DECLARE}", f"move {DECLARE} --bot random", "bots", "--help"])
def test_a_full_disk_is_a_sentence(arguments: str) -> None:
    command = " ".join([*PROGRAM, arguments, ">", "/dev/full"])
    done = subprocess.run(["bash", "-c", command], check=False, capture_output=True, text=True, timeout=60)
    assert done.returncode == 1
    lines = [line for line in done.stderr.splitlines() if line != NOTE]
    assert lines == ["Error: cannot write the output: no space left on device"]


def test_errors_as_json(tmp_path: Path) -> None:
    done = tapete("legal", wrong_view(tmp_path), "--json")
    assert done.code == 3
    error = json.loads(done.err)["error"]
    assert error["status"] == "INVALID_ARGUMENT"
    assert "view.guinote.seat" in {violation["path"] for violation in error["violations"]}
    unknown = json.loads(tapete("move", DECLARE, "--bot", "nobody", "--json").err)["error"]
    assert unknown["reason"] == "ERROR_REASON_UNKNOWN_BOT"
    assert unknown["metadata"]["bot"] == "nobody"


@pytest.mark.parametrize("bot", ["random", "heuristic", "ismcts"])
@pytest.mark.parametrize("view", VIEWS, ids=lambda view: view.stem)
def test_in_process_and_server_print_the_same(server: str, view: Path, bot: str) -> None:
    arguments: list[str | Path] = ["move", view, "--bot", bot, "--iterations", "200", "--seed", "3"]
    local = tapete(*arguments)
    assert local.code == 0
    assert tapete(*arguments, "--server", server) == local
    legal = tapete("legal", view)
    assert tapete("legal", view, "--server", server) == legal
    assert local.out.splitlines()[0] in legal.out.splitlines()
    as_json = tapete(*arguments, "--json")
    assert tapete(*arguments, "--json", "--server", server) == as_json
    assert Parse(as_json.out, ChooseMoveResponse()).analysis.seed == 3


def test_refusals_print_the_same_with_a_server(server: str, tmp_path: Path) -> None:
    refused: tuple[list[str | Path], ...] = (
        ["legal", wrong_view(tmp_path)],
        ["move", DECLARE, "--bot", "nobody"],
        ["move", DECLARE, "--bot", "ismcts?exploration=x"],
    )
    for arguments in refused:
        local = tapete(*arguments)
        assert local.code in (2, 3)
        assert tapete(*arguments, "--server", server) == local


def test_bots(server: str) -> None:
    done = tapete("bots")
    assert done.code == 0
    assert {"random@1", "heuristic@1", "ismcts@1"} <= set(done.out.split())
    assert tapete("bots", "--server", server) == done
    listed = Parse(tapete("bots", "--json").out, ListBotsResponse())
    assert [bot.id for bot in listed.bots] == sorted(bot.id for bot in listed.bots)


def test_legal_moves_as_json() -> None:
    moves = Parse(tapete("legal", DECLARE, "--json").out, ListLegalMovesResponse()).moves
    assert len(moves) == len(tapete("legal", DECLARE).out.split("\n")) - 1


def test_a_bare_view_on_standard_input() -> None:
    bare = json.dumps(json.loads(DECLARE.read_text())["guinote"])
    assert tapete("legal", "-", stdin="\ufeff" + bare) == tapete("legal", DECLARE)
    assert tapete("legal", "-", stdin=b"\xff\xfe").code == 3


def test_a_time_budget_and_no_search_at_all() -> None:
    assert tapete("move", DECLARE, "--time-ms", "1").code == 0
    without = tapete("move", DECLARE, "--iterations", "0", "--json")
    assert Parse(without.out, ChooseMoveResponse()).analysis.iterations == 0


@pytest.mark.parametrize("players", [2, 4])
@pytest.mark.parametrize("plies", [0, 12, 25])
def test_a_dealt_view_is_one_that_the_service_accepts(players: int, plies: int) -> None:
    arguments = ["deal", "--game", "guinote", "--players", players, "--seed", 7, "--plies", plies]
    done = tapete(*map(str, arguments))
    assert done.code == 0
    assert done == tapete(*map(str, arguments))
    view = read_view(done.out)
    assert view.guinote.players == players
    assert tapete("legal", "-", stdin=done.out).code == 0


def test_a_deal_under_other_rules() -> None:
    done = tapete(
        *("deal", "--partner-relief", "--fixed-rotation", "--swap-after-latest-trick-only"),
        *("--cante-per-member", "--no-tute", "--malas", "cards-only-loses", "--points-per-coto", "5"),
        *("--vueltas", "80-70"),
    )
    view: GameView = read_view(done.out)
    assert json.loads(done.out)["guinote"]["rules"] == {
        "fixed_rotation": True,
        "partner_relief": True,
        "swap_after_latest_trick_only": True,
        "cante_per_member": True,
        "no_tute": True,
        "malas": "GUINOTE_MALAS_CARDS_ONLY_LOSES",
        "points_per_coto": 5,
    }
    assert (view.guinote.vueltas.even_side, view.guinote.vueltas.odd_side) == (80, 70)
    assert tapete("legal", "-", stdin=done.out).code == 0


def unused_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def test_no_server_is_exit_code_4() -> None:
    done = program("bots", "--server", f"127.0.0.1:{unused_port()}")
    assert done.code == 4
    assert done.err.startswith("Error: ")
    assert "`tapete serve`" in done.err
    assert "Traceback" not in done.err


def test_a_taken_port_is_a_sentence(server: str) -> None:
    done = program("serve", "--port", server.split(":")[1])
    assert done.code == 4
    assert "another program has this port" in done.err
    assert "Traceback" not in done.err


@pytest.mark.long
def test_a_server_stops_on_sigterm_and_sigint() -> None:
    for number in (signal.SIGTERM, signal.SIGINT):
        process = subprocess.Popen([*PROGRAM, "serve", "--port", "0"], stdout=subprocess.PIPE, text=True)
        assert process.stdout is not None
        assert process.stdout.readline().startswith("Tapete serves on 127.0.0.1:")
        process.send_signal(number)
        assert process.wait(15) == 0
        process.stdout.close()


def test_a_fault_of_ours_is_no_stack_trace(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise KeyError("a fault")

    monkeypatch.setattr("tapete_cli.main.show_bots", fail)
    done = tapete("bots")
    assert done.code == 1
    assert done.err.splitlines()[0] == "Error: a fault of tapete itself: KeyError: 'a fault'"


@pytest.mark.parametrize("arguments", [["move", DECLARE, "--iterations", "100"], ["play", "--bot", "random"]])
def test_a_terminal_without_utf_8_gets_ascii(arguments: list[str | Path]) -> None:
    done = program(*arguments, environment={"PYTHONIOENCODING": "ascii", "LC_ALL": "C"})
    assert done.code == 0
    assert done.out.isascii()
    assert "--------" in done.out
    assert "+/-" in done.out or "Guinote" in done.out


@pytest.mark.long
def test_an_interrupt_is_no_stack_trace() -> None:
    process = subprocess.Popen(
        [*PROGRAM, "move", str(DECLARE), "--bot", "ismcts", "--time-ms", "60000"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    time.sleep(4)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=15)
    assert (process.returncode, out, err.replace(f"{NOTE}\n", "")) == (130, "", "")


def test_a_reader_that_has_enough_is_no_stack_trace() -> None:
    command = " ".join([*PROGRAM, "bots", "|", "head", "-1"])
    done = subprocess.run(["bash", "-c", command], check=False, capture_output=True, text=True, timeout=60)
    assert done.stderr == ""


def test_the_note_is_a_plain_line_where_standard_error_is_no_terminal(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("tapete_cli.in_process.NOTE_AFTER", timedelta(0))
    monkeypatch.setattr("tapete_bots.registry.warm_up", lambda: time.sleep(0.3))
    assert tapete("move", DECLARE, "--time-ms", "1").err == f"{NOTE}\n"
    assert tapete("move", DECLARE, "--time-ms", "1", "--json").err == ""


def test_loading_kernels_takes_nothing_of_the_thinking_time(monkeypatch: pytest.MonkeyPatch) -> None:
    steps: list[str] = []
    view = read_view(DECLARE.read_text())

    async def choose_noted(core: BotCore, request: ChooseMoveRequest) -> Reply[ChooseMoveResponse]:
        steps.append("choose")
        return await choose(core, request)

    choose = BotCore.choose
    monkeypatch.setattr(BotCore, "choose", choose_noted)
    monkeypatch.setattr("tapete_bots.registry.warm_up", lambda: steps.append("warm up"))
    with InProcessClient() as client:
        client.choose_move(view, bot="heuristic", iterations=0)
        client.choose_move(view, bot="heuristic", time=timedelta(milliseconds=1))
        client.choose_move(view, bot="heuristic", time=timedelta(milliseconds=1))
    assert steps == ["choose", "warm up", "choose", "choose"]


def test_version() -> None:
    assert re.fullmatch(r"tapete \d+\.\d+\.\d+\n", tapete("--version").out)


def test_help_needs_no_engine() -> None:
    code = "import sys, tapete_cli.main; print([m for m in ('numba', 'numpy') if m in sys.modules])"
    done = subprocess.run([PROGRAM[0], "-c", code], capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout == "[]\n"


def test_a_first_answer_that_takes_long_is_explained(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tapete_cli.in_process.NOTE_AFTER", timedelta(0))
    notes: list[str] = []
    view = read_view(DECLARE.read_text())
    with InProcessClient(notes.append) as client:
        client.choose_move(view, bot="ismcts", time=timedelta(milliseconds=50), iterations=10_000_000)
        client.choose_move(view, bot="ismcts", time=timedelta(milliseconds=50), iterations=10_000_000)
    assert notes == [NOTE]
