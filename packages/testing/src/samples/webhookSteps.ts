/** Steps that the suites of the webhook ports share. */
import type { Vitest } from "@effect/vitest";
import * as Effect from "effect/Effect";
import {
  receiverOf,
  type DeliveryAttempt,
  type WebhookDelivery
} from "@winnow/core/domain/webhook/WebhookDelivery";
import type { WebhookEndpoint } from "@winnow/core/domain/webhook/WebhookEndpoint";
import { Store } from "@winnow/core/ports/Store";
import { WebhookEndpoints } from "@winnow/core/ports/WebhookEndpoints";
import { WebhookOutbox, type ClaimedDelivery, type ClaimQuery } from "@winnow/core/ports/WebhookOutbox";
import { uniqueId } from "./samples.ts";
import { viewOf, write } from "./StoreSteps.ts";

export type WebhookTests = Vitest.MethodsNonLive<Store | WebhookEndpoints | WebhookOutbox>;

/** The default time. */
export const NOW_MS = 1_700_000_000_000;
export const LEASE_MS = 30_000;

export const sampleEndpoint = (
  accountId: string,
  overrides: Partial<WebhookEndpoint> = {}
): WebhookEndpoint => {
  const id = uniqueId("whe");
  return {
    id,
    accountId,
    url: `https://example.com/${id}`,
    secret: `whsec_${id}`,
    previousSecret: null,
    createdAtMs: NOW_MS,
    createdBy: "mem_ada",
    failingSinceMs: null,
    disabledAtMs: null,
    ...overrides
  };
};

export const sampleDelivery = (
  accountId: string,
  overrides: Partial<WebhookDelivery> = {}
): WebhookDelivery => {
  const id = uniqueId("whd");
  return {
    id,
    accountId,
    event: "extraction.completed",
    extractionId: uniqueId("ext"),
    endpointId: null,
    url: `https://example.com/${id}`,
    body: '{"event":"extraction.completed","data":{}}',
    status: "pending",
    attemptCount: 0,
    lastStatus: null,
    attemptsLeft: 4,
    nextAttemptAtMs: NOW_MS,
    failureNote: null,
    createdAtMs: NOW_MS,
    ...overrides
  };
};

export const register = (accountId: string, overrides: Partial<WebhookEndpoint> = {}, endpointsMax = 1_000) =>
  WebhookEndpoints.use((endpoints) => endpoints.register(sampleEndpoint(accountId, overrides), endpointsMax));

/** Registers an endpoint and returns it. */
export const registered = Effect.fnUntraced(function* (
  accountId: string,
  over: Partial<WebhookEndpoint> = {}
) {
  const registration = yield* register(accountId, over);
  return "endpoint" in registration
    ? registration.endpoint
    : yield* Effect.die(new Error(`Not registered: ${registration._tag}`));
});

/** The endpoints that a decision can read. */
export const targetsOf = (accountId: string) =>
  Effect.map(viewOf(accountId), ({ webhookEndpoints }) => webhookEndpoints);

/** Writes deliveries without a settlement. */
export const decideDeliveries = (accountId: string, deliveries: ReadonlyArray<WebhookDelivery>) =>
  write(accountId, { deliveries });

export const insert = Effect.fnUntraced(function* (accountId: string, over: Partial<WebhookDelivery> = {}) {
  const delivery = sampleDelivery(accountId, over);
  yield* WebhookOutbox.use((outbox) => outbox.insert(delivery));
  return delivery;
});

/** Also claims deliveries left by other tests of the suite, so that a test sees only its own. */
export const claim = Effect.fnUntraced(function* (
  accountIds: ReadonlyArray<string>,
  over: Partial<ClaimQuery> = {}
) {
  const outbox = yield* WebhookOutbox;
  const claimed = yield* outbox.claimDue({
    nowMs: NOW_MS,
    leaseMs: LEASE_MS,
    limit: 1_000,
    inFlight: [],
    receiverMax: 1_000,
    accountMax: 1_000,
    ...over
  });
  return claimed.filter(({ delivery }) => accountIds.includes(delivery.accountId));
});

/** Claims the due deliveries that other tests left. */
export const clear = claim([], { leaseMs: 1_000_000_000_000 });

/** Claims the one due delivery of the account. */
export const claimOne = Effect.fnUntraced(function* (accountId: string, nowMs = NOW_MS) {
  const [claimed, ...others] = yield* claim([accountId], { nowMs });
  return claimed === undefined || others.length > 0
    ? yield* Effect.die(
        new Error(`${others.length + (claimed === undefined ? 0 : 1)} are due instead of one`)
      )
    : claimed;
});

export const sampleAttempt = (overrides: Partial<DeliveryAttempt> = {}): DeliveryAttempt => ({
  atMs: NOW_MS,
  requestHeaders: { "webhook-id": "whd_1", "webhook-timestamp": "1" },
  status: 500,
  error: "Answered 500 instead of 2xx.",
  durationMs: 7,
  responseSnippet: "Oh no",
  ...overrides
});

export const ARRIVED: Partial<DeliveryAttempt> = { status: 204, error: null, responseSnippet: "" };

export const record = (
  claimed: Pick<ClaimedDelivery, "delivery" | "claim">,
  over: Partial<DeliveryAttempt> = {},
  nowMs = NOW_MS
) =>
  WebhookOutbox.use((outbox) =>
    outbox.recordAttempt(claimed, sampleAttempt({ atMs: nowMs, ...over }), nowMs)
  );

export const read = Effect.fnUntraced(function* (accountId: string, id: string) {
  const found = yield* WebhookOutbox.use((outbox) => outbox.get(accountId, id));
  return found._tag === "Some" ? found.value : yield* Effect.die(new Error(`${id} does not exist`));
});

export const receivers = (claims: ReadonlyArray<ClaimedDelivery>): ReadonlyArray<string> =>
  claims.map(({ delivery }) => receiverOf(delivery));
