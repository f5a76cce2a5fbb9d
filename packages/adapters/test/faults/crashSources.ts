/** The submits of the kill test's processes: one run that fails and one that completes. */
import { Failed } from "@winnow/core/domain/source/Failed";
import { sampleFacts } from "@winnow/testing/samples/samples";
import * as Effect from "effect/Effect";

export const BROKEN = "https://example.com/broken";
export const ARTICLE = "https://example.com/article";

export const SOURCES = {
  [BROKEN]: {
    facts: sampleFacts(),
    beforeFetch: Effect.fail(new Failed({ reason: "removed", message: "Gone." }))
  },
  [ARTICLE]: { facts: sampleFacts({ kind: "webpage", durationSeconds: null, hasSubtitles: false }) }
};

/** The second run waits for the slot that the first one frees when it ends. */
export const BODIES = [{ url: BROKEN }, { url: ARTICLE }] as const;

/** The client's key for the body at `index`: it submits again if it got no response. */
export const keyOf = (index: number): string => `key ${index}`;
