/** Why a link was refused, in the words of people. Tests: batches.test.ts. */
import type { BatchItemError } from "@winnow/client";
import { number } from "./format.ts";

/** Reasons of refused links whose address shows that they list others. */
export const LIST_REASONS: ReadonlySet<unknown> = new Set(["channel", "playlist", "search"]);

type Refusal = Pick<BatchItemError, "message" | "details">;

const refusalWords = {
  isList: "A channel, a playlist or a search, which lists links.",
  isInside: "This host is not public: only hosts on the internet can be reached.",
  isNoVideo: "Only a video has stretches, and this is none: leave both times empty.",
  isOutside: "The stretch is not within the video: correct its times.",
  isTwice: (index: number) => `The same as line ${number(index + 1)}, which gives its result.`
};

/** Index of the line that has the result, if this one is there twice; else null. */
export const twiceOf = (error: Refusal | null): number | null => {
  const { reason, index } = error?.details ?? {};
  return reason === "duplicate" && typeof index === "number" ? index : null;
};

/** Lines are counted from 1 here, and from 0 in the API. */
export const refusalText = (error: Refusal): string => {
  const index = twiceOf(error);
  if (index !== null) return refusalWords.isTwice(index);
  const reason = error.details?.["reason"];
  if (reason === "host_not_public") return refusalWords.isInside;
  if (error.details?.["param"] === "range")
    return reason === "not_a_video" ? refusalWords.isNoVideo : refusalWords.isOutside;
  return LIST_REASONS.has(reason) ? refusalWords.isList : error.message.replaceAll("`", "");
};
