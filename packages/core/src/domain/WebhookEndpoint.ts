/**
 * A receiver that an account registered (specification, "Registration and URL rules"; contract 7).
 */
import * as Schema from "effect/Schema";

/** Registered endpoints of an account (specification, "Limits"). */
export const WEBHOOK_ENDPOINTS_MAX = 5;

/** How long the old secret signs too after a rotation (contract 8). */
export const ROTATION_HOURS = 24;

/** An endpoint that nothing has reached for as long is given up when the next delivery to it fails. */
export const FAILING_DAYS_MAX = 5;

/** Random bytes of a secret (contract 7). */
export const SECRET_RANDOM_BYTES = 32;

const HOUR_MS = 60 * 60 * 1_000;
export const FAILING_MS_MAX = FAILING_DAYS_MAX * 24 * HOUR_MS;

export const WebhookEndpoint = Schema.Struct({
  id: Schema.String,
  accountId: Schema.String,
  /** Normalised; what duplicates are compared by. */
  url: Schema.String,
  /** `whsec_` and the base64 of 32 random bytes. */
  secret: Schema.String,
  /** Signs beside the new one until it expires; null when there was no rotation lately. */
  previousSecret: Schema.NullOr(Schema.Struct({ secret: Schema.String, expiresAtMs: Schema.Int })),
  createdAtMs: Schema.Int,
  /** First failure since the last success; null while deliveries arrive. */
  failingSinceMs: Schema.NullOr(Schema.Int),
  /** Set when it was given up: nothing is sent until its owner enables it again. */
  disabledAtMs: Schema.NullOr(Schema.Int)
});
export type WebhookEndpoint = typeof WebhookEndpoint.Type;

export const secretFrom = (random: Uint8Array): string => `whsec_${Buffer.from(random).toString("base64")}`;

/** The old secret signs on for {@link ROTATION_HOURS}; one that was rotated out before signs no more. */
export const rotated = (endpoint: WebhookEndpoint, secret: string, nowMs: number): WebhookEndpoint => ({
  ...endpoint,
  secret,
  previousSecret: { secret: endpoint.secret, expiresAtMs: nowMs + ROTATION_HOURS * HOUR_MS }
});

/** Every secret that signs at the time, the newest first. */
export const signingSecrets = (
  { secret, previousSecret }: Pick<WebhookEndpoint, "secret" | "previousSecret">,
  nowMs: number
): ReadonlyArray<string> =>
  previousSecret !== null && previousSecret.expiresAtMs > nowMs ? [secret, previousSecret.secret] : [secret];

/** What a delivery's outcome says about its endpoint: `ended` when it was the delivery's last attempt. */
export const afterAttempt = (
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

const dateOf = (unixMs: number): string => new Date(unixMs).toISOString();

/** For its owner; null while it is enabled. */
export const disabledReason = ({
  failingSinceMs,
  disabledAtMs
}: Pick<WebhookEndpoint, "failingSinceMs" | "disabledAtMs">): string | null =>
  disabledAtMs === null
    ? null
    : `Disabled because all deliveries have failed since ${dateOf(failingSinceMs ?? disabledAtMs)}. Fix the ` +
      `receiver, then enable the endpoint and redeliver what failed.`;
