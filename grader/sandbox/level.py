"""How strongly a box holds what runs in it."""

from __future__ import annotations

from enum import StrEnum


class Level(StrEnum):
    """From the strongest to the weakest."""

    BUBBLEWRAP = "bubblewrap"
    NAMESPACES = "namespaces"
    LANDLOCK = "landlock"
    LIMITS = "limits"

    @property
    def has_own_root(self) -> bool:
        """Whether a box has its own file tree and its own processes."""
        return self in (Level.BUBBLEWRAP, Level.NAMESPACES)

    @property
    def gives(self) -> str:
        return GIVES[self]

    @property
    def warning(self) -> str:
        """What an instructor must know before trusting this level; empty if there is nothing."""
        return WARNINGS.get(self, "")


GIVES = {
    Level.BUBBLEWRAP: "own files, processes, network and users, by bubblewrap",
    Level.NAMESPACES: "own files, processes and network, by namespaces and Landlock",
    Level.LANDLOCK: "files, TCP and signals held by Landlock",
    Level.LIMITS: "limits on time, memory, output and processes",
}

WARNINGS = {
    Level.LANDLOCK: (
        "Submissions run under Landlock only: they can use UDP, see that other files exist, and "
        "change the modes of files of the same user. Install bubblewrap for more."
    ),
    Level.LIMITS: (
        "Submissions run WITHOUT ISOLATION: they can read the expected files, use the network and "
        "change files that you can change. Install bubblewrap."
    ),
}
