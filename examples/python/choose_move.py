"""Asks a Tapete server for a move, with partial answers on the way: python choose_move.py HOST:PORT [BOT]."""

import asyncio
import sys
from datetime import timedelta

from tapete_client import AsyncTapeteClient, InvalidRequestError, TapeteError, format_move, guinote_view

# The second player of two leads the third trick; trumps are oros.
VIEW = guinote_view(
    players=2,
    seat=1,
    dealer=0,
    muestra="4O",
    hand="1O 3C 12C 10C 7E 2B",
    tricks=[(1, "5C 6C"), (0, "7B 1B")],
)


async def main(target: str, bot: str) -> int:
    async with AsyncTapeteClient(target) as client:
        try:
            answers = client.stream_analysis(
                VIEW, bot=bot, time=timedelta(seconds=1), interval=timedelta(milliseconds=200)
            )
            async for answer in answers:
                mark = "=>" if answer.is_final else "  "
                print(mark, format_move(answer.move), f"after {answer.analysis.iterations} iterations")
        except InvalidRequestError as error:
            print("the request is refused:", *error.violations, sep="\n  ", file=sys.stderr)
        except TapeteError as error:
            print(f"{error.status.name}: {error}", file=sys.stderr)
        else:
            return 0
    return 1


if __name__ == "__main__":
    sys.exit(asyncio.run(main(sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else "")))
