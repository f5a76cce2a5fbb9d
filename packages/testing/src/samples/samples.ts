/**
 * Plausible domain values for tests, each unique by its id, so that suites may share a database; and seeded randomness.
 */
import { randomUUID } from "node:crypto";
import type { Account } from "@winnow/core/domain/money/Account";
import type { ApiKeyRecord } from "@winnow/core/domain/access/ApiKey";
import { cacheKey } from "@winnow/core/domain/run/CacheKey";
import { type Coverage, FOUND, NOT_FOUND, NOTHING_FETCHED } from "@winnow/core/domain/run/Availability";
import type { AccountView } from "@winnow/core/domain/run/Decision";
import type { Extraction, RunResult } from "@winnow/core/domain/run/Extraction";
import { byModality, DEFAULT_PARTS, type Modality } from "@winnow/core/domain/source/Modality";
import { BUILT_IN_PLANS, planOf, UNPLANNED } from "@winnow/core/domain/money/Plan";
import { DEFAULT_RATES } from "@winnow/core/domain/money/Rates";
import { UNNAMED_REQUESTER } from "@winnow/core/domain/request/Requester";
import type { RunRequest } from "@winnow/core/domain/request/RunRequest";
import type { PricedFacts, Seen, SourceFacts } from "@winnow/core/domain/source/SourceFacts";
import type { Submit } from "@winnow/core/domain/run/Submission";
import { CurrentRun, runFor } from "@winnow/core/ports/CurrentRun";
import * as Layer from "effect/Layer";

/** With a run around all that uses the layer, which nobody watches. */
export const inRun = <A, E, R>(layer: Layer.Layer<A, E, R>): Layer.Layer<A, E, R> =>
  Layer.merge(layer, Layer.succeed(CurrentRun, runFor("acc_test")));

// Seeded random numbers: varied input for tests and benches that can be reproduced.

/** The next number from 0 to 1, excluding 1 (mulberry32). */
export type Random = () => number;

export const seededRandom = (seed: number): Random => {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
};

/** A whole number from 0 to `count`, excluding `count`. */
export const indexBelow = (random: Random, count: number): number => Math.floor(random() * count);

/** `uniqueId("acc")` is `acc_` and 32 lower-case characters. */
export const uniqueId = (prefix: string): string => `${prefix}_${randomUUID().replaceAll("-", "")}`;

export const sampleAccount = (overrides: Partial<Account> = {}): Account => ({
  id: uniqueId("acc"),
  name: "Sample account",
  balance: 0,
  owedCredits: 0,
  slotsUsed: 0,
  bonusGranted: false,
  ...UNPLANNED,
  refundedModelUse: null,
  createdAtMs: 1_700_000_000_000,
  ...overrides
});

/** Of a decision that needs no rows. */
export const sampleView = ({
  account = sampleAccount(),
  ...overrides
}: Partial<AccountView> = {}): AccountView => ({
  account,
  plan: planOf(BUILT_IN_PLANS, account, 0),
  waitingCount: 0,
  waiting: [],
  extraction: null,
  idempotency: null,
  replayed: null,
  batch: null,
  batchItemsWaiting: 0,
  known: [],
  webhookEndpoints: [],
  payment: null,
  usedByKey: null,
  ...overrides
});

export const sampleApiKey = (accountId: string, overrides: Partial<ApiKeyRecord> = {}): ApiKeyRecord => ({
  id: uniqueId("key"),
  accountId,
  name: "Laptop",
  hash: uniqueId("hash"),
  start: "wnw_8Kd2",
  dailyCredits: null,
  createdBy: "mem_ada",
  lastUsedAtMs: null,
  createdAtMs: 1_700_000_000_000,
  ...overrides
});

/** A 12 s video with subtitles and without comments. */
export const sampleFacts = (overrides: Partial<SourceFacts> = {}): SourceFacts => ({
  kind: "video",
  webpageUrl: "https://example.com/watch/talk",
  title: "A talk",
  uploader: "Example",
  description: "About things.",
  thumbnailUrl: "https://example.com/talk.jpg",
  durationSeconds: 12,
  viewCount: 3,
  likeCount: null,
  commentCount: null,
  uploadDate: "20240131",
  hasSubtitles: true,
  hasComments: false,
  imageCount: 0,
  ...overrides
});

