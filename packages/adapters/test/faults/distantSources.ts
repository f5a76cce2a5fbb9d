/** The content of the runs of the distant workers. */
import { sampleFacts } from "@winnow/testing/samples/samples";
import * as Effect from "effect/Effect";

/** Long enough for a worker to be cut off in the middle, and to finish alone. */
const FETCH_DURATION = "20 seconds";

export const urlOf = (index: number): string => `https://example.com/${index}`;

const article = {
  facts: sampleFacts({ kind: "webpage", durationSeconds: null, hasSubtitles: false }),
  beforeFetch: Effect.sleep(FETCH_DURATION)
};

export const RUNS_MAX = 20;

export const SOURCES = Object.fromEntries(
  Array.from({ length: RUNS_MAX }, (_, index) => [urlOf(index), article])
);
