"""Checkpoints of a proof: bounds of the root, and the answers that cost most.  A proof that goes on
from one searches again only what was cheap."""

from __future__ import annotations

import json
from array import array
from hashlib import sha256

from solver.errors import FileError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from solver.proof.wins import WinProof
    from solver.search.position import Position

FORMAT = "checkmark checkpoint 1"


def pack(proof: WinProof, root: Position) -> bytes:
    head = {
        "format": FORMAT,
        "root": repr(root),
        "low": proof.low,
        "high": proof.high,
        "nodes": proof.counters.visited,
    }
    entries = array("q", [number for pair in proof.costly.items() for number in pair])
    return sealed(json.dumps(head).encode() + b"\n" + entries.tobytes())


def unpack(proof: WinProof, root: Position, content: bytes, source: str) -> None:
    """Prepare a new proof to go on from there."""
    line, _, entries = unsealed(content).partition(b"\n")
    head = json.loads(line or b"{}")
    if head.get("format") != FORMAT:
        raise FileError(f"{source}: not a checkpoint, or damaged. Delete it to begin again.")
    if head["root"] != repr(root):
        raise FileError(f"{source}: a checkpoint of another proof. Choose another file.")
    proof.low, proof.high, proof.counters.visited = head["low"], head["high"], head["nodes"]
    numbers = array("q", entries)
    for key, entry in zip(numbers[::2], numbers[1::2], strict=True):
        proof.costly[key] = entry
        proof.table.restore(key, entry)


def sealed(content: bytes) -> bytes:
    """With a line before it that tells damage."""
    return sha256(content).hexdigest().encode() + b"\n" + content


def unsealed(data: bytes) -> bytes:
    """What was sealed; nothing if it is damaged."""
    content = data.partition(b"\n")[2]
    return content if sealed(content) == data else b""
