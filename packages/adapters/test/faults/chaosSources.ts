/** What the runs of the chaos fetch: articles that take a moment, so that faults find them at work. */
import * as FakeDownloader from "@winnow/core/testing/FakeDownloader";
import { sampleFacts } from "@winnow/core/testing/samples";
import * as Effect from "effect/Effect";
import * as Random from "effect/Random";

/** Different runs; more than that reuse or repeat. */
export const SOURCES_MAX = 5_000;

const DURATION_MS_MAX = 1_500;

export const sourceAt = (number: number): string => `https://example.com/chaos/${number % SOURCES_MAX}`;

const beforeFetch = Effect.flatMap(Random.next, (share) => Effect.sleep(share * DURATION_MS_MAX));

const article = {
  facts: sampleFacts({ kind: "webpage", durationSeconds: null, hasSubtitles: false }),
  beforeFetch
};

export const downloader = FakeDownloader.layer(
  Object.fromEntries(Array.from({ length: SOURCES_MAX }, (_, number) => [sourceAt(number), article]))
);
