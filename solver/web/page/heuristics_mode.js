// The terms of one heuristic, or of two side by side.

import { byId, make, offer, table } from "./dom.js";
import { capital, outcomeWords, signed } from "./words.js";

export class HeuristicsMode {
  constructor(app) {
    this.app = app;
    this.wanted = "";
    for (const heard of [() => this.show(), () => app.write()]) byId("versus").addEventListener("change", heard);
  }

  enter(state) {
    if (state.versus) this.wanted = state.versus;
    this.changed();
  }

  address() {
    return { versus: this.app.name === "heuristics" ? byId("versus").value : "" };
  }

  changed() {
    const names = Object.keys(this.app.game.heuristics);
    const chosen = names.includes(this.wanted) ? this.wanted : byId("versus").value;
    offer(byId("versus"), [["", "none"], ...names.map((name) => [name, name])], chosen);
    this.wanted = "";
    this.show();
  }

  get names() {
    return [...new Set([this.app.heuristic, byId("versus").value].filter(Boolean))];
  }

  async show() {
    const { app } = this;
    const { position } = app;
    const names = this.names;
    byId("tables").classList.toggle("both", names.length > 1);
    byId("ranking-card").hidden = Boolean(position.outcome);
    if (position.outcome) {
      const words = `${outcomeWords(position.outcome)}. Finished games are not evaluated.`;
      byId("tables").replaceChildren(make("p", { class: "card" }, words));
      return;
    }
    try {
      const texts = [position, ...position.moves].map((one) => one.text);
      const ask = (text) => app.ask("evaluate", { ...app.where(), text, heuristics: names });
      const [answer, ...children] = await Promise.all(texts.map(ask));
      if (position !== app.position || names.join() !== this.names.join()) return;
      byId("tables").replaceChildren(...answer.tables.map((one) => this.card(one)));
      this.rank(position, names, children);
    } catch (error) {
      app.complain(error);
    }
  }

  card(one) {
    const [first, second] = this.app.game.sides;
    const largest = Math.max(1, ...one.terms.map((term) => Math.abs(term.total)));
    const rows = one.terms.map((term) => [
      term.title, String(term.first), String(term.second), signed(term.weight),
      make("span", { class: "total" }, meter(term.total / largest, first, second), signed(term.total)),
    ]);
    const sum = one.terms.reduce((total, term) => total + term.total, 0);
    const head = ["Term", capital(first), capital(second), "Weight", "Total"];
    const element = table(make("table", { class: "terms" }), head, rows);
    const last = [make("th", { scope: "row", colspan: 4 }, "Sum"), make("td", {}, signed(sum))];
    element.append(make("tfoot", {}, make("tr", {}, last)));
    return make("section", { class: "card", "aria-label": one.name },
      make("h3", {}, one.name),
      make("p", { class: "hint" }, capital(this.app.game.heuristics[one.name])),
      make("div", { class: "scroll terms-box", tabindex: "0", role: "region", "aria-label": `Terms of ${one.name}` },
        element),
      make("p", { class: "verdict-line" }, make("strong", {}, signed(one.value)), ` for ${one.mover}, the side to move`),
    );
  }

  /** The value of a child is for its mover, the other side. */
  rank(position, names, children) {
    const worth = children.map((child, index) => ({
      name: position.moves[index].name,
      over: child.outcome,
      values: names.map((_, at) => (child.tables?.length ? -child.tables[at].value : null)),
    }));
    const key = (one) => one.values[0] ?? (one.over?.winner === position.mover ? Infinity : -Infinity);
    worth.sort((one, other) => key(other) - key(one));
    const best = names.map((_, at) => Math.max(...worth.map((one) => one.values[at] ?? -Infinity)));
    const cell = (one, at) => {
      if (one.values[at] === null) return one.over ? outcomeWords(one.over) : "";
      const words = signed(one.values[at]);
      return one.values[at] === best[at] ? make("strong", {}, `${words} ★`) : words;
    };
    const row = (one) => [one.name, ...names.map((_, at) => cell(one, at))];
    table(byId("ranking"), ["Move", ...names], worth.map(row));
  }
}

/** A bar that starts in the middle: to the right for the first side, to the left for the second. */
function meter(part, first, second) {
  const bar = make("span", { class: part < 0 ? second : first });
  bar.style.width = `${Math.abs(50 * part).toFixed(1)}%`;
  bar.style.left = part < 0 ? `${(50 + 50 * part).toFixed(1)}%` : "50%";
  return make("span", { class: "meter", "aria-hidden": "true" }, bar);
}
