// One search and its results, depth by depth.

import { facts, make, table } from "./dom.js";
import { announce } from "./notice.js";
import { SearchSettings } from "./search_settings.js";
import { grouped, seconds, short, signed } from "./words.js";

const HINT =
  "The three best lines, deeper and deeper until you stop the search or everything is proven. " +
  "Click a move to go to it.";
const LINES = 3;
const LONGEST_LINE = 12; // moves shown

export class SearchPanel {
  /** `found(message)` after every depth, `found(null)` when a search starts. */
  constructor(app, title, withHeuristic, found) {
    this.app = app;
    this.found = found;
    this.job = null;
    this.wanted = false;
    this.title = title;
    this.settings = new SearchSettings(app.hello, withHeuristic, () => this.again());
    this.make();
  }

  make() {
    const pick = this.settings.heuristicPick;
    this.button = make("button", { type: "button", class: "main", onclick: () => this.toggle() }, "Analyse");
    this.heading = make("h3", {}, this.title);
    this.badge = make("span", { class: "badge" });
    this.facts = make("dl", { class: "facts" });
    this.lines = make("ol", { class: "lines" });
    this.hint = make("p", { class: "hint" }, HINT);
    this.fault = make("p", { class: "notice bad", role: "alert", hidden: true });
    this.depths = make("table");
    this.history = make("details", { hidden: true },
      make("summary", {}, "Depth by depth"),
      make("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Depth by depth" }, this.depths));
    this.difference = make("span", { class: "soft" });
    this.element = make("section", { class: "card search", "aria-label": this.title },
      make("div", { class: "heading" }, this.heading, this.badge, this.button),
      pick && make("label", { class: "bar" }, "Heuristic", pick),
      this.hint, this.fault, this.facts, this.lines, this.history,
      make("details", {}, make("summary", {}, "Search settings ", this.difference), this.settings.element),
    );
  }

  get running() {
    return this.job !== null;
  }

  toggle() {
    if (this.running) this.stop();
    else this.start();
  }

  /** Search again after a change, unless the search was stopped. */
  again() {
    this.difference.textContent = this.settings.difference && `(${this.settings.difference})`;
    if (this.wanted) this.start();
    else this.clear();
  }

  clear() {
    this.rows = [];
    this.facts.replaceChildren();
    this.lines.replaceChildren();
    this.history.hidden = true;
    this.fault.hidden = true;
    this.badge.textContent = "";
    this.badge.className = "badge";
    this.hint.hidden = false;
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
    const heuristic = this.settings.heuristic ?? app.heuristic;
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
    this.show(this.proven ? "good" : "", this.proven ? "proven" : word);
    const best = this.last?.lines[0];
    if (best && this.rows.length) announce(`Search ${word}. Best move: ${best.move}, ${best.value}.`);
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
    this.hint.hidden = this.running || this.rows.length > 0;
    this.badge.className = `badge ${kind}`;
    this.badge.textContent = words;
  }

  hear(message) {
    if (!message.lines) return;
    this.last = message;
    this.rows.push(message);
    this.showFacts(message);
    this.showLines(message.lines);
    this.showDepths();
    if (message.proven) this.show("good", "proven");
    this.found(message);
  }

  get proven() {
    return Boolean(this.rows.length && this.last?.proven);
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
    while (this.lines.children.length > lines.length) this.lines.lastChild.remove();
    for (const [rank, line] of lines.entries()) {
      const row = this.lines.children[rank] ?? this.lines.appendChild(this.row());
      const [worth, moves, more] = row.children;
      worth.textContent = line.value.replace("-", "−");
      worth.classList.toggle("sure", line.proven);
      const names = line.names.slice(0, LONGEST_LINE);
      while (moves.children.length > names.length) moves.lastChild.remove();
      for (const [at, name] of names.entries()) {
        const button = moves.children[at] ?? moves.appendChild(this.moveButton(rank, at));
        button.textContent = name;
        button.setAttribute("aria-label", `Go to ${name}`);
      }
      more.textContent = line.names.length > names.length ? `and ${line.names.length - names.length} more` : "";
    }
  }

  row() {
    const parts = ["worth", "moves", "soft"].map((kind) => make("span", { class: kind }));
    return make("li", {}, parts);
  }

  moveButton(rank, at) {
    const play = () => this.app.playLine(this.last.lines[rank].texts.slice(0, at + 1));
    return make("button", { type: "button", onclick: play });
  }

  showDepths() {
    this.history.hidden = false;
    const row = ({ proof, depth, lines: [best], nodes, seconds: time }) =>
      [proof ? "proof" : String(depth), best.move, signed(best.score), grouped(nodes), seconds(time)];
    table(this.depths, ["Depth", "Best", "Score", "Nodes", "Time"], this.rows.toReversed().map(row));
  }
}
