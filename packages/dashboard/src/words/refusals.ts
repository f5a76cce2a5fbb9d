/** Why a link of a batch was refused, in the words of people. */
import type { BatchItemError } from "@winnow/client";
import { number } from "./format.ts";

/** Reasons of refused links whose address shows that they list others. */
export const LIST_REASONS: ReadonlySet<unknown> = new Set(["channel", "playlist", "search"]);

const refusalWords = {
  isList: "A channel, a playlist or a search, which lists links.",
  isTwice: (index: number) => `The same as line ${number(index + 1)}, which gives its result.`
};

/** Index of the line that has the result, if this one is there twice; else null. */
export const twiceOf = (error: BatchItemError | null): number | null => {
  const { reason, index } = error?.details ?? {};
  return reason === "duplicate" && typeof index === "number" ? index : null;
};

/** Lines are counted from 1 here, and from 0 in the API. */
export const refusalText = (error: BatchItemError): string => {
  const index = twiceOf(error);
  if (index !== null) return refusalWords.isTwice(index);
  return LIST_REASONS.has(error.details?.["reason"])
    ? refusalWords.isList
    : error.message.replaceAll("`", "");
};
