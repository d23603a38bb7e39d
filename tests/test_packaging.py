"""What the packages share: each area is known to every tool, and typed for its users."""

import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
CONFIG = tomllib.loads((ROOT / "pyproject.toml").read_text())
HATCH = CONFIG["tool"]["hatch"]["build"]
PACKAGES = [Path(package) for package in HATCH["targets"]["wheel"]["packages"]]


def packages_in_the_tree() -> set[Path]:
    """Finds the top packages below the areas."""
    areas = ("proto", "games", "bots", "server", "clients")
    found = {path.parent.relative_to(ROOT) for area in areas for path in (ROOT / area).rglob("__init__.py")}
    return {path for path in found if path.parent not in found}


def test_the_wheel_lists_every_package() -> None:
    assert set(PACKAGES) == packages_in_the_tree()


@pytest.mark.parametrize("package", PACKAGES, ids=lambda package: package.name)
def test_package_is_known_to_every_tool(package: Path) -> None:
    assert str(package.parent) in HATCH["dev-mode-dirs"]
    assert f"$MYPY_CONFIG_FILE_DIR/{package.parent}" in CONFIG["tool"]["mypy"]["mypy_path"].split(":")
    assert package.name in CONFIG["tool"]["ruff"]["lint"]["isort"]["known-first-party"]
    assert package.name in CONFIG["tool"]["importlinter"]["root_packages"]
    assert (ROOT / package / "py.typed").exists()
    assert not (ROOT / package.parent / "__init__.py").exists()
