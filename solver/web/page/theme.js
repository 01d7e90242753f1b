// Light or dark, before the first thing is drawn; the choice is kept where the browser allows it.
(() => {
  const KEY = "checkmark-theme";
  const NEXT = { "": "dark", dark: "light", light: "" };
  const WORDS = { "": "Auto", dark: "Dark", light: "Light" };

  function kept() {
    try {
      return localStorage.getItem(KEY) || "";
    } catch {
      return "";
    }
  }

  function keep(theme) {
    try {
      localStorage.setItem(KEY, theme);
    } catch {
      // A browser that keeps nothing still changes its colours.
    }
  }

  function wear(theme) {
    document.documentElement.dataset.theme = theme;
  }

  function label(button, theme) {
    button.lastElementChild.textContent = WORDS[theme];
    button.setAttribute("aria-label", `${WORDS[theme]} colours: change them`);
  }

  let theme = kept() in NEXT ? kept() : "";
  wear(theme);
  document.addEventListener("DOMContentLoaded", () => {
    const button = document.getElementById("theme");
    label(button, theme);
    button.addEventListener("click", () => {
      theme = NEXT[theme];
      wear(theme);
      keep(theme);
      label(button, theme);
    });
  });
})();
