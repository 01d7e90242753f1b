"""What takes longer than a moment: jobs, each of which tells messages until it is done."""

from __future__ import annotations

import asyncio
import json
from contextlib import aclosing, asynccontextmanager

from solver.errors import UserError
from solver.web import searches
from solver.web.children import child
from solver.web.judging import judged
from solver.web.watching import watched

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable
    from typing import Any

    from solver.web.asking import Ask
    from solver.web.settings import Settings

    Tell = Callable[[bytes], Awaitable[None]]  # takes an object of JSON

PATIENCE = 60.0  # seconds for what is not shown while it goes on


async def analyse(ask: Ask, settings: Settings, tell: Tell) -> dict[str, Any]:
    words, text = searches.analysis(ask)
    async with child("solver", words, text) as process:
        async for line in process.lines():
            await tell(line)
        process.check()
    return {"stopped": False}


async def trace(ask: Ask, settings: Settings, tell: Tell) -> dict[str, Any]:
    words, text = searches.trace(ask)
    async with _in_time(), child("solver", words, text) as process:
        found = await process.whole()
        process.check()
    await tell(b'{"trace": %b}' % found.strip())
    return {}


async def judge(ask: Ask, settings: Settings, tell: Tell) -> dict[str, Any]:
    async with _in_time():
        return await judged(ask, settings)


async def watch(ask: Ask, settings: Settings, tell: Tell) -> dict[str, Any]:
    async with aclosing(watched(settings)) as news:
        async for message in news:
            await tell(json.dumps(message).encode("ascii"))
    return {"stopped": False}


@asynccontextmanager
async def _in_time() -> AsyncIterator[None]:
    try:
        async with asyncio.timeout(PATIENCE):
            yield
    except TimeoutError:
        raise UserError(f"This takes more than {PATIENCE:g} seconds.") from None


JOBS: dict[str, Callable[[Ask, Settings, Tell], Awaitable[dict[str, Any]]]] = {
    "analyse": analyse,
    "trace": trace,
    "judge": judge,
    "watch": watch,
}
