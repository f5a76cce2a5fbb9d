/** The app's language and locale. Adding a language takes one more file here. */
import { en } from "./en.ts";
import type { enScreens } from "./enScreens.ts";
import type { enRun } from "./enRun.ts";

export type FirstWords = typeof en;
export type RunWords = typeof enRun;
export type ScreenWords = typeof enScreens;
type Words = FirstWords & ScreenWords;

interface Language {
  readonly name: string;
  /** Texts of the first screen. */
  readonly first: () => Promise<FirstWords>;
  /** Texts of the other screens. */
  readonly screens: () => Promise<ScreenWords>;
}

/** By code; all files except the first English texts are loaded on demand. */
export const LANGUAGES: Readonly<Record<string, Language>> = {
  en: {
    name: "English",
    first: () => Promise.resolve(en),
    screens: async () => (await import("./enScreens.ts")).enScreens
  },
  de: {
    name: "Deutsch",
    first: async () => (await import("./de.ts")).de,
    screens: async () => (await import("./deScreens.ts")).deScreens
  }
};

const STORAGE_KEY = "winnow.language";

/** The texts; replaced once, before anything is rendered. */
export let words = en as Words;
export let language = "en";
/** BCP 47 for `Intl`: the reader's region if it matches the chosen language. */
export let locale = "en";

/** The reader's first supported language. */
const chooseLanguage = (stored: string | null, preferred: ReadonlyArray<string>): string => {
  const preferences = [stored ?? "", ...preferred].map((each) => each.split("-")[0] ?? "");
  return preferences.find((each) => Object.hasOwn(LANGUAGES, each)) ?? "en";
};

export const loadWords = async (): Promise<void> => {
  language = chooseLanguage(localStorage.getItem(STORAGE_KEY), navigator.languages);
  locale = navigator.languages.find((each) => each.split("-")[0] === language) ?? language;
  words = { ...words, ...(await LANGUAGES[language]?.first()) };
  document.documentElement.lang = language;
};

/** Before any screen except the first is rendered. */
export const loadScreenWords = async (): Promise<void> => {
  words = { ...words, ...(await LANGUAGES[language]?.screens()) };
};

/** The text of an API value; unknown values are shown unchanged. */
export const wordOf = (known: Readonly<Record<string, string>>, word: string): string =>
  Object.hasOwn(known, word) ? (known[word] ?? word) : word;

/** Reloads the page, because anything rendered may contain texts. */
export const speak = (chosen: string): void => {
  localStorage.setItem(STORAGE_KEY, chosen);
  location.reload();
};
