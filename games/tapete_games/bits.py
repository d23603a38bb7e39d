"""Bit sets and the search's random numbers: intrinsics for kernels, each with a plain-Python twin.

`next_random` and `mix` are intrinsics because numba marks int64 + and * as "no signed wrap": LLVM may
then drop the mask that follows an overflowing product.
"""

from typing import Any

import numba
from numba import types
from numba.extending import intrinsic

from tapete_games.kernel import inline_kernel

__all__ = ["below", "highest", "lowest", "members", "mix", "next_random", "nth", "popcount"]

_M63 = (1 << 63) - 1
_M64 = (1 << 64) - 1
# Knuth's MMIX multiplier and increment.
_MULTIPLIER = 6364136223846793005
_INCREMENT = 1442695040888963407
# splitmix64 (Steele, Lea and Flood 2014).
_GOLDEN = 0x9E3779B97F4A7C15
_MIX_1 = 0xBF58476D1CE4E5B9
_MIX_2 = 0x94D049BB133111EB

if numba.config.DISABLE_JIT:

    def popcount(x: int) -> int:
        """Counts the members of a set."""
        return int(x).bit_count()

    def lowest(x: int) -> int:
        """Returns the smallest member of a non-empty set."""
        x = int(x)
        return (x & -x).bit_length() - 1

    def highest(x: int) -> int:
        """Returns the largest member of a non-empty set."""
        return int(x).bit_length() - 1

    def nth(m: int, k: int) -> int:
        """Returns the k-th smallest member of a set; k is 0 to 11 and below the size of the set."""
        m = int(m)
        for _ in range(k):
            m &= m - 1
        return (m & -m).bit_length() - 1

    def next_random(x: int) -> int:
        """Steps the generator: a linear congruence modulo 2**63. Use the high bits."""
        return (int(x) * _MULTIPLIER + _INCREMENT) & _M63

    def mix(x: int) -> int:
        """Scrambles a seed into a state of the generator (splitmix64, without the top bit)."""
        z = (int(x) + _GOLDEN) & _M64
        z = ((z ^ (z >> 30)) * _MIX_1) & _M64
        z = ((z ^ (z >> 27)) * _MIX_2) & _M64
        return (z ^ (z >> 31)) & _M63

else:
    from llvmlite import binding, ir

    _I64 = ir.IntType(64)
    # NUMBA_CPU_NAME=generic compiles for any processor, so the host's features must not be used then.
    _HAS_PDEP = (
        not numba.config.CPU_NAME
        and binding.get_default_triple().startswith("x86_64")
        and binding.get_host_cpu_features().get("bmi2", False)
    )
    _ONE = types.int64(types.int64)
    _TWO = types.int64(types.int64, types.int64)

    @intrinsic
    def popcount(typingctx: Any, x: Any) -> Any:
        """Counts the members of a set."""
        return _ONE, lambda context, b, sig, a: b.ctpop(a[0])

    @intrinsic
    def lowest(typingctx: Any, x: Any) -> Any:
        """Returns the smallest member of a non-empty set."""
        return _ONE, lambda context, b, sig, a: b.cttz(a[0], ir.IntType(1)(1))

    @intrinsic
    def highest(typingctx: Any, x: Any) -> Any:
        """Returns the largest member of a non-empty set."""
        return _ONE, lambda context, b, sig, a: b.sub(_I64(63), b.ctlz(a[0], ir.IntType(1)(1)))

    @intrinsic
    def nth(typingctx: Any, m: Any, k: Any) -> Any:
        """Returns the k-th smallest member of a set; k is 0 to 11 and below the size of the set."""

        def codegen(context: Any, b: Any, sig: Any, a: Any) -> Any:
            m, k = a
            if _HAS_PDEP:
                pdep = b.module.declare_intrinsic(
                    "llvm.x86.bmi.pdep.64", fnty=ir.FunctionType(_I64, [_I64, _I64])
                )
                m = b.call(pdep, [b.shl(_I64(1), k), m])
            else:
                for i in range(11):
                    m = b.select(b.icmp_signed("<", _I64(i), k), b.and_(m, b.sub(m, _I64(1))), m)
            return b.cttz(m, ir.IntType(1)(1))

        return _TWO, codegen

    @intrinsic
    def next_random(typingctx: Any, x: Any) -> Any:
        """Steps the generator: a linear congruence modulo 2**63. Use the high bits."""

        def codegen(context: Any, b: Any, sig: Any, a: Any) -> Any:
            return b.and_(b.add(b.mul(a[0], _I64(_MULTIPLIER)), _I64(_INCREMENT)), _I64(_M63))

        return _ONE, codegen

    @intrinsic
    def mix(typingctx: Any, x: Any) -> Any:
        """Scrambles a seed into a state of the generator (splitmix64, without the top bit)."""

        def codegen(context: Any, b: Any, sig: Any, a: Any) -> Any:
            z = b.add(a[0], _I64(_GOLDEN))
            z = b.mul(b.xor(z, b.lshr(z, _I64(30))), _I64(_MIX_1))
            z = b.mul(b.xor(z, b.lshr(z, _I64(27))), _I64(_MIX_2))
            return b.and_(b.xor(z, b.lshr(z, _I64(31))), _I64(_M63))

        return _ONE, codegen


@inline_kernel
def below(x: int, n: int) -> int:
    """Turns a state of the generator into a number 0 to n - 1; n is below 2**31."""
    return ((x >> 31) * n) >> 32


def members(x: int) -> list[int]:
    """Lists the members of a set in ascending order; not for kernels."""
    found = []
    x = int(x)  # a cell of a record is a numpy integer
    while x:
        low = x & -x
        found.append(low.bit_length() - 1)
        x ^= low
    return found
