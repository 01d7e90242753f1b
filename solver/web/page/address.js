// The state of the page in the part of its address after the #.

export const MODES = {
  analyse: "Analyse",
  play: "Play",
  heuristics: "Heuristics",
  tree: "Tree",
  puzzles: "Puzzles",
  watch: "Watch", // removed unless the server was started with --watch
};
const KEYS = ["mode", "game", "variant", "text", "moves", "at", "heuristic", "versus", "puzzle", "tree", "depth"];
export const LONGEST_TEXT = 4096;

/** `#mode=analyse&text=…`, with slashes between the rows of a board and plus signs for spaces. */
export function format(state) {
  const pairs = KEYS.filter((key) => state[key]).map((key) => `${key}=${escape(state[key])}`);
  return `#${pairs.join("&")}`;
}

function escape(value) {
  return encodeURIComponent(String(value).trim().replaceAll("\n", "/"))
    .replaceAll("%2F", "/")
    .replaceAll("%3A", ":")
    .replaceAll("%2C", ",")
    .replaceAll("%20", "+");
}

/** What an address says, and what is wrong with it. */
export function read(hash, games) {
  const state = {};
  const faults = [];
  for (const part of hash.replace(/^#/, "").split("&").filter(Boolean)) {
    const [key, ...rest] = part.split("=");
    try {
      const value = decodeURIComponent(rest.join("=").replaceAll("+", " "));
      const fault = findFault(key, value, games);
      if (fault) faults.push(fault);
      else if (value) state[key] = key === "text" ? value.replaceAll("/", "\n") : value;
    } catch {
      faults.push(`“${part.slice(0, 40)}” is truncated or garbled`);
    }
  }
  checkGame(state, faults, games);
  return { state, faults };
}

function findFault(key, value, games) {
  if (!KEYS.includes(key)) return `${quote(key)} is not one of ${KEYS.join(", ")}`;
  if (value.length > LONGEST_TEXT) return `the ${key} is longer than ${LONGEST_TEXT} characters`;
  if (value === "watch" && !MODES.watch) return "to watch games, start “solver serve --watch HOST:PORT”";
  if (key === "mode") return noneOf(key, value, Object.keys(MODES));
  if (key === "game") return noneOf(key, value, Object.keys(games));
  if (key === "depth" && !/^[1-8]$/.test(value)) return `the depth ${quote(value)} is not a number from 1 to 8`;
  if (key === "at" && !/^\d{1,3}$/.test(value)) return `${quote(value)} is not the number of a move`;
  return "";
}

const quote = (value) => `“${value.slice(0, 40)}”`;

/** What is wrong with a value that must be one of these names. */
function noneOf(key, value, names) {
  if (names.includes(value)) return "";
  return `the ${key} ${quote(value)} is not one of ${names.join(", ") || "those of this game, which has none"}`;
}

/** Variants and heuristics belong to a game; without a game, those of any game are allowed. */
function checkGame(state, faults, games) {
  const candidates = state.game ? [games[state.game]] : Object.values(games);
  const known = {
    variant: candidates.flatMap((game) => game.variants),
    heuristic: candidates.flatMap((game) => Object.keys(game.heuristics)),
  };
  known.versus = known.heuristic;
  for (const [key, names] of Object.entries(known)) {
    const fault = state[key] ? noneOf(key, state[key], names) : "";
    if (!fault) continue;
    faults.push(fault);
    delete state[key];
  }
}