/** A download-only run of everything. */
export const sampleRequest = (overrides: Partial<RunRequest> = {}): RunRequest => ({
  url: "https://example.com/watch/talk",
  normalizedUrl: "https://example.com/watch/talk",
  fromExtraction: null,
  mode: "download",
  modalities: DEFAULT_PARTS,
  named: overrides.modalities !== undefined,
  schema: null,
  schemaOrigin: null,
  prompt: null,
  policy: "fallback",
  range: null,
  language: null,
  captions: "any",
  speech: false,
  auto: false,
  maxSpendCredits: null,
  force: false,
  evidence: null,
  maxCredits: null,
  maxAgeSeconds: null,
  webhookUrl: null,
  submitted: { url: "https://example.com/watch/talk" },
  traceparent: null,
  ...overrides
});

/** Everything was found but this. */
export const coverageWithout = (...absent: ReadonlyArray<Modality>): Coverage => ({
  ...NOTHING_FETCHED,
  parts: byModality((modality) => (absent.includes(modality) ? NOT_FOUND : FOUND))
});

export const sampleResult = (extractionId: string, overrides: Partial<RunResult> = {}): RunResult => ({
  facts: sampleFacts(),
  measuredDurationSeconds: 12.018,
  estimatedDurationSeconds: null,
  artifacts: [{ name: "transcript.txt", contentType: "text/plain; charset=utf-8", sizeBytes: 5 }],
  artifactOwner: { extractionId, attempt: 1 },
  coverage: coverageWithout(),
  rung: null,
  warnings: [],
  outcome: null,
  verdictReason: null,
  extraction: null,
  evidence: null,
  usage: null,
  schemaId: null,
  route: null,
  startedAtMs: 1_700_000_001_000,
  finishedAtMs: 1_700_000_002_000,
  ...overrides
});

/** What was seen of a source with these priced facts. */
export const sampleSeen = ({ durationMs, ...rest }: PricedFacts): Seen => ({
  ...rest,
  title: null,
  durationSeconds: durationMs === null ? null : durationMs / 1_000
});

/** A run that is waiting for a worker. */
export const sampleExtraction = (accountId: string, overrides: Partial<Extraction> = {}): Extraction => {
  const request = overrides.request ?? sampleRequest();
  return {
    id: uniqueId("ext"),
    accountId,
    status: "pending",
    request,
    requester: UNNAMED_REQUESTER,
    batchId: null,
    cacheKey: cacheKey(accountId, request, null),
    seen: null,
    creditsDebited: 0,
    creditsRefunded: 0,
    rates: DEFAULT_RATES,
    cachedFrom: null,
    attempt: 0,
    excusedAttempts: 0,
    result: null,
    failure: null,
    createdAtMs: 1_700_000_000_000,
    startedAtMs: null,
    completedAtMs: null,
    ...overrides
  };
};

/** A submit of {@link sampleRequest}; its price is 50 credits unless facts or request say otherwise. */
export const sampleSubmit = (accountId: string, overrides: Partial<Submit> = {}): Submit => {
  const request = overrides.request ?? sampleRequest({ modalities: [] });
  return {
    id: uniqueId("ext"),
    nowMs: 1_700_000_000_000,
    request,
    requester: UNNAMED_REQUESTER,
    cacheKey: cacheKey(accountId, request, null),
    idempotency: null,
    reuse: null,
    seen: null,
    ...overrides
  };
};

/**
 * Controls of a terminal (C0 and C1, with those that begin sequences), a lone carriage return, and characters that show
 * nothing or reverse the text direction. Cleaned: "Price", a line end, " free".
 */
export const HOSTILE_TEXT =
  "Pr\u009bi\u001bc\u0000e\r\u0090\u009d\u200b\u200e\u200f\ufeff\u00ad\u2066\u202e fr\u{e0041}ee\u0007\u061c";

/** The characters that must not remain anywhere. */
export const INVISIBLE_OR_CONTROL =
  // oxlint-disable-next-line no-control-regex, no-misleading-character-class -- searched for on purpose
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b\u200e\u200f\u202e\u2066\ufeff\u{e0041}]/u;
