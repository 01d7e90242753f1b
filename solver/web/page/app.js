// The page as a whole: its mode, its position and its address.

import { AnalyseMode } from "./analyse_mode.js";
import { Connection, Lost } from "./connection.js";
import { Desk } from "./desk.js";
import { announce, byId, dismiss, make, notify } from "./dom.js";
import { HeuristicsMode } from "./heuristics_mode.js";
import { PlayMode } from "./play_mode.js";
import { PuzzleMode } from "./puzzle_mode.js";
import { TreeMode } from "./tree_mode.js";
import { WatchMode } from "./watch_mode.js";
import { Why } from "./why.js";
import { capital, learn, outcomeWords } from "./words.js";

export class App {
  constructor(connection, hello) {
    this.connection = connection;
    this.hello = hello;
    this.record = new GameRecord((what) => this.changed(what));
    this.asked = 0; // number of the last position request: only its answer is shown
    this.followed = 0; // number of the last address followed
    this.desk = new Desk(this);
    this.modes = {
      analyse: new AnalyseMode(this),
      play: new PlayMode(this),
      heuristics: new HeuristicsMode(this),
      tree: new TreeMode(this),
      puzzles: new PuzzleMode(this),
    };
    if (hello.watch) this.modes.watch = new WatchMode(this);
    else delete MODES.watch;
    this.why = new Why(this);
    this.name = "";
    addEventListener("hashchange", (event) => this.follow(new URL(event.newURL).hash));
    addEventListener("keydown", (event) => this.key(event));
    this.follow();
  }

  get mode() {
    return this.modes[this.name];
  }

  get position() {
    return this.record.position;
  }

  get game() {
    return this.hello.games[this.position.game];
  }

  get heuristic() {
    return this.desk.heuristic;
  }

  addressOf = formatAddress;

  /** The position as fields of a request. */
  where(position = this.position) {
    return { game: position.game, text: position.text, variant: position.variant };
  }

  /** Show what an address says, and what is wrong with it; a move made in the meantime may have replaced it. */
  async follow(hash = location.hash) {
    if (hash === this.address) return;
    const { state, faults } = readAddress(hash, this.hello.games);
    const words = "Part of the address of this page is invalid; the rest is shown.";
    dismiss("position");
    if (faults.length) notify("address", `${words} ${capital(faults.join("; "))}.`);
    else dismiss("address");
    const mine = ++this.followed;
    await this.loadFrom(state);
    if (mine !== this.followed) return;
    if (state.heuristic) this.desk.chooseHeuristic(state.heuristic);
    this.enter(state.mode ?? "analyse", state);
  }

  /** The game of an address; without one, the game shown stays, or a new one starts. */
  async loadFrom(state) {
    const { game = "", variant = "", text } = state;
    if (this.position && this.shows(state)) return this.record.goTo(Number(state.at ?? this.record.at));
    if (text && (await this.load({ game, text, variant }, state))) return;
    if (this.position && text) return;
    const name = game || Object.keys(this.hello.games)[0];
    await this.load({ game: name, text: this.hello.games[name].start, variant });
  }

  /** Whether an address is about the game already shown. */
  shows(state) {
    const here = this.gameState();
    const agrees = (key) => state[key] === undefined || state[key].trim() === here[key].trim();
    const moves = state.text === undefined || (state.moves ?? "") === here.moves;
    return moves && ["game", "variant", "text"].every(agrees);
  }

  /** Read a position, play the moves of an address there, and show it; returns whether it was valid. */
  async load(fields, fromAddress = null) {
    const mine = ++this.asked;
    try {
      const plies = [{ position: await this.ask("position", fields), move: null }];
      const illegal = await this.extend(plies, "name", (fromAddress?.moves ?? "").split(" ").filter(Boolean));
      if (illegal) notify("address", `The address of this page has an illegal move: ${illegal.slice(0, 40)}.`);
      if (mine !== this.asked) return false;
      dismiss("position");
      this.record.load(plies, Number(fromAddress?.at ?? plies.length));
      const { warnings } = plies[0].position;
      if (warnings?.length) notify("position", "Read with a warning.", warnings);
      return true;
    } catch (error) {
      const where = fromAddress ? "The address of this page has an invalid position. " : "";
      if (mine === this.asked) this.complain(error, "position", where);
      return false;
    }
  }

  ask(kind, fields) {
    return this.connection.ask(kind, fields);
  }

  /** Show an error, unless the connection was lost: the page already says so. */
  complain(error, kind = "ask", before = "") {
    if (error instanceof Lost) return;
    notify(kind, before + error.message, error.faults);
  }

  /** Make a legal move of the position shown. */
  async play(move) {
    const mine = ++this.asked;
    try {
      const position = await this.ask("position", { ...this.where(), text: move.text });
      if (mine !== this.asked) return;
      this.record.play(move, position);
    } catch (error) {
      this.complain(error);
    }
  }

  /** Add moves by their `name`, or by the `text` of the position after them; returns the first that is not legal. */
  async extend(plies, key, moves) {
    for (const wanted of moves) {
      const before = plies.at(-1).position;
      const move = before.moves.find((one) => one[key] === wanted);
      if (!move) return wanted;
      plies.push({ move, position: await this.ask("position", { ...this.where(before), text: move.text }) });
    }
    return "";
  }

  /** Show a line that begins after some plies. */
  async showLine(plies, texts) {
    const mine = ++this.asked;
    const found = [...plies];
    await this.extend(found, "text", texts).catch((error) => this.complain(error));
    if (mine === this.asked) this.record.load(found);
  }

  /** Play the first moves of a line that the search has found. */
  async playLine(texts) {
    for (const text of texts) {
      const move = this.position.moves.find((one) => one.text === text);
      if (!move) return;
      await this.play(move);
    }
  }

