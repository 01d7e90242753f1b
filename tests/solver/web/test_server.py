"""Files over HTTP, and what is refused before anybody is let in."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.command import solver
from support.web_host import Served, connected, exchange, get, handshake, run, served, tab

from solver.web import server as page_files

PAGE = Path(page_files.__file__).parent / "page"


@pytest.fixture(scope="module")
def server() -> Iterator[Served]:
    with served() as server:
        yield server


@pytest.mark.parametrize("file", sorted(path.name for path in PAGE.iterdir()))
def test_every_file_of_the_page_is_served(server: Served, file: str) -> None:
    status, headers, body = run(exchange(server.port, get(server.port, f"/{file}")))
    assert status == 200
    assert body == (PAGE / file).read_bytes()
    assert headers["Content-Length"] == str(len(body))
    assert headers["Content-Type"].partition("/")[0] in ("text", "image")


def test_the_page_itself(server: Served) -> None:
    status, headers, body = run(exchange(server.port, get(server.port, "/")))
    assert (status, headers["Content-Type"]) == (200, "text/html; charset=utf-8")
    assert body == (PAGE / "index.html").read_bytes()


def test_a_page_may_load_nothing_from_elsewhere(server: Served) -> None:
    _, headers, _ = run(exchange(server.port, get(server.port, "/")))
    policy = headers["Content-Security-Policy"]
    assert policy.startswith("default-src 'none'; script-src 'self'; style-src 'self';")
    assert f"connect-src 'self' ws://127.0.0.1:{server.port};" in policy
    assert "frame-ancestors 'none'" in policy
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "no-referrer"
    assert not any(name.lower().startswith("access-control") for name in headers)


def test_no_file_of_the_page_names_another_place() -> None:
    for file in PAGE.iterdir():
        found = re.findall(r"https?://[^\s'\"<>)]+", file.read_text("utf-8"))
        assert not [url for url in found if not url.startswith("http://www.w3.org/")], file.name


def test_a_head_alone(server: Served) -> None:
    status, headers, body = run(exchange(server.port, get(server.port, "/", "HEAD")))
    assert (status, body) == (200, b"")
    assert int(headers["Content-Length"]) > 0


@pytest.mark.parametrize(
    "path",
    ["/nothing", "/../server.py", "/%2e%2e/server.py", "//index.html", "/index.html/", "/page"],
)
def test_there_is_nothing_else(server: Served, path: str) -> None:
    status, _, body = run(exchange(server.port, get(server.port, path)))
    assert (status, body) == (404, b"There is no such file. The page is at /.\n")


@pytest.mark.parametrize("host", ["example.org", "example.org:80", "localhost:1"])
def test_a_name_that_is_not_ours_is_forbidden(server: Served, host: str) -> None:
    status, _, body = run(exchange(server.port, get(server.port, "/", host=host)))
    assert (status, body) == (403, b"This is not the name of the page here.\n")


@pytest.mark.parametrize("name", ["localhost", "127.0.0.1"])
def test_names_of_this_computer(server: Served, name: str) -> None:
    request = get(server.port, "/", host=f"{name}:{server.port}")
    assert run(exchange(server.port, request))[0] == 200


def test_the_page_can_only_be_read(server: Served) -> None:
    status, headers, _ = run(exchange(server.port, get(server.port, "/", "POST")))
    assert (status, headers["Allow"]) == (405, "GET, HEAD")


@pytest.mark.parametrize("request_", [b"\r\n\r\n", b"\x16\x03\x01\0\r\n\r\n", b"GET /\r\n\r\n"])
def test_what_is_no_http(server: Served, request_: bytes) -> None:
    assert run(exchange(server.port, request_))[0] == 400


def test_a_head_has_an_end(server: Served) -> None:
    request = b"GET / HTTP/1.1\r\n" + b"A: b\r\n" * 20_000
    assert run(exchange(server.port, request))[0] == 431


@pytest.mark.parametrize(
    ("changes", "status"),
    [
        ({"Origin": "http://example.org"}, 403),
        ({"Origin": "null"}, 403),
        ({"Origin": None}, 403),
        ({"Host": "example.org"}, 403),
        ({"Host": None}, 403),
        ({"Upgrade": None}, 426),
        ({"Sec_WebSocket_Version": "7"}, 426),
        ({"Sec_WebSocket_Key": "short"}, 400),
    ],
)
def test_handshakes_from_elsewhere_are_refused(
    server: Served, changes: dict[str, str | None], status: int
) -> None:
    assert run(exchange(server.port, handshake(server.port, **changes)))[0] == status


def test_whoever_says_nothing_keeps_nobody_waiting(server: Served) -> None:
    async def test() -> int:
        async with connected(server.port), connected(server.port) as (_, writer):
            writer.write(b"GET / HTTP/1.1\r\n")
            return (await exchange(server.port, get(server.port, "/")))[0]

    assert run(test()) == 200


def test_it_needs_nothing_but_the_standard_library() -> None:
    async def test(port: int) -> None:
        async with tab(port) as one:
            assert (await one.answer("hello"))["version"]
            *_, last = await one.all_of(one.ask("analyse", text="W:WK6:BK15"))
            assert last["done"]

    with served(python=(sys.executable, "-S"), PYTHONPATH=str(PAGE.parents[2])) as server:
        run(test(server.port))


def test_it_listens_to_this_computer_alone_unless_told_otherwise() -> None:
    with served() as server:
        assert server.url == f"http://127.0.0.1:{server.port}/"
    with served("--host", "localhost") as server:
        assert run(exchange(server.port, get(server.port, "/")))[0] == 200


def test_a_warning_for_those_who_let_others_in() -> None:
    with served("--host", "0.0.0.0") as server:
        assert server.url == f"http://localhost:{server.port}/"
        assert run(exchange(server.port, get(server.port, "/")))[0] == 200
        code, words = server.end()
    assert code == 0
    assert words.startswith("solver: warning: whoever can reach this address")


def test_a_port_that_is_taken(server: Served) -> None:
    result = solver("serve", "--port", str(server.port))
    assert result.returncode == 3
    assert "cannot listen there" in result.stderr
    assert "Try --port 0 for any free one." in result.stderr


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (["--puzzles", "nowhere"], 3, "nowhere: there is no such folder"),
        (["--port", "70000"], 2, "70000 is more than 65535"),
        (["--host", ""], 2, "is not the name or number of a computer"),
        (["--watch", "somewhere"], 2, "'somewhere' is not like 127.0.0.1:9999"),
        (["--prot", "1"], 2, "Did you mean '--port'?"),
    ],
)
def test_mistakes(words: list[str], code: int, message: str) -> None:
    result = solver("serve", *words)
    assert (result.returncode, result.stdout) == (code, "")
    assert message in result.stderr
