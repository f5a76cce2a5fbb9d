/**
 * Which language the app speaks, and how it writes numbers and times. A third language is one more file here.
 */
import { en } from "./en.ts";
import type { enPlaces } from "./enPlaces.ts";
import type { enRun } from "./enRun.ts";

export type FirstWords = typeof en;
export type RunWords = typeof enRun;
export type PlaceWords = typeof enPlaces;
export type Words = FirstWords & PlaceWords;

export interface Language {
  readonly name: string;
  /** What the first screen needs. */
  readonly first: () => Promise<FirstWords>;
  /** What the places beside it need. */
  readonly places: () => Promise<PlaceWords>;
}

/** By code; every file but that of the first English words is fetched when it is wanted. */
export const LANGUAGES: Readonly<Record<string, Language>> = {
  en: {
    name: "English",
    first: () => Promise.resolve(en),
    places: async () => (await import("./enPlaces.ts")).enPlaces
  },
  de: {
    name: "Deutsch",
    first: async () => (await import("./de.ts")).de,
    places: async () => (await import("./dePlaces.ts")).dePlaces
  }
};

const STORAGE_KEY = "winnow.language";

/** What is said; replaced once, before anything is drawn. */
export let words = en as Words;
export let language = "en";
/** BCP 47, for `Intl`: the reader's region where it speaks the chosen language. */
export let locale = "en";

/** The first of the reader's languages that there are words in. */
export const chooseLanguage = (stored: string | null, preferred: ReadonlyArray<string>): string => {
  const wanted = [stored ?? "", ...preferred].map((each) => each.split("-")[0] ?? "");
  return wanted.find((each) => Object.hasOwn(LANGUAGES, each)) ?? "en";
};

export const loadWords = async (): Promise<void> => {
  language = chooseLanguage(localStorage.getItem(STORAGE_KEY), navigator.languages);
  locale = navigator.languages.find((each) => each.split("-")[0] === language) ?? language;
  words = { ...words, ...(await LANGUAGES[language]?.first()) };
  document.documentElement.lang = language;
};

/** Before any screen but the first is drawn. */
export const loadPlaceWords = async (): Promise<void> => {
  words = { ...words, ...(await LANGUAGES[language]?.places()) };
};

/** A word of the service; one that this app does not know yet stands as it is. */
export const wordOf = (known: Readonly<Record<string, string>>, word: string): string =>
  Object.hasOwn(known, word) ? (known[word] ?? word) : word;

/** The page begins anew: everything that is drawn may hold words. */
export const speak = (chosen: string): void => {
  localStorage.setItem(STORAGE_KEY, chosen);
  location.reload();
};
