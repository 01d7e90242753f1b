"use strict";
// Shows the cards of the pressed verdicts, or of all if none is pressed.
const form = document.getElementById("filter");
const buttons = [...form.querySelectorAll("button")];
const chooser = form.querySelector("select");
const sections = [...document.querySelectorAll(".submission")];

function apply() {
  const pressed = buttons.filter((one) => one.getAttribute("aria-pressed") === "true");
  const verdicts = new Set(pressed.map((one) => one.dataset.verdict));
  let shown = 0, all = 0;
  for (const section of sections) {
    const chosen = !chooser || !chooser.value || chooser.value === section.id;
    let own = 0;
    for (const card of section.querySelectorAll(".card")) {
      card.hidden = !chosen || (verdicts.size > 0 && !verdicts.has(card.dataset.verdict));
      own += card.hidden ? 0 : 1;
      all += 1;
    }
    section.hidden = own === 0;
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
