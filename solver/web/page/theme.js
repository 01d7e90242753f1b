// Light or dark, set before anything is drawn; the browser stores the choice.
(() => {
  const KEY = "checkmark-theme";
  const NEXT = { "": "dark", dark: "light", light: "" };
  const WORDS = { "": "Auto", dark: "Dark", light: "Light" };

  function load() {
    try {
      return localStorage.getItem(KEY) || "";
    } catch {
      return "";
    }
  }

  function store(theme) {
    try {
      localStorage.setItem(KEY, theme);
    } catch {
      // Not stored, but still applied.
    }
  }

  function apply(theme) {
    document.documentElement.dataset.theme = theme;
  }

  function label(button, theme) {
    button.lastElementChild.textContent = WORDS[theme];
    button.setAttribute("aria-label", `Theme: ${WORDS[theme].toLowerCase()}. Change it`);
  }

  let theme = load() in NEXT ? load() : "";
  apply(theme);
  document.addEventListener("DOMContentLoaded", () => {
    const button = document.getElementById("theme");
    label(button, theme);
    button.addEventListener("click", () => {
      theme = NEXT[theme];
      apply(theme);
      store(theme);
      label(button, theme);
    });
  });
})();