  changed(what) {
    this.desk.show(what);
    this.mode?.changed(what);
    this.why.changed();
    this.write();
    if (what !== "loaded") this.tellMove(what);
  }

  /** The arrow keys step through the game, or through what the mode shows. */
  key(event) {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key] ?? 0;
    const elsewhere = "input, select, textarea, summary, [role=grid], [role=tree], .scroll";
    if (event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey || event.target.closest(elsewhere)) return;
    if (this.mode?.key ? !this.mode.key(event, step) : !step || this.desk.editor.open) return;
    event.preventDefault();
    if (!this.mode.key) this.record.goTo(this.record.at + step);
  }

  tellMove(what) {
    const { outcome, mover } = this.position;
    const state = outcome ? outcomeWords(outcome) : `${capital(mover)} to move`;
    const { plies, at, move } = this.record;
    const made = what === "played" ? `${capital(plies[at - 1].position.mover)} plays ${move.name}. ` : "";
    announce(`${made}${state}.`);
  }

  enter(name, state = {}) {
    if (!this.position) return;
    if (name !== this.name) {
      this.mode?.leave?.();
      this.why.forget();
      this.desk.editor.setOpen(false);
    }
    this.name = name;
    byId("main").dataset.mode = name;
    for (const panel of document.querySelectorAll("[data-panel]")) panel.hidden = panel.dataset.panel !== name;
    document.title = `${MODES[name]} – Checkmark`;
    this.desk.show("entered");
    this.mode.enter(state);
    this.why.changed();
    this.write();
  }

  /** The game in an address: the first position and the moves; the position alone if that is too long. */
  gameState() {
    const { plies, at, isLast } = this.record;
    const moves = plies.slice(1).map(({ move }) => move.name).join(" ");
    if (moves.length > LONGEST_TEXT) return { ...this.where(), moves: "" };
    return { ...this.where(plies[0].position), moves, at: isLast ? "" : String(at) };
  }

  state(mode = this.name) {
    return { mode, ...this.gameState(), heuristic: this.heuristic, ...this.modes[mode].address?.() };
  }

  /** Write what is shown to the address, so that it can be shared, and to the links of the modes. */
  write() {
    if (!this.name || !this.position) return;
    this.address = formatAddress(this.state());
    if (location.hash !== this.address) history.replaceState(null, "", this.address);
    this.showLinks();
  }

  /** Links are changed in place, so that the focus stays. */
  showLinks() {
    const nav = byId("modes");
    if (!nav.children.length) {
      const links = Object.entries(MODES);
      nav.append(...links.map(([mode, words]) => make("a", { "data-mode": mode }, words)));
    }
    for (const link of nav.children) {
      link.href = formatAddress(this.state(link.dataset.mode));
      if (link.dataset.mode === this.name) link.setAttribute("aria-current", "page");
      else link.removeAttribute("aria-current");
    }
  }

  reconnected(hello) {
    this.hello = hello;
    if (!this.position) this.follow();
    else this.mode?.changed("reconnected");
  }
}

// The position shown, the moves that led to it, and those that were taken back.

export class GameRecord {
  /** `changed(what)` when a game was `loaded`, a move `played`, or `stepped` to. */
  constructor(changed) {
    this.changed = changed;
    this.plies = []; // {position, move}: the move is null for the first
    this.at = 0;
  }

  get position() {
    return this.plies[this.at]?.position ?? null;
  }

  get move() {
    return this.plies[this.at]?.move ?? null;
  }

  /** Positions from the first to the one shown. */
  get past() {
    return this.plies.slice(0, this.at + 1);
  }

  get isLast() {
    return this.at === this.plies.length - 1;
  }

  load(plies, at = plies.length - 1) {
    this.plies = plies;
    this.at = Math.max(0, Math.min(at, plies.length - 1));
    this.changed("loaded");
  }

  /** Add a move; moves that were taken back are dropped, unless this one repeats them. */
  play(move, position) {
    if (this.plies[this.at + 1]?.move.text !== move.text) {
      this.plies = [...this.past, { position, move }];
    }
    this.at += 1;
    this.changed("played");
  }

  goTo(at) {
    const target = Math.max(0, Math.min(at, this.plies.length - 1));
    if (target === this.at) return;
    this.at = target;
    this.changed("stepped");
  }
}

// The state of the page in the part of its address after the #.

const MODES = {
  analyse: "Analyse",
  play: "Play",
  heuristics: "Heuristics",
  tree: "Tree",
  puzzles: "Puzzles",
  watch: "Watch", // removed unless the server was started with --watch
};
const KEYS = ["mode", "game", "variant", "text", "moves", "at", "heuristic", "versus", "puzzle", "tree", "depth"];
const LONGEST_TEXT = 4096;

/** `#mode=analyse&text=…`, with slashes between the rows of a board and plus signs for spaces. */
export function formatAddress(state) {
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
export function readAddress(hash, games) {
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

// Connect, then start the page.

let app = null;

function opened(hello) {
  learn(hello.games);
  const build = hello.compiled ? "compiled" : "interpreted";
  byId("about").textContent = `Checkmark ${hello.version}, ${build}. ${hello.about}`;
  const back = !byId("lost").hidden;
  byId("lost").hidden = true;
  if (app) app.reconnected(hello);
  else app = new App(connection, hello);
  if (back) announce("Connected again.");
}

const connection = new Connection(opened, () => (byId("lost").hidden = false));
byId("retry").addEventListener("click", () => connection.connect());
byId("skip").addEventListener("click", (event) => {
  event.preventDefault(); // the address holds the position
  byId("panels").focus();
});
