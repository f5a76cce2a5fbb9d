/** Light, dark, or the system's theme. `public/theme.js` shows the stored one before the first paint. Tests: states.test.ts. */

export const THEMES = ["system", "light", "dark"] as const;
export type Theme = (typeof THEMES)[number];

const STORAGE_KEY = "winnow.theme";

export const storedTheme = (): Theme => {
  const stored = localStorage.getItem(STORAGE_KEY);
  return THEMES.find((theme) => theme === stored) ?? "system";
};

const show = (theme: Theme): void => {
  if (theme === "system") delete document.documentElement.dataset["theme"];
  else document.documentElement.dataset["theme"] = theme;
};

export const chooseTheme = (theme: Theme): void => {
  localStorage.setItem(STORAGE_KEY, theme);
  show(theme);
};
