"""The examples run, and say what their README says."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tapete.v1 import GuinoteDecision
from tapete_cli.messages import read_view
from tests.clients.command import GUINOTE, ROOT, tapete

PLAY = GuinoteDecision.GUINOTE_DECISION_PLAY
EXPECTED = {
    "two_players": (2, PLAY),
    "four_players": (4, PLAY),
    "arrastre": (4, PLAY),
    "declare": (4, GuinoteDecision.GUINOTE_DECISION_DECLARE),
    "swap": (4, GuinoteDecision.GUINOTE_DECISION_SWAP),
    "vueltas": (2, PLAY),
}


def test_the_views_are_what_they_say() -> None:
    assert {path.stem for path in GUINOTE.glob("*.json")} == set(EXPECTED)
    for name, (players, decision) in EXPECTED.items():
        view = read_view((GUINOTE / f"{name}.json").read_text()).guinote
        assert (view.players, view.decision) == (players, decision)
        assert view.HasField("vueltas") == (name == "vueltas")
        assert f"`{name}.json` | {players} |" in (ROOT / "examples" / "README.md").read_text()
    assert tapete("legal", GUINOTE / "swap.json").out == "swap\npass\n"
    assert len(tapete("legal", GUINOTE / "declare.json").out.splitlines()) > 2
    hand = len(read_view((GUINOTE / "arrastre.json").read_text()).guinote.hand)
    assert len(tapete("legal", GUINOTE / "arrastre.json").out.splitlines()) < hand


def test_the_python_example(server: str) -> None:
    program = ROOT / "examples" / "python" / "choose_move.py"
    done = subprocess.run(
        [sys.executable, program, server], check=True, capture_output=True, text=True, timeout=60
    )
    assert [line[:2] for line in done.stdout.splitlines()].count("=>") == 1
    assert done.stdout.splitlines()[-1].startswith("=> ")
    refused = subprocess.run(
        [sys.executable, program, server, "nobody"], check=False, capture_output=True, text=True, timeout=60
    )
    assert refused.returncode == 1
    assert refused.stderr.startswith("NOT_FOUND: ")


def node_environment() -> dict[str, str]:
    """The environment with Node and npm on the path: those of the dev extra, else those of the system."""
    bin_folder = Path(sys.executable).parent
    return {**os.environ, "PATH": f"{bin_folder}{os.pathsep}{os.environ['PATH']}"}


@pytest.fixture(scope="module")
def node_example(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the Node example beside the protos, with its packages installed."""
    root = tmp_path_factory.mktemp("node")
    shutil.copytree(ROOT / "proto", root / "proto")
    example = root / "examples" / "node"
    shutil.copytree(ROOT / "examples" / "node", example, ignore=shutil.ignore_patterns("node_modules"))
    subprocess.run(
        ["npm", "install", "--no-audit", "--no-fund", "--no-update-notifier"],
        cwd=example,
        env=node_environment(),
        check=True,
        timeout=300,
    )
    # A lock file would name the registry that this machine uses.
    assert not (example / "package-lock.json").exists()
    return example


@pytest.mark.node
@pytest.mark.long
@pytest.mark.timeout(400)
def test_node_asks_for_a_move(server: str, node_example: Path) -> None:
    def ask(*arguments: str | Path) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(
            ["node", "choose_move.js", *arguments],
            cwd=node_example,
            env=node_environment(),
            check=False,
            capture_output=True,
            text=True,
            timeout=60,
        )

    for path in sorted(GUINOTE.glob("*.json")):
        answer = ask(server, path)
        assert (answer.returncode, answer.stderr) == (0, "")
        assert answer.stdout.strip() == tapete("move", path).out.splitlines()[0]
    refused = ask(server, GUINOTE / "swap.json", "nobody")
    assert refused.returncode == 1
    assert refused.stderr.startswith("NOT_FOUND: there is no bot 'nobody'")
    assert ask(server).returncode == 2
