// The nodes as a list that opens and closes: what a keyboard and a screen reader walk through.

import { make } from "./dom.js";
import { capital, windowWords } from "./words.js";

const MOST_SHOWN = 500; // rows

export class TreeOutline {
  /** `chosen(node)` when a row is, `toggled(node, open)` when its children are to be seen or not. */
  constructor(element, chosen, toggled) {
    this.element = element;
    this.onChosen = chosen;
    this.onToggled = toggled;
    element.addEventListener("keydown", (event) => this.key(event));
  }

  show(trace, at, { expanded, chosen }) {
    this.trace = trace;
    this.expanded = expanded;
    const focused = this.element.contains(document.activeElement);
    this.rows = [];
    for (const [index, root] of trace.roots.entries()) this.collect(root, 1, index, trace.roots.length);
    const shown = this.rows.slice(0, MOST_SHOWN);
    const inside = shown.some(({ node }) => node === chosen);
    this.element.replaceChildren(...shown.map((row, index) => this.row(row, at, row.node === chosen, inside ? row.node === chosen : !index)));
    if (this.rows.length > MOST_SHOWN) this.element.append(make("li", { class: "hint", role: "none" }, `and ${this.rows.length - MOST_SHOWN} more`));
    const current = this.element.querySelector("[aria-selected=true]");
    if (focused) current?.focus({ preventScroll: true });
    this.reveal(current);
  }

  collect(node, level, index, count) {
    this.rows.push({ node, level, index, count });
    if (!this.expanded.has(node.id)) return;
    const children = this.trace.below.get(node.id);
    for (const [place, child] of children.entries()) this.collect(child, level + 1, place, children.length);
  }

  row({ node, level, index, count }, at, chosen, tabbable) {
    const { trace } = this;
    const state = trace.state(node, at);
    const parent = trace.below.get(node.id).length > 0;
    const open = this.expanded.has(node.id);
    const twisty = make("span", { class: "twisty", "aria-hidden": "true" }, parent ? (open ? "▾" : "▸") : "");
    const badge = state === "done" && node.tag !== "leaf" ? make("span", { class: `badge tag-${node.tag}` }, node.tag) : null;
    const worth = state === "done" ? make("span", { class: "worth" }, trace.value(node)) : null;
    const spared = state === "done" && node.unseen.length ? `${node.reason ? "; " : ""}not looked at: ${node.unseen.join(" ")}` : "";
    const why = state === "done" && node.kind !== "heuristic" && (node.reason || spared) ? make("span", { class: "why" }, capital(node.reason + spared)) : null;
    const row = make("li", {
      role: "treeitem", class: `${state}${node.line ? " line" : ""}`, tabindex: tabbable ? "0" : "-1", "data-id": node.id,
      "aria-level": level, "aria-posinset": index + 1, "aria-setsize": count, "aria-selected": chosen,
      "aria-expanded": parent ? open : null,
    }, twisty, make("span", { class: "what" }, trace.name(node)), make("span", { class: "role" }, trace.role(node)),
    make("span", { class: "window" }, windowWords([node.alpha, node.beta])), worth, badge, node.scout ? make("span", { class: "badge" }, "scout") : null, why);
    row.style.setProperty("--level", Math.min(level - 1, 8));
    row.addEventListener("click", () => this.onChosen(node));
    twisty.addEventListener("click", () => parent && this.onToggled(node, !open));
    return row;
  }

  /** Within the list only: the page stays where it is. */
  reveal(row) {
    if (!row) return;
    const { element } = this;
    const top = row.offsetTop - element.offsetTop;
    if (top < element.scrollTop) element.scrollTop = top;
    else if (top + row.offsetHeight > element.scrollTop + element.clientHeight) element.scrollTop = top + row.offsetHeight - element.clientHeight;
  }

  key(event) {
    const row = event.target.closest("[role=treeitem]");
    if (!row) return;
    const at = this.rows.findIndex(({ node }) => String(node.id) === row.dataset.id);
    const { node } = this.rows[at];
    const parent = this.trace.below.get(node.id).length > 0;
    const open = this.expanded.has(node.id);
    const go = (index) => this.rows[index] && this.onChosen(this.rows[index].node);
    const steps = {
      ArrowDown: () => go(at + 1),
      ArrowUp: () => go(at - 1),
      Home: () => go(0),
      End: () => go(Math.min(this.rows.length, MOST_SHOWN) - 1),
      ArrowRight: () => (parent && !open ? this.onToggled(node, true) : parent && go(at + 1)),
      ArrowLeft: () => (parent && open ? this.onToggled(node, false) : go(this.rows.findIndex((one) => one.node.id === node.parent))),
      Enter: () => parent && this.onToggled(node, !open),
    };
    if (!steps[event.key]) return;
    event.preventDefault();
    steps[event.key]();
  }
}
