// The tree as textbooks draw it: Max points up, Min points down, with windows and cuts.

import { draw, make } from "./dom.js";
import { layout } from "./tree_layout.js";
import { windowWords, worth } from "./words.js";

const [WIDE, HIGH] = [78, 108];
const [LEFT, ABOVE] = [42, 26]; // margins around the outermost nodes
const MOST_DRAWN = 400;
const SMALLEST = 0.75; // of its size, at which a tree is still readable
const SHAPES = { Max: "M0 -22L28 16H-28z", Min: "M0 22L28 -16H-28z" };

export class TreeDrawing {
  /** `picked(node)` when a node is clicked. */
  constructor(element, picked) {
    this.element = element;
    this.picked = picked;
  }

  /** After an event.  `skipped(node)` names what a cut has skipped; values of leaves are shown from the beginning
   * if they are `known`.  If the tree is too large to draw, only the `way` to the chosen node is expanded. */
  show(trace, at, view) {
    const whole = layout(trace, view.expanded, view.skipped);
    const tooMany = whole.items.length > MOST_DRAWN;
    const { items, width, height } = tooMany ? layout(trace, view.way, view.skipped) : whole;
    const words = `${whole.items.length} nodes are too many to draw. This is the way to the chosen node.`;
    const size = [(width - 1) * WIDE + 2 * LEFT, (height - 1) * HIGH + 2 * ABOVE + 20];
    const viewBox = `${-LEFT} ${-ABOVE} ${size.join(" ")}`;
    const picture = draw("svg", { viewBox, width: size[0], height: size[1], "aria-hidden": "true" });
    picture.append(
      ...items.filter((item) => item.above).map((item) => this.branch(trace, at, item)),
      ...items.map((item) => (item.node ? this.node(trace, at, item, view) : this.skipped(trace, at, item))),
    );
    this.element.replaceChildren(...(tooMany ? [make("p", { class: "hint" }, words)] : []), picture);
    this.reveal(items.find((item) => item.node === view.chosen));
  }

  /** Whether the tree is readable when fitted to the width of the page. */
  fits(trace, expanded, skipped) {
    const natural = (layout(trace, expanded, skipped).width - 1) * WIDE + 2 * LEFT;
    return natural * SMALLEST <= this.element.clientWidth;
  }

  branch(trace, at, item) {
    const [x, y, fromX, fromY] = [item.x * WIDE, item.y * HIGH, item.above.x * WIDE, item.above.y * HIGH];
    const state = item.node ? trace.state(item.node, at) : skippedState(trace, at, item);
    const line = item.node?.line && item.above.node.line ? "line" : "";
    const [middleX, middleY] = [fromX + 0.66 * (x - fromX), fromY + 0.66 * (y - fromY)];
    const name = item.node ? trace.name(item.node) : "";
    return draw("g", { class: `branch ${state} ${line} ${item.node ? "" : "skipped"}` },
      draw("path", { d: `M${fromX} ${fromY + 16}L${x} ${y - 16}` }),
      item.node ? draw("text", { x: middleX, y: middleY, class: "move" }, name)
        : draw("path", { class: "scissors", d: `M${middleX - 8} ${middleY + 3}l16 -7` }),
    );
  }

  node(trace, at, { node, x, y }, { chosen, expanded, known }) {
    const state = trace.state(node, at);
    const leaf = node.tag === "leaf";
    const max = trace.isMax(node);
    const marks = { now: trace.events[at].node === node, chosen: node === chosen, line: node.line, scout: node.scout };
    const kinds = ["node", state, state === "done" ? node.tag : "", ...Object.keys(marks).filter((kind) => marks[kind])];
    const shape = leaf ? box() : draw("path", { d: SHAPES[trace.role(node)] });
    const value = state === "done" || (leaf && known) ? shortValue(trace, node) : "";
    const hidden = expanded.has(node.id) ? 0 : trace.below.get(node.id).length;
    const window = state !== "ahead" && !leaf ? windowWords(trace.window(node, at)) : "";
    const group = draw("g", { class: kinds.join(" "), transform: `translate(${x * WIDE} ${y * HIGH})` },
      draw("title", {}, `${trace.place(node)}${node.reason ? `: ${node.reason}` : ""}`),
      shape,
      draw("text", { class: "value", y: leaf ? 5 : max ? 11 : -2 }, value),
      draw("text", { class: "window", y: max ? 31 : 36 }, window),
      hidden ? draw("text", { class: "more", x: 34, y: 4 }, `+${hidden}`) : null,
    );
    group.addEventListener("click", () => this.picked(node));
    return group;
  }

  skipped(trace, at, item) {
    const transform = `translate(${item.x * WIDE} ${item.y * HIGH})`;
    return draw("g", { class: `node skipped ${skippedState(trace, at, item)}`, transform },
      box(),
      draw("text", { class: "value", y: 5 }, item.label));
  }

  /** Scroll the drawing, not the page, to a node. */
  reveal(item) {
    const view = this.element;
    if (!item || view.scrollWidth <= view.clientWidth) return;
    const x = item.x * WIDE + LEFT;
    const seen = x >= view.scrollLeft + WIDE && x <= view.scrollLeft + view.clientWidth - WIDE;
    if (!seen) view.scrollLeft = x - view.clientWidth / 2;
  }
}

/** A leaf. */
const box = () => draw("rect", { x: -25, y: -14, width: 50, height: 28, rx: 7 });

/** A skipped node is drawn as skipped once the search has left its parent. */
const skippedState = (trace, at, item) => (trace.state(item.above.node, at) === "done" ? "done" : "ahead");

/** Short enough for a triangle. */
function shortValue(trace, node) {
  const sign = { exact: "", "at most": "≤", "at least": "≥" }[node.bound] ?? "";
  return sign + worth(node.value).replace("win in ", "W").replace("loss in ", "L");
}
