/** YouTube's captions as JSON (`json3`): events with times in milliseconds and pieces of text. */
import type { Cue } from "@winnow/core/domain/transcript/Transcript";
import { isJsonObject } from "@winnow/core/domain/text/Json";
import { cueOf } from "./cueOf.ts";

const MILLISECONDS = 1_000;

const listOf = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : []);

const textOf = (pieces: unknown): string =>
  listOf(pieces)
    .map((piece) => (isJsonObject(piece) && typeof piece["utf8"] === "string" ? piece["utf8"] : ""))
    .join("");

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
};

export const readJsonCaptions = (text: string): ReadonlyArray<Cue> => {
  const document = parsed(text);
  return listOf(isJsonObject(document) ? document["events"] : null).flatMap((event) => {
    if (!isJsonObject(event) || typeof event["tStartMs"] !== "number") return [];
    const durationMs = typeof event["dDurationMs"] === "number" ? event["dDurationMs"] : 0;
    const startSeconds = event["tStartMs"] / MILLISECONDS;
    return cueOf(startSeconds, startSeconds + durationMs / MILLISECONDS, textOf(event["segs"]));
  });
};
