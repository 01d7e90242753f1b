// Light or dark, set before anything is drawn; the browser stores the choice.
(() => {
  const KEY = "checkmark-theme";
  const NEXT = { "": "dark", dark: "light", light: "" };
  const WORDS = { "": "Auto", dark: "Dark", light: "Light" };

  function stored(theme) {
    try {
      if (theme !== undefined) localStorage.setItem(KEY, theme);
      return localStorage.getItem(KEY) || "";
    } catch {
      return theme ?? ""; // not stored, but still applied
    }
  }

  function apply(theme, button) {
    document.documentElement.dataset.theme = theme;
    if (!button) return;
    button.lastElementChild.textContent = WORDS[theme];
    button.setAttribute("aria-label", `Theme: ${WORDS[theme].toLowerCase()}. Change it`);
  }

  let theme = stored() in NEXT ? stored() : "";
  apply(theme);
  document.addEventListener("DOMContentLoaded", () => {
    const button = document.getElementById("theme");
    apply(theme, button);
    button.addEventListener("click", () => apply((theme = stored(NEXT[theme])), button));
  });
})();
