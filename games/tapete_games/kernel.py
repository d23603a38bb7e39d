"""The one way to compile a kernel, and the place where its machine code is kept.

Kernels are plain Python over integers and numpy records, compiled by numba without the GIL. numba
keys its cache by the source file of the kernel alone, so an edited helper in another module, or a changed
table that was compiled in, would leave stale machine code behind: the cache directory is therefore named
after a digest of *all* kernel sources and tables and of numba's version. It lies below `NUMBA_CACHE_DIR`
if that is set, else below `XDG_CACHE_HOME` or `~/.cache`, else (nothing writable) below the directory for
temporary files.
"""

import hashlib
import importlib.util
import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import numba
import numpy as np

__all__ = ["RECORDS", "cache_directory", "inline_kernel", "kernel", "recursive_kernel"]

F = TypeVar("F", bound=Callable[..., object])

_PACKAGES = ("tapete_games", "tapete_bots")
_MARK = b"tapete_games.kernel"


def _kernel_sources() -> list[Path]:
    """Lists the modules that define kernels, and the tables compiled into them, in a fixed order."""
    found: list[Path] = []
    for name in _PACKAGES:
        spec = importlib.util.find_spec(name)
        for folder in (spec.submodule_search_locations or []) if spec else []:
            found += sorted(p for p in Path(folder).rglob("*.py") if _MARK in p.read_bytes())
            found += sorted(Path(folder).rglob("*.npy"))
    return found


def _is_writable(folder: Path) -> bool:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False


def cache_directory() -> Path:
    """Returns the directory of the compiled kernels of exactly this source and numba."""
    digest = hashlib.sha256(numba.__version__.encode())
    for path in _kernel_sources():
        digest.update(path.name.encode() + b"\0" + path.read_bytes())
    bases = [os.environ.get("NUMBA_CACHE_DIR"), os.environ.get("XDG_CACHE_HOME")]
    if "HOME" in os.environ:
        bases.append(str(Path(os.environ["HOME"]) / ".cache"))
    for base in filter(None, bases):
        folder = Path(base) / "tapete" / digest.hexdigest()[:16]
        if _is_writable(folder):
            return folder
    return Path(tempfile.gettempdir()) / f"tapete-{os.getuid()}" / digest.hexdigest()[:16]


numba.config.CACHE_DIR = str(cache_directory())

# The kind of array whose records kernels are given: as plain Python they need the fields as attributes.
RECORDS: type[np.ndarray] = np.recarray if numba.config.DISABLE_JIT else np.ndarray

# Nobody takes a kernel's address from C: without that wrapper, compiling takes a tenth less.
_OPTIONS = {"cache": True, "nogil": True, "error_model": "numpy", "no_cfunc_wrapper": True}


def kernel(function: F) -> F:
    """Compiles a kernel that is called from Python or from other kernels."""
    return numba.njit(**_OPTIONS)(function)  # type: ignore[no-any-return]


def inline_kernel(function: F) -> F:
    """Compiles a small kernel that is inlined into each kernel that calls it."""
    return numba.njit(**_OPTIONS, forceinline=True)(function)  # type: ignore[no-any-return]


def recursive_kernel(signature: object) -> Callable[[F], F]:
    """Compiles a kernel that calls itself, for one explicit signature.

    A recursive call must pass exactly these types: a literal argument would make a second
    signature, and the cached function would then crash the next process that loads it.
    """
    return numba.njit(signature, **_OPTIONS)  # type: ignore[no-any-return]
