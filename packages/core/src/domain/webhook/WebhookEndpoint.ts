/** A webhook endpoint registered by an account. Tests: Webhooks.test.ts, WebhookDispatcher.test.ts. */
import * as Schema from "effect/Schema";
import { DAY_MS, HOUR_MS } from "../Durations.ts";

export const WEBHOOK_ENDPOINTS_MAX = 5;

/** How long the old secret also signs after a rotation: time to deploy the new one. */
export const ROTATION_HOURS = 24;

/** An endpoint that has failed this long is disabled when the next delivery to it fails. */
export const FAILING_DAYS_MAX = 5;

export const SECRET_RANDOM_BYTES = 32;

export const FAILING_MS_MAX = FAILING_DAYS_MAX * DAY_MS;

export const WebhookEndpoint = Schema.Struct({
  id: Schema.String,
  accountId: Schema.String,
  /** Normalised, for detecting duplicates. */
  url: Schema.String,
  /** `whsec_` and the base64 of 32 random bytes. */
  secret: Schema.String,
  /** Also signs until it expires; null without a recent rotation. */
  previousSecret: Schema.NullOr(Schema.Struct({ secret: Schema.String, expiresAtMs: Schema.Int })),
  createdAtMs: Schema.Int,
  /** Id of the member who registered it, who may have been removed since; null if it was nobody known. */
  createdBy: Schema.NullOr(Schema.String),
  /** First failure since the last success; null while deliveries succeed. */
  failingSinceMs: Schema.NullOr(Schema.Int),
  /** When it was disabled after failures; nothing is sent until its owner enables it again. */
  disabledAtMs: Schema.NullOr(Schema.Int)
});
export type WebhookEndpoint = typeof WebhookEndpoint.Type;

/** An endpoint that deliveries go to. */
export type WebhookTarget = Pick<WebhookEndpoint, "id" | "url">;

export const secretFrom = (random: Uint8Array): string => `whsec_${Buffer.from(random).toString("base64")}`;

/** The old secret signs for another {@link ROTATION_HOURS}; one from an earlier rotation stops signing. */
export const rotated = (endpoint: WebhookEndpoint, secret: string, nowMs: number): WebhookEndpoint => ({
  ...endpoint,
  secret,
  previousSecret: { secret: endpoint.secret, expiresAtMs: nowMs + ROTATION_HOURS * HOUR_MS }
});

/** All secrets that sign at a given time, newest first. */
export const signingSecrets = (
  { secret, previousSecret }: Pick<WebhookEndpoint, "secret" | "previousSecret">,
  nowMs: number
): ReadonlyArray<string> =>
  previousSecret !== null && previousSecret.expiresAtMs > nowMs ? [secret, previousSecret.secret] : [secret];

/** The effect of a delivery's outcome on its endpoint; `ended` if it was the last attempt. */
export const afterOutcome = (
  endpoint: WebhookEndpoint,
  outcome: { readonly arrived: boolean; readonly ended: boolean; readonly atMs: number }
): WebhookEndpoint => {
  if (outcome.arrived) return { ...endpoint, failingSinceMs: null };
  const failingSinceMs = endpoint.failingSinceMs ?? outcome.atMs;
  const givenUp = outcome.ended && failingSinceMs <= outcome.atMs - FAILING_MS_MAX;
  return {
    ...endpoint,
    failingSinceMs,
    disabledAtMs: endpoint.disabledAtMs ?? (givenUp ? outcome.atMs : null)
  };
};

/** Explanation for the owner; null while enabled. `failingSinceMs` says since when. */
export const disabledReason = ({ disabledAtMs }: Pick<WebhookEndpoint, "disabledAtMs">): string | null =>
  disabledAtMs === null
    ? null
    : `Disabled because all deliveries have failed for ${FAILING_DAYS_MAX} days or more. Fix the receiver, then ` +
      `enable the endpoint and redeliver what failed.`;

/** One form for all spellings that reach the same receiver: host case, default port, trailing dot, fragment. */
export const normalWebhookUrl = (url: URL): string => {
  const normal = new URL(url);
  normal.hash = "";
  if (normal.hostname.endsWith(".")) normal.hostname = normal.hostname.slice(0, -1);
  return normal.href;
};

/** Whether a URL, which may not be valid, is a spelling of a registered one. */
export const isSameReceiver = (url: string, registeredUrl: string): boolean => {
  const parsed = URL.parse(url);
  return parsed !== null && normalWebhookUrl(parsed) === registeredUrl;
};
