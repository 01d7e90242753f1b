// Live analysis of the position, by one search or by two side by side.

import { announce, byId, facts, make, offer, table } from "./dom.js";
import { capital, CERTAIN, fixedWorth, grouped, seconds, short } from "./words.js";

export class AnalyseMode {
  constructor(app) {
    this.app = app;
    this.first = new SearchPanel(app, "Best lines", (message) => this.found(message));
    this.second = new SearchPanel(app, "Second search", () => {});
    byId("searches").append(this.first.element, this.second.element);
    this.second.element.hidden = true;
    byId("compare").addEventListener("change", () => this.compare(byId("compare").checked));
  }

  get panels() {
    return this.second.element.hidden ? [this.first] : [this.first, this.second];
  }

  compare(both) {
    this.second.element.hidden = !both;
    byId("searches").classList.toggle("both", both);
    byId("main").classList.toggle("comparing", both);
    this.nameFirst();
    if (!both) this.second.stop();
    else if (this.first.running) this.second.start();
  }

  nameFirst() {
    const alone = this.second.element.hidden;
    this.first.heading.textContent = alone ? "Best lines" : "First search";
    this.first.own.textContent = alone ? "" : `Heuristic ${this.app.heuristic}`;
  }

  enter() {
    byId("main").classList.toggle("comparing", !this.second.element.hidden);
    this.changed("entered");
  }

  leave() {
    for (const panel of this.panels) panel.stop();
    byId("main").classList.remove("comparing");
    this.app.desk.board.point([]);
  }

  changed(what) {
    if (what === "reconnected") return;
    this.weigh();
    this.nameFirst();
    byId("fixed-side").textContent = `Numbers are for ${capital(this.app.game.sides[0])}.`;
    this.second.settings.showGame(this.app.position.game);
    for (const panel of this.panels) panel.again();
  }

  /** The value of a piece is the unit of the value bar. */
  async weigh() {
    this.piece = undefined;
    if (this.app.position.outcome) return;
    const asked = { ...this.app.where(), heuristics: [this.app.heuristic] };
    const answer = await this.app.ask("evaluate", asked).catch(() => ({}));
    this.piece = pieceWorth(answer.tables, this.app.game.plural);
  }

  found(message) {
    const { app } = this;
    if (!message) {
      app.desk.board.point([]);
      return;
    }
    const [best] = message.lines;
    const { desk, game: { sides }, position: { mover } } = app;
    const part = share(mover === sides[0] ? best.score : -best.score, this.piece);
    showBar(byId("value-bar"), part, fixedWorth(best, mover, sides), sides, desk.board.flipped);
    app.desk.board.point(this.paths(message));
  }

  paths(message) {
    const known = new Map(this.app.position.moves.map((move) => [move.text, move.path]));
    return message.lines.map((line) => known.get(line.texts[0])).filter(Boolean);
  }
}

// A value as a share of a bar: empty is lost, half is even, full is won.

const USUAL_PIECE = 100;

/** The share of the side that the score is for; a lead of two pieces fills three quarters. */
export function share(score, piece = USUAL_PIECE) {
  if (Math.abs(score) > CERTAIN) return score > 0 ? 1 : 0;
  return 0.5 + (0.5 * score) / (Math.abs(score) + 2 * piece);
}

/** The value of a piece: the weight of the first term for `pieces` such as men. */
export function pieceWorth(tables, pieces) {
  const term = tables?.[0]?.terms.find((one) => one.title.replace("other ", "") === pieces);
  return Math.abs(term?.weight ?? USUAL_PIECE) || USUAL_PIECE;
}

/** `part` of the bar, from the bottom, belongs to the first side. */
function showBar(bar, part, words, sides, flipped) {
  const [fill, label] = bar.children;
  bar.className = `value-bar ${sides[1]}${flipped ? " flipped" : ""}`;
  fill.className = sides[0];
  fill.style.transform = `scaleY(${part.toFixed(3)})`;
  label.textContent = words;
  label.className = part >= 0.5 ? `low ${sides[0]}` : `high ${sides[1]}`;
}

// One search and its results, depth by depth.

const LINES = 3;
const LONGEST_LINE = 20; // moves shown
const NOTHING_YET = ["Depth", "Nodes", "Nodes / s", "Time"].map((name) => [name, "–"]);

export class SearchPanel {
  /** `found(message)` after every depth, `found(null)` when a search starts. */
  constructor(app, title, found) {
    this.app = app;
    this.found = found;
    this.job = null;
    this.wanted = false;
    const element = byId("search").content.firstElementChild.cloneNode(true);
    const part = (kind) => element.querySelector(`.${kind}`);
    [this.element, this.button, this.heading, this.badge] = [element, part("main"), part("title"), part("badge")];
    [this.facts, this.lines, this.fault] = [part("facts"), part("lines"), part("notice")];
    [this.depths, this.difference] = [part("depths"), part("soft")];
    this.settings = new SearchSettings(app.hello, part("settings"), part("own"), () => this.again());
    this.own = part("own");
    element.setAttribute("aria-label", title);
    this.heading.textContent = title;
    this.button.addEventListener("click", () => (this.running ? this.stop() : this.start()));
  }

  get running() {
    return this.job !== null;
  }

  /** Search again after a change, unless the search was stopped. */
  again() {
    this.difference.textContent = this.settings.difference && `(${this.settings.difference})`;
    this.button.disabled = Boolean(this.app.position.outcome);
    if (this.wanted) this.start();
    else this.clear();
  }

  clear() {
    this.rows = [];
    facts(this.facts, NOTHING_YET);
    this.lines.replaceChildren();
    this.depths.replaceChildren();
    this.fault.hidden = true;
    this.badge.textContent = "";
    this.badge.className = "badge";
    this.found(null);
  }

