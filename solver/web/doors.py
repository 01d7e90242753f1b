"""Who may come in: a page of ours and nobody else's, under a name that is ours.

Any page in a browser can call any port of this computer.  It cannot forge the headers Host and
Origin, though: a name that somebody else has pointed here shows in the one, a page from elsewhere
in the other.
"""

from __future__ import annotations

from http import HTTPStatus

from solver.web.http import Refused, Request

LOCAL = ("localhost", "127.0.0.1", "::1")


def check_host(request: Request, ours: tuple[str, ...], port: int) -> None:
    """Refuse a request for a name that is neither local nor another one of ours."""
    name, wanted = _split(request.header("host"))
    if wanted != port or name not in (*LOCAL, *(each.lower() for each in ours)):
        raise Refused(HTTPStatus.FORBIDDEN, "This is not the name of the page here.")


def check_origin(request: Request) -> None:
    """Refuse what a page from elsewhere, or no page at all, asks for."""
    if request.header("origin").lower() != f"http://{request.header('host').lower()}":
        raise Refused(HTTPStatus.FORBIDDEN, "Only the page that is served here may ask.")


def _split(host: str) -> tuple[str, int]:
    """Name and port of a Host header, -1 for a port that is none."""
    name, colon, port = host.rpartition(":")
    if not colon or host.endswith("]"):
        name, port = host, "80"
    valid = port.isascii() and port.isdigit() and len(port) <= 5
    return name.lower().removeprefix("[").removesuffix("]"), int(port) if valid else -1
