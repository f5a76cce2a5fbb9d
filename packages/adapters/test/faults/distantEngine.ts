/** The engine on a host of its own: its files are in a bucket, and its runs take a while. */
import { sampleFacts } from "@winnow/testing/samples/samples";
import * as FakeDownloader from "@winnow/testing/fakes/FakeDownloader";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as S3Artifacts from "../../src/storage/s3/S3Artifacts.ts";
import { optionsOf } from "../storage/s3/S3Server.ts";
import { childLogging, environmentOf, layer, type Workplace, workplaceOf } from "./TestEngine.ts";

/** Whether this is `npm run test:faults`, which has minutes. */
export const isWhole = process.env["WINNOW_TEST_FAULTS"] !== undefined;

/** Long enough for a worker to be cut off in the middle, and to finish alone. */
const FETCH_DURATION = isWhole ? "20 seconds" : "4 seconds";

const QUEUE = isWhole ? {} : { leaseSeconds: 3 };

/** Topped up for each account. */
export const CREDITS = 10_000;

export const accountName = (index: number): string => `Distant ${index}`;

export const urlOf = (index: number): string => `https://example.com/${index}`;

const article = {
  facts: sampleFacts({ kind: "webpage", durationSeconds: null, hasSubtitles: false }),
  beforeFetch: Effect.sleep(FETCH_DURATION)
};

const RUNS_MAX = 20;

const SOURCES = Object.fromEntries(Array.from({ length: RUNS_MAX }, (_, index) => [urlOf(index), article]));

export interface DistantPlace extends Workplace {
  readonly endpoint: string;
  /** Of its objects in the bucket. */
  readonly prefix: string;
}

export const distantEnvironmentOf = (place: DistantPlace): Record<string, string> => ({
  ...environmentOf(place),
  TEST_S3_ENDPOINT: place.endpoint,
  TEST_S3_PREFIX: place.prefix
});

export const engineAt = (place: DistantPlace) =>
  layer(
    place,
    FakeDownloader.layer(SOURCES),
    Layer.orDie(S3Artifacts.layer(optionsOf(place.endpoint, place.prefix))),
    undefined,
    QUEUE
  );

export const distantLayer = (env: NodeJS.ProcessEnv) => {
  const { TEST_S3_ENDPOINT: endpoint = "", TEST_S3_PREFIX: prefix = "" } = env;
  return Layer.merge(engineAt({ ...workplaceOf(env), endpoint, prefix }), childLogging);
};
