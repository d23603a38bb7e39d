"""Texts compared with files, which UPDATE_SNAPSHOTS=1 rewrites."""

import os
from pathlib import Path

FOLDER = Path(__file__).parent / "snapshots"


def check_snapshot(name: str, text: str) -> None:
    """Compares a text with the snapshot of this name."""
    path = FOLDER / f"{name}.txt"
    if os.environ.get("UPDATE_SNAPSHOTS"):
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    assert path.exists(), f"{path} is missing: UPDATE_SNAPSHOTS=1 writes it"
    assert text == path.read_text(encoding="utf-8"), "UPDATE_SNAPSHOTS=1 accepts the new text"