  async start() {
    this.job?.stop();
    this.job = null;
    this.clear();
    this.wanted = true;
    const { app } = this;
    if (app.position.outcome) {
      this.show("over", "the game is over");
      return;
    }
    const heuristic = this.settings.heuristic || app.heuristic;
    const fields = { ...app.where(), lines: LINES, heuristic, options: this.settings.options };
    const job = app.connection.begin("analyse", fields, (message) => job === this.job && this.hear(message));
    this.job = job;
    this.show("busy", "searching");
    try {
      await job.done;
      if (job === this.job) this.ended();
    } catch (error) {
      if (job === this.job) this.failed(error);
    }
  }

  /** Shown at once; the server ends the search in the background. */
  stop() {
    this.wanted = false;
    if (!this.running) return;
    this.job.stop();
    this.ended("stopped");
  }

  ended(word = "finished") {
    this.job = null;
    const last = this.rows.at(-1);
    this.show(last?.proven ? "good" : "", last?.proven ? "proven" : word);
    const best = last?.lines[0];
    if (best) announce(`Search ${word}. Best move: ${best.move}, ${best.value}.`);
  }

  failed(error) {
    this.job = null;
    this.wanted = false;
    this.show("bad", "failed");
    this.fault.hidden = false;
    this.fault.textContent = error.message;
  }

  show(kind, words) {
    this.button.textContent = this.running ? "Stop" : "Analyse";
    this.badge.className = `badge ${kind}`;
    this.badge.textContent = words;
  }

  hear(message) {
    if (!message.lines) return;
    this.rows.push(message);
    this.showFacts(message);
    this.showLines(message.lines);
    this.showDepths();
    if (message.proven) this.show("good", "proven");
    this.found(message);
  }

  showFacts(message) {
    facts(this.facts, [
      ["Depth", message.proof ? "proof" : message.depth],
      ["Nodes", short(message.nodes)],
      ["Nodes / s", short(message.nps)],
      ["Time", seconds(message.seconds)],
    ]);
  }

  /** Rows are changed in place, so that no click or focus is lost. */
  showLines(lines) {
    const { position, game: { sides } } = this.app;
    while (this.lines.children.length > lines.length) this.lines.lastChild.remove();
    for (const [rank, line] of lines.entries()) {
      const row = this.lines.children[rank] ?? this.lines.appendChild(this.row());
      const [worth, moves] = row.children;
      worth.textContent = fixedWorth(line, position.mover, sides);
      worth.classList.toggle("sure", line.proven);
      const names = line.names.slice(0, LONGEST_LINE);
      while (moves.children.length > names.length) moves.lastChild.remove();
      for (const [at, name] of names.entries()) {
        const button = moves.children[at] ?? moves.appendChild(this.moveButton(rank, at));
        button.textContent = name;
        button.setAttribute("aria-label", `Go to ${name}`);
      }
    }
  }

  row() {
    const parts = ["worth", "moves"].map((kind) => make("span", { class: kind }));
    return make("li", {}, parts);
  }

  moveButton(rank, at) {
    const play = () => this.app.playLine(this.rows.at(-1).lines[rank].texts.slice(0, at + 1));
    return make("button", { type: "button", onclick: play });
  }

  showDepths() {
    const { position: { mover }, game: { sides } } = this.app;
    const row = ({ proof, depth, lines: [best], nodes, seconds: time }) =>
      [proof ? "proof" : String(depth), best.move, fixedWorth(best, mover, sides), grouped(nodes), seconds(time)];
    table(this.depths, ["Depth", "Best", "Value", "Nodes", "Time"], this.rows.toReversed().map(row));
  }
}

// A form with the settings of a search.

/** A check box for a technique. */
export function techniqueBox(name, about, checked) {
  const input = make("input", { type: "checkbox", value: name });
  input.checked = checked;
  return make("label", { class: "check", title: about }, input, name);
}

export class SearchSettings {
  /** `changed()` after every change of the form, or of the choice of a heuristic beside it. */
  constructor(hello, form, own, changed) {
    this.hello = hello;
    [this.orderingPick, this.cachePick] = form.querySelectorAll("select");
    this.heuristicPick = own.querySelector("select");
    const choices = (names) => Object.entries(names).map(([name, about]) => [name, `${name}: ${about}`]);
    offer(this.orderingPick, choices(hello.orderings), "learned");
    offer(this.cachePick, choices(hello.caches), "sound");
    this.boxes = Object.entries(hello.techniques).map(([name, about]) => techniqueBox(name, about, true));
    form.querySelector("fieldset").append(...this.boxes);
    for (const element of [form, own]) element.addEventListener("change", changed);
  }

  /** Offer the heuristics of a game. */
  showGame(game) {
    if (this.game === game) return;
    this.game = game;
    const names = Object.keys(this.hello.games[game].heuristics);
    const other = names.find((name) => name !== this.hello.games[game].default_heuristic);
    offer(this.heuristicPick, names.map((name) => [name, name]), other);
  }

  get heuristic() {
    return this.heuristicPick.value;
  }

  /** The techniques that are switched off. */
  get without() {
    return this.boxes.map((box) => box.firstChild).filter((input) => !input.checked).map((input) => input.value);
  }

  get options() {
    return { ordering: this.orderingPick.value, cache: this.cachePick.value, without: this.without };
  }

  /** What differs from the default settings, or "". */
  get difference() {
    const words = this.without.map((name) => `no ${name}`);
    if (this.orderingPick.value !== "learned") words.push(`ordering ${this.orderingPick.value}`);
    if (this.cachePick.value !== "sound") words.push(`cache ${this.cachePick.value}`);
    return words.join(", ");
  }
}
