"""Games in progress: clocks, results, pondering."""
