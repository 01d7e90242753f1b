// Beside the board: hints, and the reasons for the best move, with moves to click.

import { byId, make } from "./dom.js";
import { capital } from "./words.js";

const NAME = /([a-h][1-8](?:[-x]?[a-h][1-8])+)/;

export class Why {
  constructor(app) {
    this.app = app;
    byId("hint").addEventListener("click", () => this.hint());
    byId("explain").addEventListener("click", () => this.explain());
  }

  /** A puzzle is explained where your last move was made, or where it begins; else the position shown. */
  get subject() {
    const { mode, name, record } = this.app;
    const at = name === "puzzles" ? mode.asked : record.at;
    const tried = name === "puzzles" ? record.plies[at + 1]?.move.name : undefined;
    return { plies: record.plies.slice(0, at + 1), tried };
  }

  /** Forget what is not about the game shown. */
  changed() {
    const { plies, tried } = this.subject;
    byId("explain").disabled = this.app.name === "puzzles" && !tried;
    const over = Boolean(plies.at(-1).position.outcome);
    for (const id of ["hint", "explain"]) byId(id).hidden = over;
    const root = this.about?.plies.at(-1).position;
    if (root && !this.app.record.plies.some(({ position }) => position === root)) this.forget();
    byId("why").hidden = over && !this.about;
  }

  forget() {
    this.job?.stop();
    this.about = this.job = this.found = null;
    this.shown = 0; // hints
    byId("why-text").replaceChildren();
  }

  /** What the solver says about the subject: asked once, null if that failed or is no longer wanted. */
  async ask(about = this.subject) {
    const isNew = about.plies.at(-1).position !== this.about?.plies.at(-1).position || about.tried !== this.about.tried;
    if (this.found && !isNew) return this.found;
    this.forget();
    this.about = about;
    byId("why-text").append(make("p", { class: "hint" }, "Searching for a few seconds…"));
    const { app } = this;
    const fields = { ...app.where(about.plies.at(-1).position), heuristic: app.heuristic, against: about.tried };
    const job = (this.job = app.connection.begin("why", fields, (message) => (this.found = message)));
    try {
      await job.done;
    } catch (error) {
      if (job === this.job) byId("why-text").replaceChildren(make("p", { class: "notice bad" }, error.message));
    }
    return job === this.job ? this.found : null;
  }

  async hint() {
    const { mode, name, record } = this.app;
    const found = await this.ask(name === "puzzles" && mode.mayMove() ? { plies: record.past } : this.subject);
    if (!found) return;
    this.shown = Math.min((this.shown || 0) + 1, found.hints.length);
    const items = found.hints.slice(0, this.shown).map((words) => make("li", {}, words.join(" ")));
    const left = found.hints.length - this.shown;
    const more = left ? make("p", { class: "hint" }, `“Hint” says more: ${left} left.`) : null;
    byId("why-text").replaceChildren(make("ol", { class: "hints" }, items), ...(more ? [more] : []));
  }

  async explain() {
    const found = await this.ask();
    if (!found) return;
    this.last = [0, -1];
    const number = ({ ply, until }) => (ply === until ? ply : `${ply}–${until}`);
    const row = (one) => make("tr", {},
      make("td", {}, String(number(one))), make("td", {}, capital(one.side)),
      make("td", {}, one.name && this.link([0, one.ply - 1], one.name)), make("td", {}, capital(one.words)));
    byId("why-text").replaceChildren(
      this.paragraph(found.head),
      make("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "The best line in words" },
        make("table", { class: "story" }, make("tbody", {}, found.story.map(row)))),
      ...found.notes.flatMap((note) => note.split("\n")).map((words) => this.paragraph(capital(words))),
      make("details", {}, make("summary", {}, "What the heuristic counts"), make("pre", { class: "log" }, found.terms)),
    );
  }

  paragraph(words) {
    return make("p", {}, words.split(NAME).map((part, index) => (index % 2 ? this.found && this.mention(part) : part)));
  }

  /** A move in a sentence: the next of the line mentioned last, or the first of that name. */
  mention(name) {
    const [line, at] = this.last;
    const all = this.found.lines.flatMap(({ names }, which) => names.map((one, ply) => [one, which, ply]));
    const next = this.found.lines[line].names[at + 1] === name && at >= 0 ? [name, line, at + 1] : null;
    const place = (next ?? all.find(([one, , ply]) => one === name && ply === 0) ?? all.find(([one]) => one === name))?.slice(1);
    if (!place) return name;
    this.last = place;
    return this.link(place, name);
  }

  link([line, ply], name) {
    const { plies } = this.about;
    const texts = this.found.lines[line].texts.slice(0, ply + 1);
    return make("button", { type: "button", class: "move", onclick: () => this.app.showLine(plies, texts) }, name);
  }
}
