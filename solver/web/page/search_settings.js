// How a search goes about it: a form with one control for each technique.

import { make, offer } from "./dom.js";

const HINTS = {
  alpha_beta: "off: plain minimax, every move is looked at",
  scouts: "a window of one point for all children but the first",
  aspiration: "a narrow window at the root",
  win_bounds: "no search for wins that come too late",
  transposition_cuts: "cuts by what the cache knows of children",
  deepening: "depth after depth",
  extension: "compulsory captures are searched to their end",
  tables: "endings are looked up",
};

export const techniqueWords = (name) => name.replace(/[-_]/g, " ").replace("alpha beta", "alpha-beta");

/** A check box for a technique. */
export function techniqueBox(name, checked) {
  const input = make("input", { type: "checkbox", value: name });
  input.checked = checked;
  const title = HINTS[name.replaceAll("-", "_")];
  return make("label", { class: "check", title }, input, techniqueWords(name));
}

export class SearchSettings {
  /** `changed()` whenever anything is chosen; a heuristic is chosen here only if asked for. */
  constructor(hello, withHeuristic, changed) {
    this.hello = hello;
    this.heuristicPick = withHeuristic ? make("select") : null;
    this.orderingPick = make("select");
    this.cachePick = make("select");
    const told = (names) => Object.entries(names).map(([name, about]) => [name, `${name}: ${about}`]);
    offer(this.orderingPick, told(hello.orderings), "learned");
    offer(this.cachePick, told(hello.caches), "sound");
    this.boxes = hello.techniques.map((name) => techniqueBox(name, true));
    const rows = [["Ordering", this.orderingPick], ["Cache", this.cachePick]];
    this.element = make("form", { class: "settings" },
      rows.map(([words, select]) => make("label", {}, words, select)),
      make("fieldset", { class: "techniques" }, make("legend", {}, "Techniques"), this.boxes),
    );
    this.element.addEventListener("change", changed);
    this.heuristicPick?.addEventListener("change", changed);
  }

  /** The heuristics of a game to choose from. */
  showGame(game) {
    if (!this.heuristicPick || this.game === game) return;
    this.game = game;
    const names = Object.keys(this.hello.games[game].heuristics);
    const other = names.find((name) => name !== this.hello.games[game].default_heuristic);
    offer(this.heuristicPick, names.map((name) => [name, name]), other);
  }

  get heuristic() {
    return this.heuristicPick?.value;
  }

  get options() {
    const off = this.boxes.map((box) => box.firstChild).filter((input) => !input.checked);
    const switches = off.map((input) => [`no_${input.value.replaceAll("-", "_")}`, true]);
    return { ordering: this.orderingPick.value, cache: this.cachePick.value, ...Object.fromEntries(switches) };
  }

  /** What differs from the usual search, in words; empty if nothing does. */
  get difference() {
    const words = this.boxes.map((box) => box.firstChild).filter((input) => !input.checked)
      .map((input) => `no ${techniqueWords(input.value)}`);
    if (this.orderingPick.value !== "learned") words.push(`ordering ${this.orderingPick.value}`);
    if (this.cachePick.value !== "sound") words.push(`cache ${this.cachePick.value}`);
    return words.join(", ");
  }
}
