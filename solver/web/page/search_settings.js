// A form with the settings of a search.

import { make, offer } from "./dom.js";

/** A check box for a technique. */
export function techniqueBox(name, about, checked) {
  const input = make("input", { type: "checkbox", value: name });
  input.checked = checked;
  return make("label", { class: "check", title: about }, input, name);
}

export class SearchSettings {
  /** `changed()` after every change; `withHeuristic` adds a choice of the heuristic. */
  constructor(hello, withHeuristic, changed) {
    this.hello = hello;
    this.heuristicPick = withHeuristic ? make("select") : null;
    this.orderingPick = make("select");
    this.cachePick = make("select");
    const choices = (names) => Object.entries(names).map(([name, about]) => [name, `${name}: ${about}`]);
    offer(this.orderingPick, choices(hello.orderings), "learned");
    offer(this.cachePick, choices(hello.caches), "sound");
    this.boxes = Object.entries(hello.techniques).map(([name, about]) => techniqueBox(name, about, true));
    const rows = [["Ordering", this.orderingPick], ["Cache", this.cachePick]];
    this.element = make("form", { class: "settings" },
      rows.map(([words, select]) => make("label", {}, words, select)),
      make("fieldset", { class: "techniques" }, make("legend", {}, "Techniques"), this.boxes),
    );
    this.element.addEventListener("change", changed);
    this.heuristicPick?.addEventListener("change", changed);
  }

  /** Offer the heuristics of a game. */
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
