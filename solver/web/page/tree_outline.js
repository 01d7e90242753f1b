// The nodes as a tree of rows, for the keyboard and for screen readers.

import { make } from "./dom.js";
import { capital, windowWords } from "./words.js";

const MOST_SHOWN = 300; // rows, around the chosen one

const span = (kind, words) => make("span", { class: kind }, words);

export class TreeOutline {
  /** `chosen(node)` when a row is chosen, `toggled(node, open)` to show or hide its children. */
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
    const middle = this.rows.findIndex(({ node }) => node === chosen);
    const start = Math.max(0, Math.min(middle - MOST_SHOWN / 2, this.rows.length - MOST_SHOWN));
    const shown = this.rows.slice(start, start + MOST_SHOWN);
    const first = shown.find(({ node }) => node === chosen) ?? shown[0]; // reached by Tab
    this.element.replaceChildren(...shown.map((row) => this.row(row, at, row.node === chosen, row === first)));
    const left = (count, where) => make("li", { class: "hint", role: "none" }, `${count} more ${where}`);
    if (start) this.element.prepend(left(start, "before"));
    const after = this.rows.length - start - shown.length;
    if (after > 0) this.element.append(left(after, "after"));
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
    const row = make("li", {
      role: "treeitem", class: `${state}${node.line ? " line" : ""}`, tabindex: tabbable ? "0" : "-1", "data-id": node.id,
      "aria-level": level, "aria-posinset": index + 1, "aria-setsize": count, "aria-selected": chosen,
      "aria-expanded": parent ? open : null,
    },
      twisty,
      span("what", trace.name(node)), span("role", trace.role(node)), span("window", windowWords([node.alpha, node.beta])),
      ...(state === "done" ? this.result(node) : []),
    );
    row.style.setProperty("--level", Math.min(level - 1, 8));
    row.addEventListener("click", () => this.onChosen(node));
    twisty.addEventListener("click", () => parent && this.onToggled(node, !open));
    return row;
  }

  /** What is known about a node after the search has left it. */
  result(node) {
    const skipped = node.unseen.length ? `not searched: ${node.unseen.join(" ")}` : "";
    const why = [node.kind === "heuristic" ? "" : node.reason, skipped].filter(Boolean).join("; ");
    return [
      span("worth", this.trace.value(node)),
      node.tag === "leaf" ? null : span(`badge tag-${node.tag}`, node.tag),
      node.scout ? span("badge", "scout") : null,
      why ? span("why", capital(why)) : null,
    ];
  }

  /** Scroll the list, not the page. */
  reveal(row) {
    if (!row) return;
    const { element } = this;
    const top = row.offsetTop; // relative to the list
    const lowest = top + row.offsetHeight - element.clientHeight;
    if (top < element.scrollTop) element.scrollTop = top;
    else if (lowest > element.scrollTop) element.scrollTop = lowest;
  }

  key(event) {
    const row = event.target.closest("[role=treeitem]");
    if (!row) return;
    const at = this.rows.findIndex(({ node }) => String(node.id) === row.dataset.id);
    const { node } = this.rows[at];
    const parent = this.trace.below.get(node.id).length > 0;
    const open = this.expanded.has(node.id);
    const go = (index) => this.rows[index] && this.onChosen(this.rows[index].node);
    const above = this.rows.findIndex((one) => one.node.id === node.parent);
    const steps = {
      ArrowDown: () => go(at + 1),
      ArrowUp: () => go(at - 1),
      Home: () => go(0),
      End: () => go(this.rows.length - 1),
      ArrowRight: () => (parent && !open ? this.onToggled(node, true) : parent && go(at + 1)),
      ArrowLeft: () => (parent && open ? this.onToggled(node, false) : go(above)),
      Enter: () => parent && this.onToggled(node, !open),
    };
    if (!steps[event.key]) return;
    event.preventDefault();
    steps[event.key]();
  }
}
