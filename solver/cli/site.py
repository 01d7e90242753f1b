"""`solver site`: the page as a static folder, for any web space; and what runs there.

The browser runs Python itself, by Pyodide in a worker (`web/page/worker.js`), which calls `hear`
instead of a server.
"""

from __future__ import annotations

import gzip
import io
import json
import os
import shutil
import sys
from argparse import Namespace
from collections.abc import Awaitable, Callable, Iterator
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from tempfile import mkdtemp
from types import SimpleNamespace
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from solver import __version__
from solver.cli.console import tell
from solver.cli.options import Parser
from solver.cli.serve import find_puzzles_folder
from solver.errors import FileError
from solver.web.answers import PageRequest, PageSettings, answer_puzzles, expected_file
from solver.web.jobs import HOME, Send, check_ending, respond
from solver.web.server import FOLDER, KINDS, POLICY

PYODIDE = "314.0.7"
FETCH = f"npm pack pyodide@{PYODIDE} && tar xzf pyodide-{PYODIDE}.tgz"
GET_PYODIDE = f"Get version {PYODIDE}: '{FETCH}', then --pyodide package."
CHECKSUMS = """\
6f1d60f7bf529beb300f0f47983c921d3982363640ba20af0e38efdddbc66109  pyodide.mjs
f7cdc8ece80678ceb712f8e65ebe6d3a83203a180c399865f49612a051693635  pyodide.asm.mjs
cc36e3cab04fdfc9a63ff13eb52eae2b911bf46c025cc7b281f394bd3de1d5e6  pyodide.asm.wasm
fa1957e5777068fc4f7437f96d860ae2fbe9c19732ba06c84e004ec16dd7dd7a  python_stdlib.zip
"""
CODE = "checkmark.zip"
MARK = "checkmark-site.json"  # says that a folder is ours, and may be replaced
LEFT_OUT = {"__pycache__", "page", "collection"}  # folders
SELF = "script-src 'self'"
SITE_POLICY = POLICY.replace(SELF, f"{SELF} 'wasm-unsafe-eval'; worker-src 'self'")
ABOUT = (
    "Everything runs in this browser, without a server; to watch games on the network, run "
    "“solver serve --watch HOST:PORT”."
)


def make_parser() -> Parser:
    parser = Parser(
        "site",
        "Write the page as a folder of files, which any web space can host: the browser then runs\n"
        "the solver, and nothing is loaded from elsewhere. It needs Pyodide, Python for browsers.",
        f"  {FETCH}\n  solver site public --pyodide package\n",
        {0: "written", 3: "a file that cannot be read or written, or a folder that is not a site"},
    )
    parser.option("folder FOLDER", "to write; a site that is there already is replaced")
    about = f"folder of the npm package pyodide, version {PYODIDE}"
    parser.option("--pyodide DIR", about, required=True)
    about = "judge puzzles there, too: this publishes the answers of expected/"
    parser.option("--with-judge", about)
    return parser


def run(arguments: Namespace) -> int:
    target = Path(os.path.abspath(arguments.folder))
    if target.exists() and not (target / MARK).is_file():
        raise FileError(f"{arguments.folder}: already exists, and is not a site. Name another.")
    files = dict(_runtime(Path(arguments.pyodide)))
    files |= {file.name: file.read_bytes() for file in FOLDER.iterdir() if file.suffix in KINDS}
    files["index.html"] = _make_index(files["index.html"].decode())
    packed = io.BytesIO()
    with ZipFile(packed, "w", ZIP_DEFLATED, compresslevel=9) as archive:
        for name, content in _program(arguments.with_judge):  # without dates: the same every time
            archive.writestr(ZipInfo(name), content, ZIP_DEFLATED)
    files[CODE] = packed.getvalue()
    files[MARK] = json.dumps({"checkmark": __version__, "pyodide": PYODIDE}).encode() + b"\n"
    try:
        _replace_folder(target, files)
    except OSError as error:
        raise FileError(f"{arguments.folder}: cannot write: {error.strerror}") from None
    megabytes = sum(map(len, files.values())) / 1e6
    tell(f"solver: {len(files)} files, {megabytes:.1f} MB, in {arguments.folder}")
    return 0


