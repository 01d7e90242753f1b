// Live analysis of the position, by one search or by two side by side.

import { byId } from "./dom.js";
import { SearchPanel } from "./search_panel.js";
import { pieceWorth, share, ValueBar } from "./value_bar.js";

export class AnalyseMode {
  constructor(app) {
    this.app = app;
    this.bar = new ValueBar(byId("value-bar"));
    this.first = new SearchPanel(app, "Best lines", false, (message) => this.found(message));
    this.second = new SearchPanel(app, "Second search", true, () => {});
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
    this.first.heading.textContent = alone ? "Best lines" : `First search: ${this.app.heuristic}`;
  }

  enter() {
    byId("main").classList.toggle("comparing", !this.second.element.hidden);
    this.changed("entered");
  }

  leave() {
    for (const panel of this.panels) panel.stop();
    byId("main").classList.remove("comparing");
    this.bar.hide();
    this.app.desk.board.point([]);
  }

  changed(what) {
    if (what === "reconnected") return;
    this.weigh();
    this.nameFirst();
    this.second.settings.showGame(this.app.position.game);
    for (const panel of this.panels) panel.again();
  }

  address() {
    return {};
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
      this.bar.hide();
      app.desk.board.point([]);
      return;
    }
    const [best] = message.lines;
    const first = app.game.sides[0] === app.position.mover;
    const part = share(best.score, this.piece);
    this.bar.show(first ? part : 1 - part, best.value.replace("-", "−"), app.game.sides, app.desk.board.flipped);
    app.desk.board.point(this.paths(message));
  }

  paths(message) {
    const known = new Map(this.app.position.moves.map((move) => [move.text, move.path]));
    return message.lines.map((line) => known.get(line.texts[0])).filter(Boolean);
  }
}
