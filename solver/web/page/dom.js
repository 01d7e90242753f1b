// Make elements; text is never parsed as markup.

import { faultWords } from "./words.js";

const SVG = "http://www.w3.org/2000/svg";

export const byId = (id) => document.getElementById(id);

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (typeof value === "boolean" && !name.startsWith("aria-")) element.toggleAttribute(name, value);
    else element.setAttribute(name, value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
}

export const make = (tag, attributes = {}, ...children) =>
  fill(document.createElement(tag), attributes, children);

export const draw = (tag, attributes = {}, ...children) =>
  fill(document.createElementNS(SVG, tag), attributes, children);

/** Set the options of a select from pairs of value and label; the choice stays if it still exists. */
export function offer(select, pairs, chosen = select.value) {
  select.replaceChildren(...pairs.map(([value, words]) => make("option", { value }, words)));
  select.value = pairs.some(([value]) => value === chosen) ? chosen : (pairs[0]?.[0] ?? "");
}

/** Pairs of name and value. */
export function facts(element, pairs) {
  const fact = ([name, value]) => make("div", {}, make("dt", {}, name), make("dd", {}, String(value)));
  element.replaceChildren(...pairs.map(fact));
}

/** A table; cells are strings or elements. */
export function table(element, head, rows) {
  const cell = (content, first) =>
    make(first ? "th" : "td", first ? { scope: "row" } : {}, content);
  element.replaceChildren(
    make("thead", {}, make("tr", {}, head.map((words) => make("th", { scope: "col" }, words)))),
    make("tbody", {}, rows.map((row) => make("tr", {}, row.map((one, index) => cell(one, !index))))),
  );
  return element;
}

// Messages at the top of the page, and announcements for screen readers.

/** A message at the top of the page; it replaces the last one of its kind. */
export function notify(kind, words, faults = []) {
  dismiss(kind);
  const close = make("button", { type: "button", class: "quiet", "aria-label": "Close this message" }, "✕");
  const list = faults.length ? make("ul", {}, faults.map((one) => make("li", {}, faultWords(one)))) : null;
  const content = make("div", {}, make("p", {}, words), list);
  const message = make("div", { class: "notice bad", "data-kind": kind }, content, close);
  close.addEventListener("click", () => message.remove());
  byId("notices").append(message);
}

export function dismiss(kind) {
  for (const message of byId("notices").children) {
    if (message.dataset.kind === kind) message.remove();
  }
}

let waiting = 0;

/** Announce to screen readers; of several in quick succession, only the last. */
export function announce(words) {
  clearTimeout(waiting);
  waiting = setTimeout(() => {
    byId("said").textContent = words;
  }, 400);
}
