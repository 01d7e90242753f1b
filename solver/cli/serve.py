"""`solver serve`: the analysis page, for a browser on this computer."""

from __future__ import annotations

import asyncio
import signal
from argparse import Namespace
from pathlib import Path
from threading import Thread

from solver import __version__
from solver.cli.console import tell
from solver.cli.options import LOOPBACK, Parser, is_compiled, number, parse_address, parse_host
from solver.errors import FileError
from solver.games import GAMES
from solver.web.answers import PageSettings
from solver.web.jobs import HOME
from solver.web.listen import report_errors
from solver.web.server import PageServer

PORT = 8017
EVERYWHERE = ("0.0.0.0", "::")
# In a checkout, in an installed package, and in the current folder.
PUZZLES = (HOME / "inputs", HOME / "grader/puzzles/collection/inputs", Path("inputs"))


def make_parser() -> Parser:
    parser = Parser(
        "serve",
        "Show the analysis page to a browser on this computer: live analysis, search trees,\n"
        "heuristics term by term, puzzles. Ctrl-C ends it.",
        "  solver serve --open\n"
        "  solver serve --port 0 --puzzles inputs\n"
        "  solver serve --watch 127.0.0.1:10000\n",
        {0: "ended by SIGTERM", 3: "a folder could not be read, or a port could not be opened"},
    )
    about = f"address to listen on (default: {LOOPBACK}, this computer only)"
    parser.option("--host NAME", about, parse_host, LOOPBACK)
    parser.option("--port N", "port, 0 for any free one", number(0, 65535), PORT)
    about = "folder of puzzles, as GAME/NAME.txt (default: inputs/, if there is one)"
    parser.option("--puzzles DIR", about)
    about = "spectator address of a 'solver server', to watch its games on the page"
    parser.option("--watch HOST:PORT", about, parse_address)
    parser.option("--open", "open the page in the browser")
    return parser


def run(arguments: Namespace) -> int:
    settings = PageSettings(
        version=__version__,
        compiled=is_compiled(),
        host=arguments.host,
        port=arguments.port,
        puzzles=find_puzzles_folder(arguments.puzzles),
        watch=arguments.watch,
    )
    asyncio.run(_serve(PageServer(settings, _report), arguments.open))
    return 0


async def _serve(server: PageServer, open_it: bool) -> None:
    def announce(host: str, port: int) -> None:
        name = "localhost" if host in EVERYWHERE else f"[{host}]" if ":" in host else host
        where = f"http://{name}:{port}/"
        print(where, flush=True)
        if host not in (LOOPBACK, "::1"):
            tell("solver: warning: anyone who can reach this address can run searches here")
        if open_it:
            # Some browsers are slow.
            Thread(target=_open_browser, args=[where], daemon=True).start()

    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, server.ended.set)
    report_errors(_report)
    await server.run(announce)


def _report(message: str) -> None:
    tell(f"solver: serve: {message}")


def _open_browser(where: str) -> None:
    import webbrowser

    if not webbrowser.open(where):
        tell(f"solver: cannot open a browser; the page is at {where}")


def find_puzzles_folder(wanted: str | None = None) -> Path | None:
    if wanted is not None:
        folder = Path(wanted)
        if not folder.is_dir():
            raise FileError(f"{wanted}: no such folder")
        return folder.resolve()
    for folder in PUZZLES:
        if any((folder / game).is_dir() for game in GAMES):
            return folder.resolve()
    return None