def _runtime(folder: Path) -> Iterator[tuple[str, bytes]]:
    """The files of Pyodide under names that every web space serves as what they are, and nowhere
    unpacks on the way."""
    for checksum, name in (line.split() for line in CHECKSUMS.splitlines()):
        try:
            content = (folder / name).read_bytes()
        except OSError as error:
            raise FileError(f"{folder / name}: {error.strerror}. {GET_PYODIDE}") from None
        if sha256(content).hexdigest() != checksum:
            raise FileError(f"{folder / name}: not that of version {PYODIDE}. {GET_PYODIDE}")
        content = gzip.compress(content, mtime=0) if name.endswith(".wasm") else content
        yield name.replace(".mjs", ".js").replace(".wasm", ".bin"), content


def _make_index(page: str) -> bytes:
    policy = SITE_POLICY.partition("; frame-ancestors")[0]  # which only a server can say
    start = '<meta charset="utf-8">\n'
    head = (
        f'{start}<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="solver" content="worker">\n'
    )
    return page.replace(start, head, 1).replace("Connecting to", "Loading", 1).encode()


def _program(with_judge: bool) -> Iterator[tuple[str, bytes]]:
    """Every file that the worker needs, with its name there."""
    for package in ("solver", "grader")[: 1 + with_judge]:
        for file in sorted((HOME / package).rglob("*")):
            inside = file.relative_to(HOME)
            wanted = file.suffix not in (".so", ".pyd") and not LEFT_OUT & set(inside.parts)
            if wanted and file.is_file():
                yield inside.as_posix(), file.read_bytes()
    settings = PageSettings(__version__, compiled=False, puzzles=find_puzzles_folder())
    if settings.puzzles is None:
        return
    for task in answer_puzzles(PageRequest({}), settings)["puzzles"]:
        name = task["name"]
        file = settings.puzzles / f"{name}.txt"
        yield f"inputs/{name}.txt", file.read_bytes()
        expected, known = (expected_file(name, file, kind) for kind in (".txt", ".json"))
        if with_judge and expected.is_file():
            yield f"expected/{name}.txt", expected.read_bytes()
        if known.is_file():
            content = known.read_bytes()
            yield f"expected/{name}.json", content if with_judge else _without_answers(content)


def _without_answers(content: bytes) -> bytes:
    """Of a proof, what the page says before a puzzle is solved: its goal and how hard it is."""
    known = json.loads(content)
    value = known["value"].partition(" ")[0]
    kept = {"proven": known["proven"], "difficulty": known["difficulty"], "value": value}
    return json.dumps({**kept, "best": [], "moves": [""]}).encode()


def _replace_folder(target: Path, files: dict[str, bytes]) -> None:
    """Write the folder whole or not at all: beside its place, and then rename it."""
    target.parent.mkdir(parents=True, exist_ok=True)
    temporary = Path(mkdtemp(prefix=f".{target.name}-", dir=target.parent))
    try:
        new = temporary / "new"
        new.mkdir()
        for name, content in files.items():
            (new / name).write_bytes(content)
        if target.exists():
            target.rename(temporary / "old")
        new.rename(target)
    finally:
        if not target.exists() and (temporary / "old").exists():
            (temporary / "old").rename(target)
        shutil.rmtree(temporary, ignore_errors=True)


# Inside the browser.


def hear(kind: str, body: str, say: Callable[[str], None]) -> None:
    """Answer a request of the page; `say` gets every message, a JSON object, as it comes."""
    inputs = HOME / "inputs"
    puzzles = inputs if inputs.is_dir() else None
    settings = PageSettings(__version__, compiled=False, puzzles=puzzles, about=ABOUT)

    async def send(content: bytes) -> None:
        say(content.decode("ascii"))

    _finish(respond(kind, body.encode(), settings, _run_here, send, print))


async def _run_here(
    name: str, words: list[str], given: str, send: Send, patience: float | None
) -> int:
    """Like `python -m NAME WORDS`, without another process."""
    rest, said, usual = "", io.StringIO(), (sys.stdin, sys.stdout, sys.stderr)

    def write(text: str) -> None:
        nonlocal rest
        *lines, rest = (rest + text).split("\n")
        for line in lines:
            _finish(send(line.encode()))

    sys.stdin = io.TextIOWrapper(io.BytesIO(given.encode("utf-8", "replace")))
    sys.stdout, sys.stderr = SimpleNamespace(write=write, flush=lambda: None), said
    try:
        code: int = import_module(f"{name}.cli").main(words)
    finally:
        sys.stdin, sys.stdout, sys.stderr = usual
    return check_ending(code, said.getvalue())


def _finish(work: Awaitable[None]) -> None:
    for _ in work.__await__():
        raise RuntimeError("nothing here can wait")
