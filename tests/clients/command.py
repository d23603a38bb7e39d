"""Runs the `tapete` command: in this process, or as a program of its own."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from typer.testing import CliRunner

from tapete_cli.main import app

ROOT = Path(__file__).parents[2]
GUINOTE = ROOT / "examples" / "guinote"
PROGRAM = [sys.executable, "-m", "tapete_cli"]
ENVIRONMENT = {"COLUMNS": "80", "NO_COLOR": "1", "TERM": "dumb", "PYTHONIOENCODING": "utf-8"}


@dataclass(frozen=True)
class Done:
    """A command that has ended."""

    code: int
    out: str
    err: str


def tapete(*arguments: str | Path, stdin: str | bytes | None = None) -> Done:
    """Runs a command in this process, as if its terminal were 80 columns wide and not a terminal."""
    result = CliRunner().invoke(
        app, [str(argument) for argument in arguments], input=stdin, env=ENVIRONMENT, prog_name="tapete"
    )
    return Done(result.exit_code, result.stdout, result.stderr)


def program(
    *arguments: str | Path, stdin: str | None = None, environment: dict[str, str] | None = None
) -> Done:
    """Runs a command as a program."""
    done = subprocess.run(
        [*PROGRAM, *map(str, arguments)],
        check=False,
        input=stdin or "",
        capture_output=True,
        text=True,
        timeout=100,
        env={**os.environ, **ENVIRONMENT, **(environment or {})},
        encoding="utf-8",
    )
    return Done(done.returncode, done.stdout, done.stderr)


@contextmanager
def serving(*command: str, cwd: Path = ROOT) -> Iterator[str]:
    """Starts a server by a command that prints a line when it is ready; gives its address.

    The command runs in a process group of its own, which is ended as one.
    """
    process = subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        text=True,
        cwd=cwd,
        start_new_session=True,
        env={**os.environ, **ENVIRONMENT},
    )
    try:
        yield _ready_address(process)
    finally:
        os.killpg(process.pid, signal.SIGTERM)
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        assert process.stdout is not None
        process.stdout.close()


def _ready_address(process: "subprocess.Popen[str]") -> str:
    assert process.stdout is not None
    begin = time.monotonic()
    for line in process.stdout:
        if line.startswith("Tapete serves on "):
            return line.split()[3].rstrip(".")
    raise AssertionError(f"the server ended after {time.monotonic() - begin:.0f} s, before it was ready")
