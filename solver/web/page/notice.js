// Messages at the top of the page, and announcements for screen readers.

import { byId, make } from "./dom.js";
import { faultWords } from "./words.js";

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
