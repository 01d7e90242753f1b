"use strict";
// Shows the cards of the pressed verdicts, or of all if none is pressed, by the chosen submission.
const form = document.getElementById("filter");
const buttons = [...form.querySelectorAll("button")];
const chooser = form.querySelector("select");
const lists = [...document.querySelectorAll(".answers")];

function apply() {
  const pressed = buttons.filter((one) => one.getAttribute("aria-pressed") === "true");
  const verdicts = new Set(pressed.map((one) => one.dataset.verdict));
  const by = chooser ? chooser.value : "";
  let shown = 0, all = 0;
  for (const list of lists) {
    let own = 0;
    for (const card of list.querySelectorAll(".card")) {
      card.hidden = (verdicts.size > 0 && !verdicts.has(card.dataset.verdict))
        || (by !== "" && !card.dataset.by.split(" ").includes(by));
      own += card.hidden ? 0 : 1;
      all += 1;
    }
    list.hidden = own === 0;
    if (list.tagName === "DETAILS") list.open = verdicts.size > 0;
    shown += own;
  }
  document.getElementById("shown").textContent = `${shown} of ${all} answers shown`;
}

function reset() {
  buttons.forEach((one) => one.setAttribute("aria-pressed", "false"));
  if (chooser) chooser.value = "";
  apply();
}

// A link of the matrix may lead to what the filter hides.
function follow() {
  const target = location.hash && document.getElementById(location.hash.slice(1));
  if (target && target.closest("[hidden]")) {
    reset();
    target.scrollIntoView();
  }
}

buttons.forEach((one) => one.addEventListener("click", () => {
  one.setAttribute("aria-pressed", String(one.getAttribute("aria-pressed") !== "true"));
  apply();
}));
if (chooser) chooser.addEventListener("change", apply);
window.addEventListener("hashchange", follow);
form.hidden = false;
reset();
