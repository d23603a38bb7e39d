"""The README keeps its word: its commands run in a copy, and print what it says they print.

`make test` itself is left out. UPDATE_SNAPSHOTS=1 writes the outputs into the README.
"""

import os
import re
import shutil
import socket
import subprocess
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.clients.command import serving

ROOT = Path(__file__).parent.parent
README = ROOT / "README.md"
PYPROJECT = ROOT / "pyproject.toml"
TEXT = README.read_text(encoding="utf-8")
PORT = "50051"
BLOCK = re.compile(r"```(\w+)\n(.*?)```\n", re.DOTALL)


@dataclass(frozen=True)
class Example:
    """A command, or a program, with the output that the README shows."""

    command: str
    output: str
    span: tuple[int, int]
    """Where the output stands in the README."""


def examples() -> Iterator[Example]:
    """Reads what the README shows: commands after `$`, and Python programs with the text that follows."""
    program = ""
    for block in BLOCK.finditer(TEXT):
        kind, body, start = block[1], block[2], block.start(2)
        if kind == "python":
            program = body
        elif kind == "text":
            yield Example(program, body, block.span(2))
        elif kind == "console":
            for part in re.finditer(r"\$ (.*)\n((?:(?!\$ ).*\n)*)", body):
                yield Example(part[1], part[2], (start + part.start(2), start + part.end(2)))


def unused_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of what git would clone, with the environment that `make` has set up."""
    if not (ROOT / ".venv" / ".installed").exists():
        pytest.skip("needs the .venv of the Makefile")
    folder = tmp_path_factory.mktemp("readme") / "tapete"
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    )
    for name in filter(None, listed.stdout.split("\0")):
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name)
    (folder / ".venv").symlink_to(ROOT / ".venv")
    # make must not think that it has to install into the environment that we share.
    os.utime(folder / "pyproject.toml", (0, 0))
    return folder


@pytest.mark.long
@pytest.mark.timeout(300)
def test_its_commands_print_what_it_says(copy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "make serve " in TEXT
    port = unused_port()
    # The shared environment points at the root: the copy's own packages must come first.
    areas = tomllib.loads(PYPROJECT.read_text(encoding="utf-8"))["tool"]["hatch"]["build"]["dev-mode-dirs"]
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(str(copy / area) for area in areas))
    environment = {**os.environ, "COLUMNS": "100", "NO_COLOR": "1", "PYTHONIOENCODING": "utf-8"}
    found: list[tuple[Example, str]] = []
    with serving("make", "serve", f"ARGS=--port {port}", cwd=copy) as address:
        assert address == f"127.0.0.1:{port}"
        for example in examples():
            command = example.command.replace(f"127.0.0.1:{PORT}", address)
            program = [".venv/bin/python", "-c", command] if "\n" in command else ["bash", "-c", command]
            done = subprocess.run(
                program,
                cwd=copy,
                check=False,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                timeout=100,
                env=environment,
            )
            found.append((example, done.stdout))
    if os.environ.get("UPDATE_SNAPSHOTS"):
        text = TEXT
        for example, output in reversed(found):
            text = text[: example.span[0]] + output + text[example.span[1] :]
        README.write_text(text, encoding="utf-8")
    else:
        assert len(found) >= 5
        for example, output in found:
            assert output == example.output, example.command


def test_a_request_and_its_answer_stand_within_forty_lines() -> None:
    head = "\n".join(TEXT.splitlines()[:40])
    assert "make serve" in head
    assert "make test" in head
    assert "choose_move(" in head
    assert re.search(r"```text\n\S.*\n```", head)


def test_it_says_how_strong_the_bots_are() -> None:
    assert re.search(r"^\|[^|]*`ismcts[^|]*\|[^|]*\|.*± \d", TEXT, re.MULTILINE)


def test_its_links_lead_somewhere() -> None:
    targets = re.findall(r"\]\(([^)#:]+)\)", TEXT)
    assert targets
    for target in targets:
        assert (ROOT / target).exists(), target
