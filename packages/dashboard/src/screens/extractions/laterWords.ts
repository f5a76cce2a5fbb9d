/** Texts of the parts of the list that are loaded on demand. */
import { isFree } from "../../data/free.ts";

export const laterWords = {
  summary: "Now",
  failedToday: "Failed today",
  filtersSet: "Filters that are set",
  removeFilter: "Remove filter",
  schemaOf: (name: string, version: number) => `${name}, version ${version}`,
  retry: "Retry",
  retryFor: (credits: string) => (isFree ? "Retry" : `Retry for at most ${credits} credits`),
  retried: "Submitted again",
  peek: "Preview",
  open: "Open",
  again: "Run again"
};
