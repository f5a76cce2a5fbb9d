/** Runs before anything is drawn, so that nobody sees the other theme first. `parts/theme.ts` stores the choice. Tests: states.test.ts. */
(() => {
  try {
    const theme = localStorage.getItem("winnow.theme");
    if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
  } catch {
    // Without storage, the system's theme is shown.
  }
})();
