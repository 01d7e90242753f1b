"""The page around a body.  A policy in its head lets the browser run our script and nothing else,
whatever the body may contain."""

from __future__ import annotations

from base64 import b64encode
from hashlib import sha256
from importlib.resources import files

from grader.report.grading.html.boards import Boards
from grader.report.grading.html.markup import escaped


def document(title: str, boards: Boards, body: str, style: str = "", script: str = "") -> str:
    """`style` comes after the sheet that all pages have."""
    style = own_text("style.css") + style
    pieces = own_text("pieces.svg")
    policy = f"default-src 'none'; style-src '{_hash(style)}'"
    if script:
        policy += f"; script-src '{_hash(script)}'"
        script = f"<script>{script}</script>\n"
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}; img-src data:">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n<link rel="icon" href="data:,">\n'
        f"<title>{escaped(title)}</title>\n<style>{style}</style>\n</head>\n<body>\n"
        f'<svg class="symbols" aria-hidden="true">{pieces}{boards.symbols()}</svg>\n'
        f"{body}\n{script}</body>\n</html>\n"
    )


def own_text(name: str) -> str:
    """A file that lies beside this one."""
    return (files("grader.report.grading.html") / name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"
