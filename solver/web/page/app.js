// The page as a whole: its mode, its position and its address.

import * as address from "./address.js";
import { AnalyseMode } from "./analyse_mode.js";
import { Connection, Lost } from "./connection.js";
import { Desk } from "./desk.js";
import { announce, byId, dismiss, make, notify } from "./dom.js";
import { HeuristicsMode } from "./heuristics_mode.js";
import { PlayMode } from "./play_mode.js";
import { PuzzleMode } from "./puzzle_mode.js";
import { TreeMode } from "./tree_mode.js";
import { WatchMode } from "./watch_mode.js";
import { capital, learn, outcomeWords } from "./words.js";

export class App {
  constructor(connection, hello) {
    this.connection = connection;
    this.hello = hello;
    this.record = new GameRecord();
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
    else delete address.MODES.watch;
    this.name = "";
    this.record.listen((what) => this.changed(what));
    addEventListener("hashchange", () => this.follow());
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

  /** The position as fields of a request. */
  where(position = this.position) {
    return { game: position.game, text: position.text, variant: position.variant };
  }

  /** Show what the address says, and what is wrong with it. */
  async follow() {
    if (location.hash === this.address) return;
    const { state, faults } = address.read(location.hash, this.hello.games);
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

  /** The position of an address; without one, the position shown stays, or the game starts. */
  async loadFrom(state) {
    const { game = "", variant = "", text } = state;
    if (this.position && this.shows(state)) return;
    if (text && (await this.load({ game, text, variant }, true))) return;
    if (this.position && text) return;
    const name = game || Object.keys(this.hello.games)[0];
    const start = { game: name, text: this.hello.games[name].start, variant };
    const position = await this.ask("position", start).catch((error) => this.complain(error));
    if (position) this.record.load(position);
  }

  /** Whether an address is about the position already shown; then the moves so far stay. */
  shows(state) {
    const here = this.where();
    const agrees = (key) => state[key] === undefined || state[key].trim() === here[key].trim();
    return ["game", "variant", "text"].every(agrees);
  }

  /** Read a position and show it; returns whether it was valid. */
  async load(fields, fromAddress = false) {
    const mine = ++this.asked;
    try {
      const position = await this.ask("position", fields);
      if (mine !== this.asked) return false;
      dismiss("position");
      this.record.load(position);
      if (position.warnings?.length) notify("position", "Read with a warning.", position.warnings);
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
    this.write();
    if (what !== "loaded") this.tellMove(what);
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
      this.mode?.leave();
      this.desk.editor.setOpen(false);
    }
    this.name = name;
    byId("main").dataset.mode = name;
    for (const panel of document.querySelectorAll("[data-panel]")) panel.hidden = panel.dataset.panel !== name;
    document.title = `${address.MODES[name]} – Checkmark`;
    this.desk.show("entered");
    this.mode.enter(state);
    this.write();
  }

  state(mode = this.name) {
    const { game, text, variant } = this.where();
    return { mode, game, variant, text, heuristic: this.heuristic, ...this.modes[mode].address() };
  }

  /** Write what is shown to the address, so that it can be shared, and to the links of the modes. */
  write() {
    if (!this.name || !this.position) return;
    this.address = address.format(this.state());
    if (location.hash !== this.address) history.replaceState(null, "", this.address);
    this.showLinks();
  }

  /** Links are changed in place, so that the focus stays. */
  showLinks() {
    const nav = byId("modes");
    if (!nav.children.length) {
      const links = Object.entries(address.MODES);
      nav.append(...links.map(([mode, words]) => make("a", { "data-mode": mode }, words)));
    }
    for (const link of nav.children) {
      link.href = address.format(this.state(link.dataset.mode));
      if (link.dataset.mode === this.name) link.setAttribute("aria-current", "page");
      else link.removeAttribute("aria-current");
    }
  }

  lost() {
    this.mode?.lost?.();
  }

  reconnected(hello) {
    this.hello = hello;
    if (!this.position) this.follow();
    else this.mode?.changed("reconnected");
  }
}

// The position shown, the moves that led to it, and those that were taken back.

export class GameRecord {
  constructor() {
    this.plies = []; // {position, move}: the move is null for the first
    this.at = 0;
    this.listeners = [];
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

  listen(listener) {
    this.listeners.push(listener);
  }

  load(position) {
    this.plies = [{ position, move: null }];
    this.at = 0;
    this.tell("loaded");
  }

  /** Add a move; moves that were taken back are dropped, unless this one repeats them. */
  play(move, position) {
    if (this.plies[this.at + 1]?.move.text !== move.text) {
      this.plies = [...this.past, { position, move }];
    }
    this.at += 1;
    this.tell("played");
  }

  goTo(at) {
    const target = Math.max(0, Math.min(at, this.plies.length - 1));
    if (target === this.at) return;
    this.at = target;
    this.tell("stepped");
  }

  tell(what) {
    for (const listener of this.listeners) listener(what);
  }
}

// Connect, then start the page.

let app = null;

function opened(hello) {
  learn(hello.games);
  const build = hello.compiled ? "compiled" : "interpreted";
  byId("about").textContent = `Checkmark ${hello.version}, ${build}. Everything runs on this machine.`;
  const back = !byId("lost").hidden;
  byId("lost").hidden = true;
  if (app) app.reconnected(hello);
  else app = new App(connection, hello);
  if (back) announce("Connected again.");
}

function lost() {
  byId("lost").hidden = false;
  app?.lost();
}

const connection = new Connection(opened, lost);
byId("retry").addEventListener("click", () => connection.connect());
byId("skip").addEventListener("click", (event) => {
  event.preventDefault(); // the address holds the position
  byId("panels").focus();
});
